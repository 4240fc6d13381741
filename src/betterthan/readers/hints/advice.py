"""Advice: refusals of reading get the readings that were tried and work, as complete commands."""

from collections.abc import Sequence
from dataclasses import fields
from itertools import islice

from betterthan.base import BetterthanError, UnclearError, spelling
from betterthan.engine import Table
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns
from betterthan.readers.hints.candidates import Candidate, Situation, candidates
from betterthan.readers.hints.no_evidence import what_is_missing
from betterthan.readers.hints.seen_columns import sample_of, seen_columns
from betterthan.readers.hints.trial import TriedReading, tried

#: How many readings are tried and shown, and how long a command may be that someone pastes.
_TRIALS, _SHOWN, _LONGEST = 12, 2, 4_000


def advise(error: UnclearError, table: Table, names: Sequence[str] | None, options: ReadOptions) -> None:
    """Add to a refusal the readings that work, or what is missing where there is none."""
    if not table.ordered:  # rows on other machines are not collected
        return
    try:
        sample, situation = _seen(table, options)
        if not situation.seen:
            return
        found = _working(sample, situation, [Candidate(*choice) for choice in error.choices])
        missing = None if found or error.choices else what_is_missing(situation)
    except BetterthanError:  # rows that cannot be read are reported by those who read them
        return
    calls = [(each.meaning, call) for each in found if (call := call_of(each, names, options)) is not None]
    if calls and len(calls) == len(found):
        error.calls, error.remedy = tuple(calls), ""
    elif missing is not None:
        error.what, error.remedy = missing


def readings_of(table: Table, options: ReadOptions) -> list[TriedReading]:
    """Return the readings of a table that its columns allow and that work."""
    sample, situation = _seen(table, options)
    return _working(sample, situation, []) if situation.seen else []


def call_of(reading: TriedReading, names: Sequence[str] | None, options: ReadOptions) -> str | None:
    """Return the command or call that reads files so, None where nobody could paste it."""
    given = {each.name: value for each in fields(options) if (value := getattr(options, each.name)) != each.default}
    call = spelling.reading(names, given, reading.changes)
    return call if call.isprintable() and len(call) <= _LONGEST else None


def _seen(table: Table, options: ReadOptions) -> tuple[Table, Situation]:
    sample = sample_of(table)
    return sample, Situation(seen_columns(sample), Columns(table.columns, table.name), options)


def _working(sample: Table, situation: Situation, choices: Sequence[Candidate]) -> list[TriedReading]:
    """Try readings, and return the first that work: those that the refusal names, else those of the columns."""
    for group in [choices] if choices else candidates(situation):
        trials = (
            tried(each, sample, situation.options) for each in group[:_TRIALS] if not _contradicts(each, situation)
        )
        if working := list(islice((each for each in trials if each is not None), _SHOWN)):
            return working
    return []


def _contradicts(candidate: Candidate, situation: Situation) -> bool:
    """Whether a reading changes what the user said about columns that are there."""
    for name, value in candidate.changes.items():
        given = getattr(situation.options, name)
        named = {given} if isinstance(given, str) else {*(given or ())}
        if given is not None and given != value and named <= {*situation.columns.names}:
            return True
    return False
