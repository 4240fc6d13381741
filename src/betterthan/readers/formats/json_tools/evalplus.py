"""Results of EvalPlus: which samples of code pass the tests of each task."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import distinct_names
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_STATUS = {"pass": 1.0, "fail": 0.0, "timeout": 0.0, "timed out": 0.0}
_ENDING = re.compile(r"[._]?eval_results$")
_SETTINGS = re.compile(r"_(?P<settings>[^_]+_temp_[\d.]+)$")


class EvalPlusFormat(ToolFormat):
    """The score of a sample is 1 if it passes, 0 if not: the mean over samples is pass@1 of a task."""

    name: ClassVar[str] = "evalplus"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = "EvalPlus's MODEL.eval_results.json: samples per task that pass base and plus tests"

    def claims(self, file: PlacedFile) -> bool:
        """Check the first task."""
        if not file.keys >= {"eval", "hash"} or not isinstance(file.record["eval"], dict):
            return False
        first = next(iter(file.record["eval"].values()), None)
        if isinstance(first, list):
            return bool(first) and isinstance(first[0], dict) and "base_status" in first[0]
        return isinstance(first, dict) and "base" in first

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read base and plus of every sample; plus tests count only together with base tests."""
        del places, options
        names, settings, folders = zip(*map(_name, files), strict=True)
        datasets = [_benchmark(file) for file in files]
        systems = distinct_names(names, datasets, settings, folders, [file.name for file in files])
        rows, missing = GrowingColumns(), 0
        for file, dataset, system in zip(files, datasets, systems, strict=True):
            tasks = {str(task): _samples(each, f"{file.name}, {task}") for task, each in file.whole["eval"].items()}
            base_only = all(math.isnan(plus) for samples in tasks.values() for _, plus in samples)
            for task, samples in tasks.items():
                base = [one for one, _ in samples]
                # A sample that fails the base tests fails in any case.
                plus = [0.0 if one == 0 else one * other for one, other in samples]
                for metric, values in (("base", base), *(() if base_only else (("plus", plus),))):
                    missing += sum(math.isnan(value) for value in values)
                    rows.add(
                        dataset=dataset,
                        system=system,
                        metric=metric,
                        item=task,
                        score=values,
                        repeat=[str(place) for place in range(1, len(values) + 1)],
                    )
        findings = (kinds.reading.UNSCORED.found(number=missing, why="the sample was not tested"),) if missing else ()
        used = {
            "dataset": "benchmark",
            "system": "file",
            "item": "task_id",
            "metric": "base_status, plus_status",
            "repeat": "sample",
        }
        return ToolEvidence(
            rows.columns(), findings=findings, used=used, ignored=("solution", "base_fail_tests", "plus_fail_tests")
        )

    def example(self, folder: Path) -> Any:
        """Write two models with two samples per task."""
        place = folder / "humaneval"
        place.mkdir(exist_ok=True)
        for model, passed in (("owl", ("pp", "pf")), ("yak", ("pf", "ff"))):
            tasks = {
                f"HumanEval/{number}": [
                    {"task_id": f"HumanEval/{number}", "base_status": status, "plus_status": status}
                    for status in ("pass" if letter == "p" else "fail" for letter in letters)
                ]
                for number, letters in enumerate(passed)
            }
            path = place / f"{model}_openai_temp_0.8.eval_results.json"
            path.write_text(json.dumps({"date": "2026-01-02", "hash": "1", "eval": tasks}))
        return place


def _name(file: PlacedFile) -> tuple[str, str, str]:
    """Return the model, its settings and its folder; old files are called like the folder around them."""
    stem = _ENDING.sub("", file.path.name.partition(".json")[0])
    if not stem:
        return file.folder, "", str(file.path.parent)
    settings = _SETTINGS.search(stem)
    model = stem[: settings.start()] if settings else stem
    return model.replace("--", "/", 1), settings["settings"] if settings else "", file.folder


def _benchmark(file: PlacedFile) -> str:
    """Return the benchmark, which the names of tasks begin with: HumanEval/0."""
    return next(iter(file.record["eval"]), "").partition("/")[0]


def _samples(samples: Any, where: str) -> list[tuple[float, float]]:
    """Return of every sample whether it passes base and plus tests."""
    if isinstance(samples, dict):  # releases before 0.2: lists of [status, details]
        base, plus = ([each[0] for each in samples.get(key) or ()] for key in ("base", "plus"))
        pairs: Sequence[tuple[Any, Any]] = [(one, plus[place] if plus else None) for place, one in enumerate(base)]
    else:
        pairs = [(each.get("base_status"), each.get("plus_status")) for each in _objects(samples, where)]
    return [(_passed(base_status, where), _passed(plus_status, where)) for base_status, plus_status in pairs]


def _objects(samples: Any, where: str) -> Sequence[Mapping[str, Any]]:
    if not isinstance(samples, list) or not all(isinstance(each, dict) for each in samples):
        raise EvidenceError("holds no list of samples", where=where, remedy="Evaluate the samples again.")
    return samples


def _passed(status: Any, where: str) -> float:
    if status is None:
        return math.nan
    if status not in _STATUS:
        raise EvidenceError(f"the status {status!r} is none of EvalPlus's", where=where, allowed=", ".join(_STATUS))
    return _STATUS[status]


FORMAT = EvalPlusFormat()
