"""Scores that Appraise exports: CSV without a header, one row per segment, system and user."""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from betterthan.base import EvidenceError
from betterthan.engine import PlacedFile, Places, labels
from betterthan.evidence import Kind
from betterthan.findings import Finding, kinds
from betterthan.options import ReadOptions
from betterthan.readers.tool_parts.growing_columns import GrowingColumns
from betterthan.readers.tool_parts.tool_format import ToolEvidence, ToolFormat

_TYPES = frozenset({"TGT", "REF", "CHK", "BAD"})
#: Rows with that many columns are of segments, of documents without and with error spans.
_SEGMENTS, _DOCUMENTS, _SPANS = 9, 11, 12
#: What marks items that only test the judges.
_CONTROL = re.compile(r"#(bad\d*|dup|incomplete)\b|-tutorial")
_WEIGHTS = {"major": 5.0, "minor": 1.0}


@dataclass(frozen=True)
class _Annotation:
    """One row: who scored which segment of which system."""

    user: str
    system: str
    segment: str
    pair: str
    score: float
    document: str
    spans: str
    end: float
    control: bool
    metric: str = "score"


class AppraiseFormat(ToolFormat):
    """Direct assessments, ESA and MQM campaigns; the number of columns shows which."""

    name: ClassVar[str] = "appraise"
    kind: ClassVar[Kind] = "scores"
    about: ClassVar[str] = (
        "Appraise's exported scores: CSV without a header (user, system, segment, TGT, languages, score …)"
    )

    def claims(self, file: PlacedFile) -> bool:
        """Check the first row: its type, languages and times."""
        first = file.head.split(b"\n", 1)[0]
        if b"\x00" in first or first.count(b",") < _SEGMENTS - 1:
            return False
        return _is_row(file.first_row())

    def load(self, files: Sequence[PlacedFile], places: Places, options: ReadOptions) -> ToolEvidence:
        """Keep the scores of real segments, the last one of every user."""
        del places, options
        rows = [row for file in files for row in _by_spans(list(_rows(file)))]
        real = [row for row in rows if not row.control]
        findings: list[Finding] = []
        if len(rows) > len(real):
            findings.append(kinds.reading.CONTROLS_LEFT_OUT.found(number=len(rows) - len(real)))
        last = {
            (row.user, row.system, row.pair, row.document, row.segment, row.metric): row
            for row in sorted(real, key=lambda row: row.end)
        }
        if len(real) > len(last):
            findings.append(
                kinds.reading.REPLACED_ROWS.found(number=len(real) - len(last), key="user, system and segment")
            )
        kept = list(last.values())
        columns = GrowingColumns()
        columns.add(
            dataset=[row.pair for row in kept],
            metric=[row.metric for row in kept],
            system=_systems(kept),
            item=_items(kept),
            judge=[row.user for row in kept],
            group=[_document(row) or None for row in kept],
            score=[row.score for row in kept],
        )
        used = {
            "dataset": "languages",
            "system": "column 2",
            "item": "document and segment",
            "judge": "column 1",
            "group": "document",
            "score": "column 7, of MQM campaigns minus the weights of error spans",
        }
        return ToolEvidence(columns.columns(), {(row.pair, row.metric): False for row in kept}, tuple(findings), used)

    def example(self, folder: Path) -> Any:
        """Write the scores of two systems on two documents by two users."""
        lines = [
            f"{user},{system},{segment},TGT,eng,deu,{score + segment},{document}#{system},False,[],17000.{segment},1.0"
            for user in ("eng01", "eng02")
            for system, score in (("owl", 80), ("yak", 60))
            for document, segment in (("one", 1), ("one", 2), ("two", 3))
        ]
        control = lines[0].replace("one#owl", "one#bad").replace("TGT", "BAD")
        (folder / "scores.csv").write_text("\n".join([*lines, control]))
        return folder / "scores.csv"


def _is_row(cells: Sequence[str]) -> bool:
    if not _SEGMENTS <= len(cells) <= _SPANS + 2 or cells[3] not in _TYPES:
        return False
    return all(re.fullmatch(r"[a-z]{3}", language) for language in cells[4:6]) and labels.is_numeral(cells[6])


def _rows(file: PlacedFile) -> Iterator[_Annotation]:
    """Yield the rows of segments, without scores of whole documents."""
    with file.plain.open(encoding="utf-8", newline="") as stream:
        for number, cells in enumerate(csv.reader(stream), 1):
            if not cells:
                continue
            if not _is_row(cells):
                raise EvidenceError(
                    "is no row of an Appraise export",
                    where=f"{file.name}, line {number}",
                    allowed="user, system, segment, TGT, two languages, score, …",
                )
            by_document = len(cells) >= _DOCUMENTS
            if by_document and cells[8] not in {"True", "False"}:
                raise EvidenceError(
                    "is a pairwise campaign, whose rows come in pairs",
                    where=f"{file.name}, line {number}",
                    remedy="Export its judgments as left, right and winner.",
                )
            if by_document and cells[8] == "True":
                continue
            document = cells[7] if by_document else ""
            control = cells[3] != "TGT" or _CONTROL.search(document) or _CONTROL.search(cells[1])
            spans = cells[9] if len(cells) >= _SPANS and cells[9].startswith("[") else ""
            times = [float(cell) for cell in cells[-2:] if labels.is_numeral(cell)]
            yield _Annotation(
                cells[0],
                cells[1],
                cells[2],
                f"{cells[4]}-{cells[5]}",
                float(cells[6]),
                document,
                spans,
                max(times, default=0.0),
                bool(control),
            )


def _by_spans(rows: Sequence[_Annotation]) -> list[_Annotation]:
    """Take the scores of an MQM campaign from its error spans: it writes 0 in every row."""
    real = [row for row in rows if not row.control]
    if any(row.score for row in real) or all(row.spans in {"", "[]"} for row in real):
        return list(rows)
    return [replace(row, score=_penalty(row), metric="MQM") for row in rows]


def _document(row: _Annotation) -> str:
    """Return the document without the system that is named behind it."""
    return row.document.split("#", 1)[0]


def _systems(rows: Sequence[_Annotation]) -> list[str]:
    """Return the systems, without a test set that all of them are prefixed with."""
    prefixes = {match[1] if (match := re.match(r"(wmt\d+\.)", row.system)) else "" for row in rows}
    length = len(prefixes.pop()) if len(prefixes) == 1 else 0
    return [row.system[length:] for row in rows]


def _items(rows: Sequence[_Annotation]) -> list[str]:
    """Return the key of a segment in all systems: its number, or its place in the document.

    Some campaigns number segments by batch, so that one segment has another number in every system.
    """
    numbers = defaultdict[tuple[str, str], dict[str, set[str]]](lambda: defaultdict(set))
    for row in rows:
        numbers[row.pair, _document(row)][row.system].add(row.segment)
    alike = all(
        len(set.union(*by_system.values())) <= 1.5 * max(len(each) for each in by_system.values())
        for by_system in numbers.values()
    )
    if alike:
        return [f"{_document(row)}:{row.segment}" for row in rows]
    place = {
        (pair, document, system, segment): number
        for (pair, document), by_system in numbers.items()
        for system, segments in by_system.items()
        for number, segment in enumerate(sorted(segments, key=lambda text: (len(text), text)), 1)
    }
    return [f"{_document(row)}:{place[row.pair, _document(row), row.system, row.segment]}" for row in rows]


def _penalty(row: _Annotation) -> float:
    """Return minus the weights of the errors that were marked."""
    total = 0.0
    for span in json.loads(row.spans or "[]"):
        severity = str(span.get("severity", "")).lower()
        if severity not in _WEIGHTS:
            raise EvidenceError(f"the severity {severity!r} has no weight", allowed=", ".join(_WEIGHTS))
        total += _WEIGHTS[severity]
    return -total


FORMAT = AppraiseFormat()
