"""Scores of the Berkeley Function Calling Leaderboard: a file per model and category that lists what was wrong."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_TOTALS = frozenset({"accuracy", "correct_count", "total_count"})


@dataclass(frozen=True)
class _Run:
    """The wrong answers of one model in one category, and the number of all its items."""

    model: str
    category: str
    wrong: frozenset[str]
    total: int
    file: PlacedFile


class BfclFormat(ToolFormat):
    """score/MODEL/CATEGORY_score.json: totals in the first line, then the entries that are wrong.

    Items that are in no file were right for every model: there are as many as the total says.
    """

    name: ClassVar[str] = "bfcl"
    kind: ClassVar[Kind] = "scores"
    # words: a path as BFCL writes it
    about: ClassVar[str] = "BFCL's score/MODEL/CATEGORY_score.json: totals, then a line per wrong answer"

    def claims(self, file: PlacedFile) -> bool:
        """Check the first line, and that it is not the only value."""
        return file.keys >= _TOTALS and file.path.stem.endswith("_score")

    def belongs(self, file: PlacedFile) -> bool:
        """Take answers without scores, and the leaderboard, for its own."""
        return file.path.stem.endswith("_result") or file.path.name.startswith("data_") or file.path.name == "data.csv"

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Count every answer that is not listed as right."""
        del places, options
        runs = [_run(file) for file in files]
        names = distinct_names(
            [run.model for run in runs], [run.category for run in runs], [run.file.name for run in runs]
        )
        listed, sizes = defaultdict[str, dict[str, None]](dict), dict[str, _Run]()
        for run in runs:
            other = sizes.setdefault(run.category, run)
            if other.total != run.total:
                raise EvidenceError(
                    f"the category {run.category} has {run.total} items, and {other.total} in {other.file.name}",
                    where=run.file.name,
                    remedy="Give scores of one version of the benchmark at a time.",
                )
            listed[run.category] |= dict.fromkeys(sorted(run.wrong))
        rows = GrowingColumns()
        for run, system in zip(runs, names, strict=True):
            named = listed[run.category]
            items = [*named, *(f"right for every model {number}" for number in range(1, run.total - len(named) + 1))]
            scores = [float(item not in run.wrong) for item in items]
            rows.add(dataset=run.category, system=system, item=items, score=scores)
        used = {"system": "folder", "dataset": "category", "item": "id", "score": "valid"}
        return ToolEvidence(rows.columns(), used=used, ignored=("error", "error_type", "prompt", "model_result"))

    def example(self, folder: Path) -> Any:
        """Write the scores of two models in one category of three items."""
        for model, wrong in (("owl", ("simple_1",)), ("yak", ("simple_0", "simple_1"))):
            place = folder / "score" / model
            place.mkdir(parents=True, exist_ok=True)
            right = 3 - len(wrong)
            lines = [
                {"accuracy": right / 3, "correct_count": right, "total_count": 3},
                *({"id": item, "model_name": model, "test_category": "simple", "valid": False} for item in wrong),
            ]
            (place / "BFCL_v4_simple_score.json").write_text("\n".join(map(json.dumps, lines)))
        return folder / "score"


def _run(file: PlacedFile) -> _Run:
    """Return the answers of a file; the folder below `score` is the model."""
    first, *lines = file.lines()
    wrong = frozenset(map(_item, lines))
    if len(wrong) != first["total_count"] - first["correct_count"]:
        raise EvidenceError(
            f"lists {len(wrong)} wrong answers, and counts {first['total_count'] - first['correct_count']}",
            where=file.name,
            remedy="Check whether the file is complete.",
        )
    folders = file.path.resolve().parts[:-1]
    below = [place for place, name in enumerate(folders[:-1]) if name.startswith("score")]
    model = folders[below[-1] + 1] if below else folders[-1]
    category = next((str(line["test_category"]) for line in lines if "test_category" in line), _category(file))
    return _Run(model, category, wrong, int(first["total_count"]), file)


def _category(file: PlacedFile) -> str:
    """Return the category of a file without wrong answers: BFCL_v4_CATEGORY_score.json, or CATEGORY_score.json."""
    name = file.path.stem.removesuffix("_score")
    return name.split("_", 2)[2] if name.startswith("BFCL_v") else name


def _item(line: Mapping[str, Any]) -> str:
    prompt = line.get("prompt")
    named = prompt.get("id") if isinstance(prompt, dict) else None
    return str(named or line["id"])


FORMAT = BfclFormat()
