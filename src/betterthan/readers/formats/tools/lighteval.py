"""Details of lighteval: a Parquet file per model and task, with the metrics of every document."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places, write_columns
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import is_number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import last_runs
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

#: Columns of the document, its metrics and the answer; older releases put underscores around them.
_COLUMNS = ({"doc", "metric", "model_response"}, {"__doc__", "__metric__", "__model_response__"})
_DATE = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
_NAME = re.compile(rf"^details_(?P<task>.+)_(?P<date>{_DATE})\.parquet$")


@dataclass(frozen=True)
class _Run:
    """One file: its system, task and date, and the columns in which it has documents and metrics."""

    file: PlacedFile
    system: str
    task: str
    date: str
    columns: tuple[str, str]


class LightevalFormat(ToolFormat):
    """details/ORG/MODEL/DATE/details_TASK_DATE.parquet with columns doc, metric and model_response."""

    name: ClassVar[str] = "lighteval"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "lighteval's details/ORG/MODEL/DATE/details_TASK_DATE.parquet"

    def claims(self, file: PlacedFile) -> bool:
        """Look for its three columns."""
        return any({*file.columns} >= each for each in _COLUMNS)

    def belongs(self, file: PlacedFile) -> bool:
        """Take summaries for its own."""
        return {"config_general", "results"} <= file.keys

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every metric of every document that is a number."""
        del places, options
        runs = [_run(file) for file in files]
        kept, findings = last_runs([run.system for run in runs], [run.task for run in runs], [run.date for run in runs])
        rows, missing, skipped = GrowingColumns(), 0, set[str]()
        for run in (runs[place] for place in kept):
            found = run.file.values(run.columns)
            documents = [_object(document, run.file.name) for document, _ in found]
            metrics = [_object(metric, run.file.name) for _, metric in found]
            items = _items(documents)
            for metric in dict.fromkeys(name for each in metrics for name in each):
                values = [each.get(metric) for each in metrics]
                if any(value is not None and not is_number(value) for value in values):
                    skipped.add(metric)
                    continue
                missing += sum(value is None for value in values)
                scores = [float("nan") if value is None else float(value) for value in values]
                rows.add(dataset=run.task, system=run.system, metric=metric, item=items, score=scores)
        if not len(rows):
            raise EvidenceError("no metric has a score per document", where=runs[0].file.name)
        if skipped:
            what = "what the metric of the whole test set is computed from"
            findings.append(kinds.reading.METRICS_SKIPPED.found(metrics=", ".join(sorted(skipped)), what=what))
        if missing:
            findings.append(kinds.reading.UNSCORED.found(number=missing, why="the metric has no value"))
        used = {"dataset": "task", "system": "folder", "item": "doc.id", "metric": "metric"}
        return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=("doc", "model_response"))

    def example(self, folder: Path) -> Any:
        """Write two models on one task."""
        date = "2026-01-02T03-04-05.678901"
        for model, scores in (("owl", (1.0, 1.0, 0.0)), ("yak", (1.0, 0.0, 0.0))):
            place = folder / "details" / "org" / model / date
            place.mkdir(parents=True, exist_ok=True)
            columns = {
                "doc": [json.dumps({"id": str(number), "task_name": "sums_0"}) for number in range(3)],
                "metric": [json.dumps({"exact": score}) for score in scores],
                "model_response": ["{}"] * 3,
            }
            write_columns(place / f"details_sums_0_{date}.parquet", columns)
        return folder / "details"


def _run(file: PlacedFile) -> _Run:
    """Name system and task by path; organisation and model are two folders, perhaps with one of the date inside."""
    folders = [folder for folder in file.path.resolve().parents if not re.fullmatch(_DATE, folder.name)]
    below_details = len(folders) > 2 and folders[2].name == "details"
    system = f"{folders[1].name}/{folders[0].name}" if below_details else folders[0].name
    match = _NAME.match(file.path.name)
    task, date = (match["task"], match["date"]) if match else (file.path.stem, "")
    columns = ("doc", "metric") if "doc" in file.columns else ("__doc__", "__metric__")
    return _Run(file, system, task, date, columns)


def _object(value: str | None, where: str) -> Mapping[str, Any]:
    """Return a struct; some releases write it as text, of JSON or of a Python dictionary."""
    found = json.loads(value or "{}")
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError:
            try:
                found = ast.literal_eval(found)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                found = None
    if not isinstance(found, dict):
        raise EvidenceError(f"{str(value)[:40]!r} is no dictionary", where=where, remedy="Run lighteval again.")
    return found


def _items(documents: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name documents by their ids, by their places where ids are absent or occur twice."""
    ids = [str(each.get("id") or "") for each in documents]
    return ids if all(ids) and len(set(ids)) == len(ids) else [str(place) for place in range(len(documents))]


FORMAT = LightevalFormat()
