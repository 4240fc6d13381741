"""Logs of OpenAI's evals: events of every sample, a file per run."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import is_number, number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat


class OpenAiEvalsFormat(ToolFormat):
    """RUN_MODEL_EVAL.jsonl: the first line is the specification, events of type match and metrics hold scores."""

    name: ClassVar[str] = "openai-evals"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "logs of OpenAI's evals (.jsonl): a specification, then events of every sample"

    def claims(self, file: PlacedFile) -> bool:
        """Check the first line."""
        spec = file.record.get("spec") if "spec" in file.keys else None
        return isinstance(spec, dict) and {"completion_fns", "eval_name"} <= spec.keys()

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read matches as 1 and 0, and metrics that are numbers; a sample with an error is missing."""
        del places, options
        specs = [file.record["spec"] for file in files]
        datasets = [str(spec["eval_name"]) for spec in specs]
        systems = distinct_names(
            ["+".join(map(str, spec["completion_fns"])) for spec in specs],
            datasets,
            [str(spec.get("run_id")) for spec in specs],
            [file.name for file in files],
        )
        rows, failed, findings = GrowingColumns(), 0, []
        for file, dataset, system in zip(files, datasets, systems, strict=True):
            again, scored, errors, finished = Counter[tuple[str, str]](), set[str](), set[str](), False
            for event in file.lines():
                finished |= "final_report" in event
                item = str(event.get("sample_id"))
                if event.get("type") == "error":
                    errors.add(item)
                for metric, value in _scores(event):
                    again[item, metric] += 1
                    scored.add(item)
                    rows.add(
                        dataset=dataset,
                        system=system,
                        metric=metric,
                        item=item,
                        repeat=str(again[item, metric]),
                        score=[number(value, metric, file.name)],
                    )
            failed += len(errors - scored)
            if not finished:
                findings.append(kinds.reading.INCOMPLETE_RUNS.found(runs=file.name, why="it has no final report"))
        if not len(rows):
            raise EvidenceError(
                "the log holds no scores of samples",
                where=files[0].name,
                remedy="Run an eval that records matches or metrics.",
            )
        if failed:
            findings.append(kinds.reading.UNSCORED.found(number=failed, why="the sample ended with an error"))
        used = {"dataset": "eval_name", "system": "completion_fns", "item": "sample_id", "metric": "match, metrics"}
        ignored = ("sampling", "raw", "final_report")
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write the logs of two models."""
        place = folder / "logs"
        place.mkdir(exist_ok=True)
        for model, right in (("owl", (True, True)), ("yak", (True, False))):
            lines: list[dict[str, Any]] = [{"spec": {"completion_fns": [model], "eval_name": "sums", "run_id": model}}]
            lines += [
                {"sample_id": f"sums.{place}", "type": "match", "data": {"correct": correct, "expected": "1"}}
                for place, correct in enumerate(right)
            ]
            lines.append({"final_report": {"accuracy": sum(right) / 2}})
            (place / f"1_{model}_sums.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return place


def _scores(event: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield metric and value of an event; those that are no numbers describe the sample."""
    data = event.get("data")
    if not isinstance(data, dict):
        return
    if event.get("type") == "match" and "correct" in data:
        yield "correct", data["correct"]
    elif event.get("type") == "metrics":
        yield from ((metric, value) for metric, value in data.items() if is_number(value))


FORMAT = OpenAiEvalsFormat()
