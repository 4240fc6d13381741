"""Results of OpenCompass: details of every answer, or the summary table of tasks and models."""

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind
from betterthan.findings import kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.direction import less_is_better
from betterthan.readers.tool_parts.cell_values import number
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.repeated_runs import last_runs
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_HEADER = ["dataset", "version", "metric", "mode"]
_NONE = "-"
_TYPES = frozenset({"GEN", "PPL", "LL"})
_DATE = re.compile(r"\d{8}_\d{6}")
#: Rows of a summary that average over other rows.
_GROUPS = frozenset({"naive_average", "weighted_average", "standard_deviation", "sum", "harris_mean"})


class OpenCompassFormat(ToolFormat):
    """`results/MODEL/DATASET.json` with details; without any, `summary_DATE.csv`, in which the task is the item."""

    name: ClassVar[str] = "open-compass"
    kind: ClassVar[Kind] = "scores"
    # words: a path as OpenCompass writes it
    about: ClassVar[str] = "OpenCompass's results/MODEL/DATASET.json with details, or its summary_DATE.csv"

    def claims(self, file: PlacedFile) -> bool:
        """Look for details that say whether answers are correct, or for the header of a summary."""
        details = file.record.get("details") if "details" in file.keys else None
        return (isinstance(details, dict) and details.get("type") in _TYPES) or _is_summary(file)

    def belongs(self, file: PlacedFile) -> bool:
        """Take predictions, results without details and other summaries for its own."""
        folders = file.path.parts[:-1]
        first = next(iter(file.record.values()), None) if file.keys else None
        predicted = isinstance(first, dict) and "origin_prompt" in first and "prediction" in first
        return predicted or (bool(_date(file)) and bool({*folders} & {"results", "summary", "configs", "logs"}))

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read details where there are any, which hold more than a summary does."""
        del places, options
        details = [file for file in files if not _is_summary(file)]
        return _details(details) if details else _summaries(files)

    def example(self, folder: Path) -> Any:
        """Write the details of two models on one data set."""
        place = folder / "outputs" / "20260102_030405" / "results"
        for model, right in (("owl", (True, True)), ("yak", (True, False))):
            (place / model).mkdir(parents=True, exist_ok=True)
            answers = {str(key): {"predictions": "1", "references": "1", "correct": ok} for key, ok in enumerate(right)}
            document = {"accuracy": 50.0 * sum(right), "details": {"type": "GEN", **answers}}
            (place / model / "sums.json").write_text(json.dumps(document))
        return folder / "outputs"


def _is_summary(file: PlacedFile) -> bool:
    if file.path.suffix.lower() != ".csv":
        return False
    header = file.first_row()
    return header[: len(_HEADER)] == _HEADER and len(header) > len(_HEADER)


def _date(file: PlacedFile) -> str:
    """Return the folder of a run, which is called like the time at which it began."""
    return next((part for part in reversed(file.path.resolve().parts) if _DATE.fullmatch(part)), "")


def _details(files: Sequence[PlacedFile]) -> ToolEvidence:
    systems, datasets = [file.folder for file in files], [file.path.stem for file in files]
    kept, findings = last_runs(systems, datasets, [_date(file) for file in files])
    rows, missing = GrowingColumns(), 0
    for place in kept:
        file = files[place]
        answers = {key: each for key, each in file.whole["details"].items() if key.isdigit()}
        if lost := next((key for key, each in answers.items() if "correct" not in each), None):
            raise EvidenceError(
                f"answer {lost} of the details does not say whether it is correct",
                where=file.name,
                remedy="Evaluate with an evaluator that does, or give summary_DATE.csv alone.",
            )
        scores = [number(_single(each["correct"]), "correct", file.name) for each in answers.values()]
        missing += sum(math.isnan(score) for score in scores)
        rows.add(dataset=datasets[place], system=systems[place], item=list(answers), score=scores)
    if missing:
        findings.append(kinds.reading.UNSCORED.found(number=missing, why="nobody says whether the answer is correct"))
    used = {"dataset": "file", "system": "folder", "item": "key of details", "score": "correct"}
    ignored = ("prompt", "origin_prediction", "predictions", "references")
    return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=ignored)


def _single(value: Any) -> Any:
    """Return the only entry of a list: some evaluators write one per attempt."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _summaries(files: Sequence[PlacedFile]) -> ToolEvidence:
    """Read tasks by models; of several summaries, the last one of every model and task."""
    cells = [cell for file in files for cell in _cells(file)]
    kept, findings = last_runs(
        [system for _, system, _, _ in cells], [item for item, _, _, _ in cells], [date for _, _, _, date in cells]
    )
    rows = GrowingColumns()
    chosen = [cells[place] for place in kept]
    rows.add(
        item=[item for item, _, _, _ in chosen],
        system=[system for _, system, _, _ in chosen],
        score=[score for _, _, score, _ in chosen],
    )
    if missing := sum(math.isnan(score) for _, _, score, _ in chosen):
        findings.append(kinds.reading.UNSCORED.found(number=missing, why="the summary holds no score"))
    used = {"item": "data set and metric", "system": "columns of models", "score": "cells"}
    ignored = ("version", "mode", "averages of groups")
    return ToolEvidence(rows.columns(), findings=tuple(findings), used=used, ignored=ignored)


def _cells(file: PlacedFile) -> list[tuple[str, str, float, str]]:
    """Return item, system, score and date of every cell; averages of groups repeat their members."""
    with file.plain.open(encoding="utf-8-sig", newline="") as stream:
        header, *lines = [line for line in csv.reader(stream) if line]
    if odd := next((place for place, line in enumerate(lines, 2) if len(line) != len(header)), None):
        raise EvidenceError(f"has not {len(header)} cells", where=f"{file.name}, line {odd}")
    scored = [line for line in lines if line[2] != _NONE]
    tasks = [line for line in scored if line[2] not in _GROUPS and line[1] != _NONE] or scored
    if lower := sorted({line[2] for line in tasks if less_is_better(line[2])}):
        raise EvidenceError(
            f"less is better for {', '.join(lower)}, and more for other tasks",
            where=file.name,
            remedy="Remove these rows: tasks of one board need one direction.",
        )
    named = [f"{dataset} {metric}" for dataset, _, metric, *_ in tasks]
    again = Counter(named)
    found = []
    for name, line in zip(named, tasks, strict=True):
        item = f"{name} {line[3]}" if again[name] > 1 else name
        found += [
            (item, system, _score(value, file.name), _date(file) or file.path.stem)
            for system, value in zip(header[4:], line[4:], strict=True)
        ]
    return found


def _score(text: str, where: str) -> float:
    if text.strip() in {_NONE, ""}:
        return math.nan
    try:
        return float(text)
    except ValueError:
        raise EvidenceError(
            f"the score {text!r} is no number", where=where, allowed="numbers, and - for none"
        ) from None


FORMAT = OpenCompassFormat()
