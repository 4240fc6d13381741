"""Pairwise comparisons annotated in Label Studio: its JSON export, JSON_MIN and CSV; and results of other controls."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places
from betterthan.evidence import Kind, outcomes
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.columns.joined_columns import Joining
from betterthan.readers.tool_parts.compared_systems import Sides, item_of
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_TASK = frozenset({"id", "data", "annotations"})
#: What the small exports add to a task's own data.
_ADDED = frozenset({"annotator", "annotation_id", "created_at", "updated_at", "lead_time"})
_ABOUT = _ADDED | {"id"}
_SIDES = ("left", "right")
#: Cells of a table can be as long as a whole answer.
_LONGEST_CELL = 1 << 28


@dataclass(frozen=True)
class _Annotation:
    """One submission: the compared outputs, the selected side, and the choices next to it."""

    data: Mapping[str, Any]
    id: str
    task: str
    judge: str | None
    time: str | None
    selected: str | None
    choices: tuple[str, ...]
    where: str
    left_out: str = ""

    @property
    def key(self) -> tuple[str | None, ...]:
        """The key that identifies it in every export of a project."""
        return self.id, self.task, self.judge, self.time


class LabelStudioFormat(ToolFormat):
    """Tasks with a Pairwise control; a tie is a separate choice. The task's own data name the systems."""

    name: ClassVar[str] = "label-studio"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = "Label Studio's pairwise comparisons: JSON, JSON_MIN or CSV; task data name the systems"

    @property
    def uses(self) -> frozenset[str]:
        """The keys of both systems and of the item can be named."""
        return super().uses | {"left", "right", "item", "join", "on"}

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys of the first task, or the header, for a comparison."""
        if file.keys >= _TASK:
            return _is_export(file) and _main_result(file) == "pairwise"
        if file.keys >= _ADDED:
            return isinstance(file.document, list) and any(_selected(row) for row in file.document)
        if file.record is not None or b"selected" not in file.head:
            return False
        return any({*file.first_row(sign)} >= _ADDED for sign in ",\t")

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Read every annotation that was submitted as a judgment."""
        del places
        every = [annotation for file in files for annotation in _annotations(file)]
        once = list({each.key: each for each in every}.values())
        kept = [each for each in once if not each.left_out]
        where = files[0].name
        if not any(each.selected or each.choices for each in kept):
            raise EvidenceError(
                f"holds no pairwise comparison that was submitted; its results are {_types(files)}",
                where=where,
                remedy="Export a project with a Pairwise or Choices control.",
            )
        unmatched: list[Finding] = []
        if (joining := Joining.of(options)) is not None:
            joined, unmatched = joining.tasks(
                [{"id": each.task, **each.data} for each in kept], [each.where for each in kept], options
            )
            kept = [replace(each, data=more) for each, more in zip(kept, joined, strict=True) if more]
        sides = Sides.of((each.data for each in kept), where, options)
        item = item_of((each.data for each in kept), options.item, where)
        rows, empty = GrowingColumns(), 0
        for each in kept:
            outcome = _outcome(each)
            if outcome is None:
                empty += 1
                continue
            left, right = sides(each.data, each.where)
            rows.add(
                left=left,
                right=right,
                outcome=outcome,
                judge=each.judge,
                time=each.time,
                item=each.task if item is None else _text(each.data.get(item)),
            )
        findings = [
            kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=number, why=why)
            for why, number in Counter(each.left_out for each in once if each.left_out).items()
        ]
        if len(every) > len(once):
            findings.append(kinds.reading.REPLACED_ROWS.found(number=len(every) - len(once), key="annotation"))
        if empty:
            findings.append(kinds.reading.UNSCORED.found(number=empty, why="the judge submitted no choice"))
        used = {
            **sides.used,
            "outcome": "selected, or the choice",
            "item": item or "id",
            "judge": "annotator",
            "time": "created_at",
        }
        data = dict.fromkeys(key for each in kept for key in each.data)
        ignored = tuple(key for key in data if key not in {*sides.keys, item})
        return ToolEvidence(rows.columns(), findings=(*findings, *unmatched), used=used, ignored=ignored)

    def example(self, folder: Path) -> Any:
        """Write the comparisons of three systems by two judges, one of them a tie."""
        pairs = list(pairwise(["owl", "yak", "elk", "owl"]))
        results = [[_picked("left")], [_picked("right")], [{"type": "choices", "value": {"choices": ["Tie"]}}]]
        tasks = [
            {
                "id": number,
                "data": {"prompt": f"question {number}", "model_a": left, "model_b": right},
                "annotations": [
                    {
                        "id": 10 * number + judge,
                        "completed_by": judge,
                        "was_cancelled": False,
                        "ground_truth": False,
                        "result": results[(number + judge) % 3],
                        "created_at": f"2026-05-0{number + 1}T12:00:00Z",
                    }
                    for judge in (1, 2)
                ],
            }
            for number, (left, right) in enumerate(pairs)
        ]
        (folder / "export.json").write_text(json.dumps(tasks))
        return folder / "export.json"


@dataclass(frozen=True)
class AnnotationResult:
    """The value of one control of one submission."""

    data: Mapping[str, Any]
    task: str
    judge: str | None
    control: str
    value: Mapping[str, Any]
    where: str


class LabelStudioResults(ToolFormat):
    """The JSON export of a project whose main control is not a comparison."""

    result: ClassVar[str]

    def claims(self, file: PlacedFile) -> bool:
        """Check the keys and the results of the first task."""
        return file.keys >= _TASK and _is_export(file) and _main_result(file) == self.result

    def results(self, files: Sequence[PlacedFile]) -> tuple[list[AnnotationResult], list[Finding]]:
        """Return the results of every annotation that was submitted, and what was left out."""
        every = {
            annotation.key: (annotation, given)
            for file in files
            for number, task in enumerate(_tasks(file), 1)
            for given in task["annotations"]
            for annotation in [_whole(task, given, f"{file.name}, task {number}")]
        }
        kept = [(each, given) for each, given in every.values() if not each.left_out]
        found = [
            AnnotationResult(
                each.data, each.task, each.judge, str(result.get("from_name")), result["value"], each.where
            )
            for each, given in kept
            for result in given.get("result") or []
            if result.get("type") == self.result
        ]
        if not found:
            raise EvidenceError(
                f"holds no {self.result} that was submitted",
                where=files[0].name,
                remedy="Export a project with submitted annotations.",
            )
        findings = [
            kinds.reading.ANNOTATIONS_LEFT_OUT.found(number=number, why=why)
            for why, number in Counter(each.left_out for each, _ in every.values() if each.left_out).items()
        ]
        empty = sum(all(result.get("type") != self.result for result in given.get("result") or []) for _, given in kept)
        if empty:
            findings.append(kinds.reading.UNSCORED.found(number=empty, why=f"the judge submitted no {self.result}"))
        return found, findings

    def others(self, files: Sequence[PlacedFile]) -> tuple[str, ...]:
        """Return the types of results that are not read."""
        return tuple(f"{kind} results" for kind in _count_types(files) if kind != self.result)


def _is_export(file: PlacedFile) -> bool:
    return isinstance(file.record["annotations"], list) and isinstance(file.record["data"], dict)


def _main_result(file: PlacedFile) -> str:
    """Return the type of results that a whole export is about: a comparison, unless it has none of them."""
    try:
        found = _count_types([file]) if file.document is not None else Counter[str]()
    except (AttributeError, TypeError):  # damaged: reading it says where
        return "pairwise"
    return next((kind for kind in ("pairwise", "ranker", "rating") if kind in found), "pairwise")


def _picked(side: str) -> dict[str, Any]:
    return {"type": "pairwise", "from_name": "pw", "to_name": "a,b", "value": {"selected": side}}


def _annotations(file: PlacedFile) -> Iterator[_Annotation]:
    """Yield the annotations of a file in any of the three layouts."""
    if file.keys >= _TASK:
        for number, task in enumerate(_tasks(file), 1):
            where = f"{file.name}, task {number}"
            if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
                raise EvidenceError(
                    "is no task of Label Studio", where=where, allowed="objects with id, data, annotations"
                )
            for annotation in task.get("annotations") or []:
                yield _whole(task, annotation, where)
        return
    rows = list(file.whole if file.keys else _cells(file))
    # Choices next to a comparison: columns that are filled only where no side is selected.
    beside = {key for row in rows if not _selected(row) for key, value in row.items() if value not in (None, "")}
    beside -= {key for row in rows if _selected(row) for key, value in row.items() if value not in (None, "")}
    results = beside | {key for row in rows for key, value in row.items() if _side(value)}
    for number, row in enumerate(rows, 1):
        selected = _selected(row)
        yield _Annotation(
            {key: value for key, value in row.items() if key not in _ABOUT and key not in results},
            str(row.get("annotation_id")),
            str(row.get("id")),
            _who(row.get("annotator")),
            row.get("created_at"),
            selected,
            tuple(word for key in row if key in beside for word in _words(row[key])),
            f"{file.name}, row {number}",
        )


def _tasks(file: PlacedFile) -> list[Any]:
    return file.whole if isinstance(file.whole, list) else [file.whole]


def _cells(file: PlacedFile) -> Iterator[dict[str, Any]]:
    """Yield the rows of a CSV or TSV export."""
    csv.field_size_limit(_LONGEST_CELL)
    with file.plain.open(encoding="utf-8-sig", newline="") as stream:
        header = stream.readline()
        stream.seek(0)
        delimiter = "\t" if header.count("\t") > header.count(",") else ","
        for number, row in enumerate(csv.DictReader(stream, delimiter=delimiter, strict=True), 2):
            if None in row or None in row.values():
                raise EvidenceError(
                    "the row has another number of columns than the header",
                    where=f"{file.name}, record {number}",
                    remedy="Check whether the file is whole, or export it again.",
                )
            yield row


def _whole(task: Mapping[str, Any], annotation: Mapping[str, Any], where: str) -> _Annotation:
    """Return an annotation of the full export."""
    results = [each for each in annotation.get("result") or [] if isinstance(each, dict)]
    values = [each.get("value") or {} for each in results]
    selected = [str(value["selected"]) for value in values if "selected" in value]
    if len(set(selected)) > 1:
        raise EvidenceError(
            "an annotation has several pairwise comparisons",
            where=where,
            remedy="Export one comparison per task.",
        )
    left_out = "the judge skipped the task" if annotation.get("was_cancelled") else ""
    if annotation.get("ground_truth"):
        left_out = "they are marked as ground truth"
    return _Annotation(
        task["data"],
        str(annotation.get("id")),
        str(task.get("id")),
        _who(annotation.get("completed_by")),
        annotation.get("created_at"),
        next(iter(selected), None),
        tuple(word for value in values for word in _words(value)),
        where,
        left_out,
    )


def _side(value: Any) -> str | None:
    """Return the side that a cell of the small exports selects, None where it is something else."""
    if isinstance(value, str) and "selected" in value:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    found = value.get("selected") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def _selected(row: Any) -> str | None:
    sides = [side for value in row.values() if (side := _side(value))] if isinstance(row, dict) else []
    return sides[0] if sides else None


def _words(value: Any) -> list[str]:
    """Return the choices in a value: a word, a list, or a mapping with choices."""
    if isinstance(value, str) and value.startswith(("{", "[")):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return [value]
    if isinstance(value, dict):
        value = value.get("choices", [])
    found = value if isinstance(value, list) else [value]
    return [str(word) for word in found if isinstance(word, str) and word]


def _outcome(annotation: _Annotation) -> str | None:
    """Return the winner: the selected side, or else the choice; None without either."""
    ties = [word for word in annotation.choices if outcomes.is_tie(word)]
    if annotation.selected is not None:
        if annotation.selected not in _SIDES:
            raise EvidenceError(
                f"the selected side is {annotation.selected!r}", where=annotation.where, allowed=", ".join(_SIDES)
            )
        if ties:
            raise EvidenceError(
                f"selects {annotation.selected} and chooses {ties[0]!r}",
                where=annotation.where,
                remedy="Correct the annotation: it is either a tie or a win.",
            )
        return annotation.selected
    if ties:
        return "tie"
    return " / ".join(annotation.choices) or None


def _who(value: Any) -> str | None:
    """Return the judge, whom some exports describe."""
    if isinstance(value, dict):
        value = value.get("email") or value.get("id")
    return None if value is None else str(value)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _types(files: Sequence[PlacedFile]) -> str:
    """Return the types of the results."""
    found = _count_types(files).most_common(5)
    return ", ".join(f"{kind} ({number})" for kind, number in found) or "empty"


def _count_types(files: Sequence[PlacedFile]) -> Counter[str]:
    found = Counter[str]()
    for file in files:
        for task in _tasks(file) if file.keys >= _TASK else ():
            for annotation in task.get("annotations") or []:
                found.update(str(each.get("type")) for each in annotation.get("result") or [])
    return found


FORMAT = LabelStudioFormat()
