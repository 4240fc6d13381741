"""Samples that EleutherAI's lm-evaluation-harness logs: one line per document and filter."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from betterthan.base import EvidenceError, spelling
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.data_hashes import data_differ
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import last_runs
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_SAMPLE = frozenset({"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"})
_FIXED = frozenset({*_SAMPLE, "filter", "metrics", "doc_hash", "prompt_hash", "target_hash", "schema_version"})
RESULTS = frozenset({"results", "configs", "versions", "n-shot"})
_NAME = re.compile(r"^samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)\.jsonl$")
_DATE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.json$")


@dataclass(frozen=True)
class _Run:
    """One file of samples: its system, task and date."""

    file: PlacedFile
    system: str
    task: str
    date: str


class LmEvalFormat(ToolFormat):
    """A folder per model with samples_TASK_DATE.jsonl; results_DATE.json names the model and the directions."""

    name: ClassVar[str] = "lm-eval"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "lm-evaluation-harness with logged samples: samples_TASK_DATE.jsonl, a folder per model"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first line."""
        return file.keys >= _SAMPLE

    def belongs(self, file: PlacedFile) -> bool:
        """Take summaries for its own: they name models and directions."""
        return file.keys >= RESULTS

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read the metrics of every document; a task with several filters has a metric per filter."""
        del options
        summaries = [file for file in places if self.belongs(file)]
        every = _runs(files, summaries)
        kept, findings = last_runs(
            [run.system for run in every], [run.task for run in every], [run.date for run in every]
        )
        runs = [every[place] for place in kept]
        rows, skipped, hashes = (
            GrowingColumns(),
            set[str](),
            defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set)),
        )
        for run in runs:
            metrics = _metrics(run.file.record)
            texts, numbers = run.file.keyed(["doc_id", "filter", "doc_hash"], metrics)
            filters = np.array([each or "none" for each in texts["filter"]], dtype=object)
            for item, content in zip(texts["doc_id"], texts["doc_hash"], strict=True):
                hashes[run.task][item].add(content or "")
            several = len(set(filters)) > 1
            for metric, values in numbers.items():
                if np.all(np.isinf(values)):
                    skipped.add(metric)
                    continue
                names = [f"{metric},{each}" for each in filters] if several else metric
                scores = np.where(np.isinf(values), np.nan, values)
                rows.add(dataset=run.task, metric=names, item=texts["doc_id"], system=run.system, score=scores)
        if not len(rows):
            raise EvidenceError(
                f"holds metrics of a whole test set only: {', '.join(sorted(skipped))}",
                where=files[0].name,
                remedy=f"Compute them from outputs and references with {spelling.verb('score')}.",
            )
        used = {"dataset": "task", "item": "doc_id", "system": "model_name or folder", "metric": "metrics and filter"}
        ignored = ("doc", "target", "arguments", "resps", "filtered_resps", "prompt_hash", "target_hash")
        findings += _skipped(skipped) + data_differ(hashes, "doc_hash")
        return ToolEvidence(rows.columns(), _directions(summaries), tuple(findings), used, ignored)

    def example(self, folder: Path) -> Any:
        """Write two models on one task."""
        place = folder / "lm-eval-output"
        for model, right in (("org__owl", [1.0, 1.0, 0.0]), ("org__yak", [1.0, 0.0, 0.0])):
            (place / model).mkdir(parents=True, exist_ok=True)
            lines = [
                {
                    "doc_id": number,
                    "doc": {"question": f"{number}+1="},
                    "target": str(number + 1),
                    "arguments": {},
                    "resps": [["1"]],
                    "filtered_resps": ["1"],
                    "filter": "none",
                    "metrics": ["acc"],
                    "acc": score,
                }
                for number, score in enumerate(right)
            ]
            text = "\n".join(json.dumps(line) for line in lines)
            (place / model / "samples_sums_2026-01-02T03-04-05.678901.jsonl").write_text(text)
        return place


def _metrics(record: Mapping[str, Any]) -> list[str]:
    """Return the names of the metrics; files before November 2024 do not list them."""
    listed = record.get("metrics")
    named = listed if isinstance(listed, list) else [key for key in record if key not in _FIXED]
    return [metric for metric in named if metric in record and metric != "bypass"]


def _runs(files: Sequence[PlacedFile], summaries: Sequence[PlacedFile]) -> list[_Run]:
    """Name the system of every file: as its summary does, else like its folder; two folders are two systems."""
    by_date = {(file.path.parent, match[1]): file for file in summaries if (match := _DATE.search(file.path.name))}
    of_folder = defaultdict[Path, set[str]](set)  # samples may lack a summary
    for file in summaries:
        of_folder[file.path.parent] |= {str(file.document["model_name"])} if file.document.get("model_name") else set()
    named: dict[PlacedFile, tuple[str, str, str]] = {}
    folders = defaultdict[str, set[Path]](set)
    for file in files:
        match = _NAME.match(file.path.name)
        task, date = (match["task"], match["date"]) if match else (file.path.stem, "")
        summary = by_date.get((file.path.parent, date))
        model = summary.document.get("model_name") if summary is not None else None
        others = of_folder[file.path.parent]
        system = str(model or (next(iter(others)) if len(others) == 1 else file.folder))
        folders[system].add(file.path.parent)
        named[file] = (system, task, date)
    runs = []
    for file, (system, task, date) in named.items():
        name = system if len(folders[system]) == 1 else f"{system} ({file.path.parent})"
        runs.append(_Run(file, name, task, date))
    return runs


def _directions(summaries: Sequence[PlacedFile]) -> dict[tuple[str, str], bool]:
    """Return the directions of metrics by task, from summaries."""
    found: dict[tuple[str, str], bool] = {}
    for file in summaries:
        for task, metrics in (file.document.get("higher_is_better") or {}).items():
            scored = [key.partition(",") for key in (file.document["results"].get(task) or {})]
            for metric, higher in metrics.items():
                if isinstance(higher, bool):
                    names = {metric, *(f"{name},{by}" for name, _, by in scored if name == metric)}
                    found |= {(task, name): not higher for name in names}
    return found


def _skipped(metrics: set[str]) -> list[Finding]:
    if not metrics:
        return []
    named = ", ".join(sorted(metrics))
    return [
        kinds.reading.METRICS_SKIPPED.found(
            metrics=named, what="what the metric of the whole test set is computed from"
        )
    ]


FORMAT = LmEvalFormat()
