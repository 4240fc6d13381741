"""Worths of systems, for every kind of subject."""

from collections.abc import Mapping

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.engine.table import Coded
from betterthan.loglinear.comparisons import Comparisons
from betterthan.loglinear.formulas import Terms
from betterthan.loglinear.result import Worth
from betterthan.loglinear.solve import Solution

#: Kinds of subjects up to which worths are given for each.
_MOST_GROUPS = 50


def worths(
    systems: tuple[str, ...], columns: Mapping[str, Coded | FloatArray], onto: "Onto", solution: Solution
) -> tuple[Worth, ...]:
    """Return the worths of all systems for every kind of subject (`columns`); none where there are too many kinds.

    A kind of subject for which not all systems can be compared has none.
    """
    codes = [column.codes if isinstance(column, Coded) else column for column in columns.values()]
    places = np.unique(np.stack(codes), axis=1, return_index=True)[1] if codes else np.zeros(1, dtype=np.int64)
    if len(places) > _MOST_GROUPS:
        return ()
    result = []
    for kind, place in sorted((_kind(columns, int(place)), int(place)) for place in places):
        matrix = onto.at(place)
        used = slice(0, matrix.shape[1])
        if not _comparable(matrix @ solution.null[used]):
            continue  # some systems never met, not even through others, for this kind of subject
        strength = matrix @ np.nan_to_num(solution.coefficients[used])
        spread = matrix @ np.nan_to_num(solution.covariance[used, used]) @ matrix.T
        result.append(Worth.of(kind, systems, strength, spread))
    return tuple(result)


def _comparable(moved: FloatArray) -> bool:
    """Do directions that the evidence says nothing about leave all differences of strengths where they are?"""
    if not moved.size:
        return True
    return bool(np.all(np.ptp(moved, axis=0) <= 1e-6 * np.maximum(np.abs(moved).max(axis=0), 1.0)))


class Onto:
    """What the first coefficients make of log-strengths, for the subject of a comparison."""

    def __init__(self, systems: int, subject: Terms, basis: FloatArray, of_objects: "OfObjects | None") -> None:
        self.systems, self.subject, self.basis, self.of_objects = systems, subject, basis, of_objects

    def at(self, place: int) -> FloatArray:
        """Return systems × coefficients."""
        own = np.kron(self.subject.matrix[place], np.eye(self.systems)) @ self.basis
        return own if self.of_objects is None else np.concatenate([own, self.of_objects.at(place)], axis=1)


class OfObjects:
    """A formula of what is known about systems and subjects, for all systems and one subject."""

    def __init__(self, terms: Terms, columns: dict[str, Coded | FloatArray], comparisons: Comparisons) -> None:
        self.terms, self.columns, self.comparisons = terms, columns, comparisons

    def at(self, place: int) -> FloatArray:
        """Return systems × terms."""
        size = len(self.comparisons.systems)
        of_subject = {
            name: column.take(np.full(size, place)) if isinstance(column, Coded) else np.full(size, column[place])
            for name, column in self.comparisons.columns.items()
        }
        return self.terms.again({**of_subject, **self.columns}).matrix


def _kind(columns: Mapping[str, Coded | FloatArray], place: int) -> str:
    """Name what is known about a subject."""
    texts = []
    for name, column in columns.items():
        value = column.labels[column.codes[place]] if isinstance(column, Coded) else f"{column[place]:g}"
        texts.append(f"{name}={value}")
    return ", ".join(texts)
