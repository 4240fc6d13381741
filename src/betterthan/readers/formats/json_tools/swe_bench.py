"""Results of SWE-bench: which issues a system resolved, from the harness or from the experiments repository."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_REPORT = frozenset({"resolved_ids", "submitted_ids"})
_LISTS = ({"resolved", "no_generation"}, {"resolved", "generated"})
_DETAILS = "per_instance_details.json"
_BESIDE = frozenset(
    {"metadata.yaml", "metadata.yml", "README.md", "all_preds.jsonl", "resolved_by_repo.json", "resolved_by_time.json"}
)
#: What reports and logs are of: their files do not say which part of the benchmark it is.
_BENCHMARK = "SWE-bench"
#: A report's lists of issues that failed, and of those that say nothing about the system.
_FAILED = ("unresolved_ids", "empty_patch_ids", "error_ids")
_MISSING = ("incomplete_ids", "infra_failure_ids", "ambiguous_failure_ids")
_Source = Literal["report", "log", "details", "lists"]


@dataclass
class _Run:
    """The results of one system on one part of the benchmark: 1, 0 or NaN by item."""

    dataset: str
    system: str
    run: str
    place: str
    source: _Source
    scores: dict[str, float]


class SweBenchFormat(ToolFormat):
    """1 for a resolved issue, 0 for an unresolved one, missing where it was not run."""

    name: ClassVar[str] = "swe-bench"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "SWE-bench: MODEL.RUN.json of the harness, results.json and per_instance_details.json"

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of reports and lists, or the first entry."""
        return _source(file) is not None

    def belongs(self, file: PlacedFile) -> bool:
        """Take metadata, predictions and summaries for its own."""
        return file.path.name in _BESIDE

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read 1 and 0 by issue; lists of resolved issues are completed by those of all systems."""
        del places, options
        runs = _merged([_run(file) for file in files])
        findings = _completed(runs)
        names = distinct_names(
            [run.system for run in runs],
            [run.dataset for run in runs],
            [run.run for run in runs],
            [run.place for run in runs],
        )
        rows = GrowingColumns()
        for run, system in zip(runs, names, strict=True):
            rows.add(dataset=run.dataset, system=system, item=list(run.scores), score=list(run.scores.values()))
        if missing := sum(int(np.isnan(list(run.scores.values())).sum()) for run in runs):
            findings.append(kinds.reading.UNSCORED.found(number=missing, why="the item was not run to the end"))
        used = {"dataset": "folder", "system": "file or folder", "item": "instance", "score": "resolved"}
        return ToolEvidence(
            rows.columns(), findings=tuple(findings), used=used, ignored=("cost", "api_calls", "tests_status")
        )

    def example(self, folder: Path) -> Any:
        """Write the reports of two models."""
        place = folder / "reports"
        place.mkdir(exist_ok=True)
        for model, resolved in (("org__owl", ["a-1", "a-2"]), ("org__yak", ["a-1"])):
            every = ["a-1", "a-2", "a-3"]
            rest = [each for each in every if each not in resolved]
            report = {"total_instances": 3, "submitted_ids": every, "resolved_ids": resolved, "unresolved_ids": rest}
            (place / f"{model}.first.json").write_text(json.dumps(report))
        return place


def _source(file: PlacedFile) -> _Source | None:
    """Return the kind of a SWE-bench file, None for other files."""
    if file.keys >= _REPORT:
        return "report"
    if any(file.keys >= each for each in _LISTS):
        return "lists" if all(isinstance(value, list) for value in file.record.values()) else None
    first = next(iter(file.record.values()), None) if file.keys else None
    if not isinstance(first, dict) or not isinstance(first.get("resolved"), bool):
        return None
    if file.path.name == _DETAILS:
        return "details"
    return "log" if "patch_exists" in first and len(file.keys) == 1 else None


def _run(file: PlacedFile) -> _Run:
    """Read one file; names of systems are those of files or folders."""
    document, folders = file.whole, file.path.resolve().parents
    match _source(file):
        case "report":
            model, _, run = file.path.stem.rpartition(".")
            name = (model or run).replace("__", "/", 1)
            return _Run(_BENCHMARK, name, run, file.name, "report", _reported(document, file.name))
        case "log":
            return _Run(
                _BENCHMARK,
                folders[1].name.replace("__", "/", 1),
                folders[2].name,
                str(folders[1]),
                "log",
                _resolved(document, file.name),
            )
        case "details":
            scores = _resolved(document, file.name)
            return _Run(folders[1].name, folders[0].name, "", file.name, "details", scores)
        case _:
            inside = 1 if folders[0].name == "results" else 0
            resolved = set(_names(document, "resolved", file.name))
            listed = dict.fromkeys(name for key in document for name in _names(document, key, file.name))
            scores = {name: float(name in resolved) for name in listed}
            return _Run(folders[inside + 1].name, folders[inside].name, "", file.name, "lists", scores)


def _reported(report: Mapping[str, Any], where: str) -> dict[str, float]:
    """Return 1 for resolved issues, 0 for failed ones and NaN for those that did not run to the end."""
    resolved = set(_names(report, "resolved_ids", where))
    failed = {name for key in _FAILED for name in _names(report, key, where)}
    missing = {name for key in _MISSING for name in _names(report, key, where)}
    if both := sorted(resolved & (failed | missing)):
        raise EvidenceError(
            f"{both[0]} is listed as resolved and as not resolved", where=where, remedy="Evaluate the run again."
        )
    every = dict.fromkeys([*_names(report, "submitted_ids", where), *sorted(resolved | failed | missing)])
    return {name: 1.0 if name in resolved else 0.0 if name in failed - missing else np.nan for name in every}


def _resolved(document: Mapping[str, Any], where: str) -> dict[str, float]:
    found = {}
    for name, each in document.items():
        if not isinstance(each, dict) or "resolved" not in each:
            raise EvidenceError(f"{name} does not say whether it was resolved", where=where)
        found[name] = number(each["resolved"], f"resolved of {name}", where)
    return found


def _names(document: Mapping[str, Any], key: str, where: str) -> list[str]:
    found = document.get(key) or []
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise EvidenceError(f"{key} is no list of items", where=where)
    return found


def _merged(runs: Sequence[_Run]) -> list[_Run]:
    """Join the logs of one run, and prefer details to lists of the same system."""
    kept: dict[tuple[str, ...], _Run] = {}
    for run in runs:
        key = (run.dataset, run.system, run.run, "" if run.source in {"details", "lists"} else run.place)
        known = kept.setdefault(key, run)
        if known is run:
            continue
        if run.source == known.source == "log":
            known.scores |= run.scores
        elif run.source == "details":
            kept[key] = run
    return list(kept.values())


def _completed(runs: Sequence[_Run]) -> list[Finding]:
    """Count issues that a list does not name as not resolved, if other systems' files name them."""
    parts = defaultdict[str, list[_Run]](list)
    for run in runs:
        parts[run.dataset].append(run)
    findings = []
    for dataset, members in parts.items():
        if all(run.source != "lists" for run in members):
            continue
        every = sorted({name for run in members for name in run.scores})
        for run in members:
            if run.source == "lists":
                run.scores = {name: run.scores.get(name, 0.0) for name in every}
        findings.append(kinds.reading.ITEMS_INFERRED.found(number=len(every), dataset=dataset))
    return findings


FORMAT = SweBenchFormat()
