"""Results of RewardBench: whether a reward model prefers the chosen answer to the rejected one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_KEYS = frozenset({"results", "scores_chosen", "scores_rejected"})
_ENDING = "_outputs"


class RewardBenchFormat(ToolFormat):
    """MODEL_outputs.jsonl: 1 where the chosen answer has the higher reward, 0 where not, 0.5 for a tie."""

    name: ClassVar[str] = "reward-bench"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "RewardBench's MODEL_outputs.jsonl: results by prompt and subset"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line, or of the object of lists on the hub."""
        return file.keys >= _KEYS

    def belongs(self, file: PlacedFile) -> bool:
        """Recognise aggregates: a score per subset next to the model's name."""
        return {"model", "model_type"} <= file.keys and not file.keys & _KEYS

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every result; a subset is a data set."""
        del places, options
        entries = [list(_entries(file)) for file in files]
        names = [_name(file) for file in files]
        systems = distinct_names(
            names, [0] * len(files), [file.folder for file in files], [file.name for file in files]
        )
        rows, missing = GrowingColumns(), sum(each["results"] is None for found in entries for each in found)
        for file, system, found in zip(files, systems, entries, strict=True):
            rows.add(
                dataset=[each.get("subset") for each in found],
                system=system,
                item=[str(each.get("id", place)) for place, each in enumerate(found)],
                score=[number(each["results"], "results", file.name) for each in found],
            )
        used = {"dataset": "subset", "system": "model or file", "item": "id", "score": "results"}
        ignored = ("prompt", "scores_chosen", "scores_rejected", "text_chosen", "text_rejected")
        findings = (kinds.reading.UNSCORED.found(number=missing, why="there is no result"),) if missing else ()
        return ToolEvidence(rows.columns(), findings=findings, used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write two models on two prompts."""
        place = folder / "results"
        place.mkdir(exist_ok=True)
        for model, results in (("owl", (1, 1)), ("yak", (1, 0))):
            lines = [
                {
                    "prompt": "?",
                    "results": result,
                    "scores_chosen": 2.0 * result,
                    "scores_rejected": 1.0,
                    "id": number,
                    "subset": "math",
                }
                for number, result in enumerate(results)
            ]
            (place / f"{model}{_ENDING}.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        return place


def _name(file: PlacedFile) -> str:
    """Return the name from the hub's form, else the file's name, with its folder if that is the organisation."""
    model = file.record.get("model")
    if isinstance(model, str):
        return model
    stem = file.path.name.split(".json")[0].removesuffix(_ENDING)
    folder = file.path.resolve().parent
    return f"{folder.name}/{stem}" if folder.parent.name == "results" else stem


def _entries(file: PlacedFile) -> Iterator[Mapping[str, Any]]:
    """Yield results one by one, from lines, from a list, or from one object of lists."""
    if not isinstance(file.record["results"], list):
        found = file.lines() if file.head.lstrip()[:1] == b"{" else file.whole
    else:
        lists = {key: value for key, value in file.whole.items() if isinstance(value, list)}
        if len({len(each) for each in lists.values()}) > 1:
            raise EvidenceError(
                "its lists are not equally long", where=file.name, remedy="Check whether the file is complete."
            )
        found = (dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True))
    for each in found:
        if each.get("results", "") not in {0, 0.5, 1, None}:
            raise EvidenceError(
                f"the result {each.get('results', '')!r} is none of RewardBench's",
                where=file.name,
                allowed="1, 0, and 0.5 for a tie",
            )
        yield each


FORMAT = RewardBenchFormat()
