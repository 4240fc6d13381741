"""Explanations of files: their columns, the formats that they may have, how they are read, and how they could be."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar

from betterthan.base import EvidenceError
from betterthan.engine import Table
from betterthan.options import ReadOptions
from betterthan.readers.format import AnyEvidence
from betterthan.readers.hints.advice import call_of, readings_of
from betterthan.readers.hints.seen_columns import SeenColumn, sample_of, seen_columns
from betterthan.readers.hints.trial import TriedReading
from betterthan.readers.open_tables import opened, places_of
from betterthan.readers.read_evidence import read_as
from betterthan.readers.recognition import RecognisedFormat, explain_recognition

_T = TypeVar("_T")
#: Options that say how a table is opened, which has no effect on one that is open.
_OPENED = ("where", "delimiter", "decimal", "sheet", "table", "join", "on")


@dataclass(frozen=True)
class Explanation:
    """What files hold: columns of a table, formats that take them for theirs, and the evidence or why there is none."""

    columns: tuple[SeenColumn, ...]
    formats: tuple[RecognisedFormat, ...]
    evidence: AnyEvidence | None
    refusal: EvidenceError | None
    calls: tuple[tuple[str, str], ...]  # other readings that work: what they mean, and how to ask for them


def explain_reading(source: Any, options: ReadOptions) -> Explanation:
    """Explain how something is read, or why it cannot be and how it could."""
    names = places_of(source)
    if names is None or "-" not in names:
        return _explained(source, names, options)
    with opened(source, options) as table:  # standard input can be read once
        return _explained(table, names, options.changed(**dict.fromkeys(_OPENED), encoding="utf-8"))


def _explained(source: Any, names: Sequence[str] | None, options: ReadOptions) -> Explanation:
    formats, refusal = _tried(lambda: tuple(explain_recognition(source, options)))
    evidence = None
    if refusal is None:
        evidence, refusal = _tried(lambda: _read(source, options))
    seen, _ = _tried(lambda: _seen(source, options))
    columns, others = seen or ((), [])
    if evidence is not None and evidence.reading is not None:
        used = evidence.reading.used
        others = [each for each in others if not _is_used(each, used)]
    calls = tuple((each.meaning, call) for each in others if (call := call_of(each, names, options)) is not None)
    if refusal is not None:  # it shows them
        if isinstance(source, Table) and refusal.calls:  # of standard input, whose name it could not know
            refusal.calls = calls
        calls = ()
    return Explanation(columns, formats or (), evidence, refusal, calls)


def _read(source: Any, options: ReadOptions) -> AnyEvidence:
    """Read, and go over the rows, so that what they lack is known."""
    evidence = read_as(source, options)
    str(evidence)
    return evidence


def _seen(source: Any, options: ReadOptions) -> tuple[tuple[SeenColumn, ...], list[TriedReading]]:
    with nullcontext(source) if isinstance(source, Table) else opened(source, options) as table:
        return seen_columns(sample_of(table)), readings_of(table, options)


def _is_used(reading: TriedReading, used: Mapping[str, str]) -> bool:
    """Whether this is how evidence is read already."""
    columns = {role: value if isinstance(value, str) else ", ".join(value) for role, value in reading.changes.items()}
    return columns.items() <= used.items()


def _tried(work: Callable[[], _T]) -> tuple[_T | None, EvidenceError | None]:
    try:
        return work(), None
    except EvidenceError as error:
        return None, error
