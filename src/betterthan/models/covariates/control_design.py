"""Pairs with covariates, as Newton's method takes them: gaps are differences of strengths plus what covariates add."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import sparse_matrices
from betterthan.models.likelihood.newton import PairDesign, centred, same_component

#: What covariates leave of a column, relative to its size, below which its effect is not identified.
_ALIASED = 1e-9


@dataclass(frozen=True)
class ControlDesign(PairDesign):
    """Judgments inside components with covariates; parameters are strengths, then effects.

    What systems contribute is added up by their codes: millions of judgments need no matrix of them.
    """

    values: FloatArray  # judgments × covariates
    #: The last point that gaps were wanted at: Newton's method asks three times for each.
    last: "dict[str, tuple[FloatArray, FloatArray]]" = field(default_factory=dict, repr=False, compare=False)

    @property
    def systems(self) -> int:
        """Number of systems."""
        return len(self.label)

    @property
    def size(self) -> int:
        """Number of parameters."""
        return len(self.label) + int(self.values.shape[1])

    def gap(self, strength: FloatArray) -> FloatArray:
        """Return every judgment's difference of strengths, with what covariates add."""
        if strength.ndim > 1:
            return self._gap(strength)
        known = self.last.get("gap")
        if known is None or known[0] is not strength:
            known = self.last["gap"] = (strength, self._gap(strength))
        return known[1]

    def _gap(self, strength: FloatArray) -> FloatArray:
        strengths, effects = strength[: self.systems], strength[self.systems :]
        difference: FloatArray = strengths[self.first]
        difference -= strengths[self.second]
        difference += self.values @ effects
        return difference

    def onto(self, by_gap: FloatArray) -> FloatArray:
        """Return the derivatives by the parameters."""
        if by_gap.ndim == 1:
            won, lost = (np.bincount(side, by_gap, self.systems) for side in (self.first, self.second))
            return np.concatenate([won - lost, by_gap @ self.values])
        found: FloatArray = np.concatenate([self._onto_systems @ by_gap, self.values.T @ by_gap])
        return found

    def amounts(self, of_pairs: FloatArray) -> FloatArray:
        """Add up for every system what its judgments have."""
        won, lost = (np.bincount(side, of_pairs, self.systems) for side in (self.first, self.second))
        found: FloatArray = (won + lost).astype(np.float64)
        return found

    def centred(self, strength: FloatArray) -> FloatArray:
        """Subtract the mean strength of every component; effects stay."""
        return np.concatenate([centred(strength[: self.systems], self.label), strength[self.systems :]])

    def information(self, of_gaps: FloatArray) -> FloatArray:
        """Return the dense information about strengths and effects, made definite."""
        systems = self.systems
        matrix = np.empty((self.size, self.size))
        matrix[:systems, :systems] = self._by_pairs(of_gaps)
        for place, column in enumerate(self.values.T, start=systems):
            weighted = of_gaps * column
            matrix[:, place] = matrix[place, :] = self.onto(weighted)
        return matrix

    @property
    def constant(self) -> FloatArray:
        """The projection on equal strengths; effects have none."""
        return np.pad(same_component(self), (0, self.size - self.systems))

    def identified(self, of_gaps: FloatArray) -> list[int]:
        """Return the covariates whose effects can be separated from strengths, and from those before them."""
        systems = self.systems
        matrix = self.information(of_gaps)
        inner = np.linalg.solve(matrix[:systems, :systems], matrix[:systems, systems:])
        rest = matrix[systems:, systems:] - matrix[systems:, :systems] @ inner
        own, kept = np.diag(matrix)[systems:], []
        for place, size in enumerate(own):
            left = rest[place, place]
            if not left > _ALIASED * size:
                continue
            kept.append(place)
            rest = rest - np.outer(rest[:, place], rest[place]) / left
        return kept

    def rows(self, some: IntArray) -> "ControlDesign":
        """Keep some judgments only."""
        return ControlDesign(self.first[some], self.second[some], self.label, None, self.values[some])

    def _by_pairs(self, of_gaps: FloatArray) -> FloatArray:
        pair, firsts, seconds = self._pairs
        total: FloatArray = np.bincount(pair, of_gaps, len(firsts)).astype(np.float64)
        met = PairDesign(firsts, seconds, self.label, None)
        # Newton's scale is that of a judgment; of a pair of equal systems there is nothing to be centred otherwise.
        return met.information(total)

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, IntArray]:
        """The pair of every judgment, and the systems of pairs."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        key = low * self.systems + high
        used = np.bincount(key, minlength=self.systems**2) > 0
        place = np.cumsum(used) - 1
        first, second = np.divmod(np.flatnonzero(used), self.systems)
        return place[key], first, second

    @cached_property
    def _onto_systems(self) -> Any:
        """Systems × judgments: +1 for the first, −1 for the second."""
        rows = np.arange(len(self.first))
        ones = np.ones(len(rows))
        return sparse_matrices.matrix_of(
            np.concatenate([ones, -ones]),
            np.concatenate([self.first, self.second]),
            np.concatenate([rows, rows]),
            (self.systems, len(rows)),
        )
