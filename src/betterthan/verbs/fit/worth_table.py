"""Worths of systems for every group of judges."""

from collections.abc import Mapping

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.engine import Coded
from betterthan.models import formulas, solver
from betterthan.verbs.fit.design.comparisons import Comparisons
from betterthan.verbs.fit.worth_row import Worth

#: Kinds of subjects up to which worths are given for each.
_MOST_GROUPS = 50


def worths(
    systems: tuple[str, ...],
    columns: Mapping[str, Coded | FloatArray],
    onto: "Onto",
    solution: solver.FitSolution,
    covariance: FloatArray,
) -> tuple[Worth, ...]:
    """Return the worths of systems for every kind of subject (`columns`); none where there are too many kinds.

    A kind of subject has worths of the systems that can be compared for it, if those are more than half of all.
    """
    codes = [column.codes if isinstance(column, Coded) else column for column in columns.values()]
    places = np.unique(np.stack(codes), axis=1, return_index=True)[1] if codes else np.zeros(1, dtype=np.int64)
    if len(places) > _MOST_GROUPS:
        return ()
    result = []
    for kind, place in sorted((_kind(columns, int(place)), int(place)) for place in places):
        matrix = onto.at(place)
        used = slice(0, matrix.shape[1])
        kept = _comparable(matrix @ solution.null[used])
        if 2 * len(kept) <= len(systems):
            continue  # most systems never met, not even through others, for this kind of subject
        strength = matrix[kept] @ np.nan_to_num(solution.coefficients[used])
        spread = matrix[kept] @ np.nan_to_num(covariance[used, used]) @ matrix[kept].T
        result.append(Worth.of(kind, tuple(systems[system] for system in kept), strength, spread))
    return tuple(result)


def _comparable(moved: FloatArray) -> IntArray:
    """Return the most systems whose differences stay where they are in all directions that the evidence leaves open."""
    apart = np.abs(moved[:, None] - moved) <= 1e-6 * np.maximum(np.abs(moved).max(axis=0, initial=0.0), 1.0)
    together = np.all(apart, axis=2)
    return np.flatnonzero(together[np.argmax(together.sum(axis=1))])


class Onto:
    """The map from the first coefficients to log-strengths, for the subject of a comparison."""

    def __init__(
        self, systems: int, subject: formulas.Terms, basis: FloatArray, of_objects: "OfObjects | None"
    ) -> None:
        self.systems, self.subject, self.basis, self.of_objects = systems, subject, basis, of_objects

    def at(self, place: int) -> FloatArray:
        """Return systems × coefficients."""
        own = np.kron(self.subject.matrix[place], np.eye(self.systems)) @ self.basis
        return own if self.of_objects is None else np.concatenate([own, self.of_objects.at(place)], axis=1)


class OfObjects:
    """A formula of covariates of systems and subjects, for all systems and one subject."""

    def __init__(self, terms: formulas.Terms, columns: dict[str, Coded | FloatArray], comparisons: Comparisons) -> None:
        self.terms, self.columns, self.comparisons = terms, columns, comparisons

    def beside(self, systems: IntArray, known: Mapping[str, Coded | FloatArray]) -> FloatArray:
        """Return the terms of one system per row, with what is known about each row."""
        of_systems = {
            name: column.take(systems) if isinstance(column, Coded) else column[systems]
            for name, column in self.columns.items()
        }
        return self.terms.again({**known, **of_systems}, len(systems)).matrix

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
