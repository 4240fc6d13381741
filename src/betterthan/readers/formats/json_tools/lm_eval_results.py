"""Summaries of lm-evaluation-harness without samples: tasks are the items."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.options import ReadOptions
from betterthan.readers.formats.json_tools.lm_eval import FORMAT as SAMPLES
from betterthan.readers.formats.json_tools.lm_eval import RESULTS
from betterthan.readers.tool_parts.aggregate_format import AggregateFormat
from betterthan.readers.tool_parts.cell_values import is_number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import last_runs
from betterthan.readers.tool_parts.tool_format import ToolEvidence

#: Until 0.3, metrics are not called after a filter, and the files do not say where less is better.
_OLD = frozenset({"results", "versions", "config"})
_OLD_LOWER = frozenset({"likelihood_difference", "pct_stereotype"})
_MODEL = re.compile(r"(?:pretrained|model|engine|path)=([^,]+)(?:.*,revision=([^,]+))?")
_DATE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.json$")


class LmEvalResultsFormat(AggregateFormat):
    """results_DATE.json of every model, or a file per model of 0.3; where samples are logged too, those are read."""

    name: ClassVar[str] = "lm-eval-results"
    kind: ClassVar[Kind] = "scores"
    samples = SAMPLES
    about: ClassVar[str] = "lm-evaluation-harness without samples: results_DATE.json, in which tasks are the items"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys."""
        return (file.keys >= RESULTS or _is_old(file)) and isinstance(file.record["results"], dict)

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read the metrics of every task; averages over groups of tasks repeat their members."""
        del places, options
        cells = [cell for file in files for cell in _cells(file)]
        kept, findings = last_runs(
            [system for system, *_ in cells], [key for _, key, *_ in cells], [date for *_, date in cells]
        )
        if not kept:
            raise EvidenceError("the results hold no task with a score", where=files[0].name)
        rows = GrowingColumns()
        for system, (task, metric), score, _ in (cells[place] for place in kept):
            rows.add(system=system, item=task, metric=metric, score=[score])
        used = {"item": "task", "system": "model_name or folder", "metric": "metric and filter"}
        ignored = ("standard errors", "groups", "configs")
        return ToolEvidence(rows.columns(), _directions(files), tuple(findings), used, ignored)

    def example(self, folder: Path) -> Any:
        """Write the results of two models on two tasks."""
        place = folder / "lm-eval-results"
        place.mkdir(exist_ok=True)
        for model, scores in (("owl", (0.75, 0.5)), ("yak", (0.625, 0.25))):
            tasks = {f"task{number}": {"alias": "x", "acc,none": score} for number, score in enumerate(scores)}
            document = {
                "results": tasks,
                "configs": {},
                "versions": {},
                "n-shot": {},
                "model_name": f"org/{model}",
                "higher_is_better": {task: {"acc": True} for task in tasks},
            }
            (place / f"{model}_2026-01-02T03-04-05.678901.json").write_text(json.dumps(document))
        return place


def _cells(file: PlacedFile) -> Iterator[tuple[str, tuple[str, str], float, str]]:
    """Yield system, task and metric, score and date."""
    document: Mapping[str, Any] = file.whole
    old = _is_old(file)
    system = str(document.get("model_name") or (_called(document["config"]) if old else None) or file.folder)
    groups = {
        *(document.get("groups") or {}),
        *(key for key, of in (document.get("group_subtasks") or {}).items() if of),
    }
    date = match[1] if (match := _DATE.search(file.path.name)) else ""
    for task, metrics in document["results"].items():
        for key, value in metrics.items() if task not in groups and isinstance(metrics, dict) else ():
            metric, comma, way = key.partition(",")
            if (comma or old) and is_number(value) and not metric.endswith("_stderr"):
                yield system, (task, metric if way == "none" else key), float(value), date


def _is_old(file: PlacedFile) -> bool:
    """Whether it is a file of 0.3: newer ones have one configuration more, per task."""
    described = file.record["config"] if file.keys >= _OLD and "configs" not in file.keys else None
    return isinstance(described, dict) and "model_args" in described


def _called(config: Mapping[str, Any]) -> str:
    """Return the model of an older file by its arguments, with its revision."""
    match = _MODEL.search(str(config["model_args"]))
    return " ".join(part for part in match.groups() if part) if match else ""


def _directions(files: Sequence[PlacedFile]) -> dict[tuple[str, str], bool]:
    """Return for which metrics less is better, as the files say."""
    found = {("", metric): True for metric in _OLD_LOWER} if any(map(_is_old, files)) else {}
    for file in files:
        said: Mapping[str, Mapping[str, Any]] = file.whole.get("higher_is_better") or {}
        for task, metrics in file.whole["results"].items():
            for key in metrics if isinstance(metrics, dict) else ():
                metric, _, way = key.partition(",")
                higher = (said.get(task) or {}).get(metric)
                if isinstance(higher, bool):
                    found["", metric if way == "none" else key] = not higher
    return found


FORMAT = LmEvalResultsFormat()
