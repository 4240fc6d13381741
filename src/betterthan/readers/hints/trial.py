"""Trials: a candidate reading is carried out on a sample, and kept only if nothing is dropped and its roles hold."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import BetterthanError
from betterthan.engine import Table, conditions, labels
from betterthan.evidence import Judgments, Scores
from betterthan.options import ReadOptions
from betterthan.readers.format import AnyEvidence
from betterthan.readers.hints.candidates import Candidate
from betterthan.readers.recognition import format_of_table

_NAMED = 5
#: More values than that are no systems that someone would compare.
_MOST_SYSTEMS = 1_000


@dataclass(frozen=True)
class TriedReading:
    """A reading that works: the options it changes, and what they mean for these rows."""

    changes: dict[str, Any]
    meaning: str


def tried(candidate: Candidate, sample: Table, options: ReadOptions) -> TriedReading | None:
    """Carry a reading out on a sample; return it if it gives evidence, None if not."""
    given = {name: value for name, value in candidate.changes.items() if getattr(options, name) != value}
    try:
        changed = replace(options, **given)
        if "where" in given:
            sample = sample.where(conditions.parse_conditions(changed.where))
        evidence = format_of_table(sample, changed).read(sample, changed)
        systems = _systems_of(evidence)
    except BetterthanError:
        return None
    if systems is None or not given:
        return None
    shown = ", ".join(systems[:_NAMED]) + (" …" if len(systems) > _NAMED else "")
    return TriedReading(given, f"{len(systems):,} systems ({shown}): {candidate.meaning}{_direction(evidence)}")


def _direction(evidence: AnyEvidence) -> str:
    """Return what is better: a reading in the wrong direction is upside down."""
    if isinstance(evidence, Judgments):
        return ""
    if not isinstance(evidence, Scores):
        return ", rank 1 is best"
    told = []
    for word, less in (("more", False), ("less", True)):
        tables = [table for table in evidence.tables if table.negated is less]
        names = list(
            dict.fromkeys(repr(table.metric or table.title) for table in tables if table.metric or table.title)
        )
        shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
        told += [f"{word} is better{f' for {shown}' if names else ''}"] if tables else []
    return f"; {', '.join(told)}"


def _systems_of(evidence: AnyEvidence) -> tuple[str, ...] | None:
    """Return the systems of evidence that a ranking can be based on, None where it cannot or rows were dropped."""
    if isinstance(evidence, Judgments):
        tally = evidence.tally()
        systems, account, good = tally.systems, tally.account, tally.number > 1
    else:
        systems, account, good = evidence.systems, evidence.account, True
    if isinstance(evidence, Scores):
        shared = (np.sum(np.sum(~np.isnan(table.values), axis=1) > 1) for table in evidence.tables)
        good = all(number > 1 for number in shared) and any(
            np.nanmax(table.values) > np.nanmin(table.values) for table in evidence.tables
        )
    named = not all(labels.is_numeral(system) for system in systems)
    good = good and named and not account.refused
    return tuple(systems) if good and 1 < len(systems) <= _MOST_SYSTEMS else None
