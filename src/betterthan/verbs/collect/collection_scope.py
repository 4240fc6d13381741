"""The scope of a collection: its systems, and how many more judgments every pair may get."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, nearest, quoted_value, spelling
from betterthan.datasets import DataSet, PairCounts, RowUnits
from betterthan.verbs.collect.collection_state import place_of
from betterthan.verbs.collect.pair_choice import pairs_of
from betterthan.verbs.collect.pending_comparisons import PendingComparison


def with_systems(counts: PairCounts | None, new: Sequence[str], asked: Sequence[PendingComparison]) -> PairCounts:
    """Add systems that have no judgments yet."""
    old = () if counts is None else counts.systems
    named = [*new, *(name for each in asked for name in each.systems)]
    names = (*old, *(name for name in dict.fromkeys(named) if name not in set(old)))
    if len(names) < 2:
        raise EvidenceError(
            "there must be at least two systems",
            remedy=f"Give evidence, or name new systems: {spelling.option('add')}.",
        )
    if counts is None:
        nothing = np.empty(0, dtype=np.int64)
        units = RowUnits(nothing, np.empty(0), np.empty(0), (3, 0))
        return PairCounts(names, nothing, nothing, np.empty((3, 0)), units)
    return replace(counts, systems=names)


def names_of(given: Any, what: str) -> tuple[str, ...]:
    """Take names from a list, or from a text with commas, each once."""
    if isinstance(given, str):
        given = [part.strip() for part in given.split(",")]
    if given is not None and (not isinstance(given, Iterable) or not all(isinstance(name, str) for name in given)):
        raise PlanError(
            f"{what} must be a list of names, or a text with commas between them, got {quoted_value(given)}."
        )
    return tuple(dict.fromkeys(name for name in given or () if name))


def judgments_of(data: DataSet | None, size: int) -> FloatArray:
    """Count the judgments of every pair so far, whatever they weigh."""
    number = np.zeros(size * (size - 1) // 2)
    if data is not None:
        tally = data.tally()
        number += np.bincount(place_of(size)[tally.left, tally.right], tally.times, len(number))
    return number


def outstanding_of(asked: Sequence[PendingComparison], counts: PairCounts) -> FloatArray:
    """Count what is outstanding, pair by pair."""
    code = {name: number for number, name in enumerate(counts.systems)}
    number = np.zeros(counts.size * (counts.size - 1) // 2)
    for each in asked:
        number[pairs_of(tuple(code[name] for name in each.systems), counts.size)] += 1
    return number


def excluded(exclude: Iterable[str | Sequence[str]], counts: PairCounts) -> IntArray:
    """Return the pairs that are excluded, by both names or by one of their systems."""
    place, found = place_of(counts.size), []
    entries = [exclude] if isinstance(exclude, str) else exclude
    if not isinstance(entries, (list, tuple, set, frozenset)) or not all(map(_names, entries)):
        raise PlanError(
            f"{spelling.option('exclude')} must be a list of systems, or of pairs of systems, got "
            f"{quoted_value(exclude)}."
        )
    for entry in entries:
        if isinstance(entry, str):  # a name may have a comma in it
            names = [entry] if entry in counts.systems else [part.strip() for part in entry.split(",")]
        else:
            names = list(entry)
        for name in names:
            if name not in counts.systems:
                raise PlanError(f"the excluded system {name!r} does not exist", remedy=nearest(name, counts.systems))
        codes = [counts.systems.index(name) for name in names]
        if len(names) == 1:
            found += [int(pair) for pair in place[codes[0]] if pair >= 0]
        elif len(names) == 2 and names[0] != names[1]:
            found.append(int(place[codes[0], codes[1]]))
        else:
            raise PlanError(f"exclude a system by its name or a pair by two names, got {names}.")
    return np.array(found, dtype=np.int64)


def _names(entry: object) -> bool:
    return isinstance(entry, str) or (isinstance(entry, (list, tuple)) and all(isinstance(name, str) for name in entry))


def room_for(counts: PairCounts, closed: IntArray, asked: FloatArray, limit: int | None) -> FloatArray:
    """Return how many more judgments every pair may get: infinity without a limit, none for closed pairs."""
    room = np.full(counts.size * (counts.size - 1) // 2, np.inf) if limit is None else np.maximum(limit - asked, 0.0)
    room[closed] = 0.0
    return room
