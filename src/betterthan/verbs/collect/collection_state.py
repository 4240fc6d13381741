"""The knowledge that policies use to choose pairs; each part is computed on demand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.datasets import GroupedUnits, PairCounts, RowUnits, one_by_one, sparse_matrices
from betterthan.inference import sequential
from betterthan.models import BradleyTerry, Fit, draw_normal
from betterthan.uncertainty import Draws, resampling
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

#: Draws of strengths: enough for shares of a hundredth.
_DRAWS = 500
#: Precision of a vague prior on every log-strength, so that systems never judged have a finite variance.
_VAGUE = 0.1
#: A pair's own judgments weigh as much as this many that Bradley–Terry expects.
_EXPECTED = 10.0


@dataclass(frozen=True)
class CollectionState:
    """Outcomes of all pairs so far, and the estimates computed from them.

    `counts` has every pair of systems, met or not. `rate` gives TrueSkill's beliefs with a preset. Draws are normal, by
    the sandwich over the units of the counts where these are `clustered`. `estimate` fits Bradley–Terry, perhaps from
    where the strengths were before.
    """

    counts: PairCounts
    rate: Callable[[str], Beliefs]
    level: float = 0.95
    margin: float | None = None
    clustered: bool = False
    seed: int = 0
    estimate: Callable[[PairCounts], Fit] = BradleyTerry().fit

    @cached_property
    def decisions(self) -> sequential.Decisions:
        """Which pairs are settled."""
        return sequential.decide_all(self.counts, self.level, self.margin)

    @cached_property
    def fit(self) -> Fit:
        """Bradley–Terry strengths, ties half."""
        return self.estimate(self.counts)

    @cached_property
    def beats(self) -> FloatArray:
        """The chance, by Bradley–Terry, that the first system of each pair beats the second."""
        gap = self.fit.strength[self.counts.first] - self.fit.strength[self.counts.second]
        chances: FloatArray = scipy.special.expit(gap)
        return chances

    def covariance(self, pending: FloatArray | None = None) -> FloatArray:
        """Return the covariance of the strengths, once the pending judgments have come too."""
        met = self.counts.outcomes.sum(axis=0)
        information = (met if pending is None else met + pending) * self.beats * (1 - self.beats)
        return np.asarray(
            np.linalg.inv(laplacian(self.counts, information) + _VAGUE * np.eye(self.counts.size)), dtype=float
        )

    @cached_property
    def draws(self) -> Draws:
        """Strengths as they might be."""
        if self.clustered and self.counts.units.size > 1:
            return resampling.analytic(
                BradleyTerry(), self.fit, self.counts, clustered=True, draws=_DRAWS, seed=self.seed
            )
        drawn = self.fit.strength[:, None] + draw_normal(self.covariance(), _DRAWS, np.random.default_rng(self.seed))
        units = self.counts.units
        return Draws.plain(drawn.T, self.fit.strength, method="normal", unit=units.name, units=units.size)

    @cached_property
    def better(self) -> FloatArray:
        """The share of draws in which the first system of each pair is the stronger one."""
        size = self.counts.size
        return np.concatenate([self.draws.better_than(one, range(one + 1, size)) for one in range(size - 1)])

    @cached_property
    def needed(self) -> FloatArray:
        """How many more judgments each pair needs in expectation; 0 for decided pairs."""
        return self.decisions.needed(self._expected())

    def _expected(self) -> FloatArray:
        """Return the chances of the next judgment of each pair (3 × pairs): its own so far, and Bradley–Terry's."""
        outcomes = self.counts.outcomes
        total = outcomes.sum()
        tied = outcomes[1].sum() / total if total else 0.0
        model = np.stack([self.beats * (1 - tied), np.full_like(self.beats, tied), (1 - self.beats) * (1 - tied)])
        chances: FloatArray = (outcomes + _EXPECTED * model) / (outcomes.sum(axis=0) + _EXPECTED)
        return chances


def on_all_pairs(counts: PairCounts) -> PairCounts:
    """Give counts of the pairs that met a place for every pair."""
    first, second = np.triu_indices(counts.size, 1)
    if len(first) == len(counts.first):
        return counts
    place = place_of(counts.size)[counts.first, counts.second]
    outcomes = np.zeros((3, len(first)))
    outcomes[:, place] = counts.outcomes
    units = _moved(one_by_one(counts.units), place, len(counts.first), len(first))
    return replace(counts, first=first, second=second, outcomes=outcomes, units=units)


def _moved(units: Any, place: IntArray, old: int, new: int) -> Any:
    """Give the units' cells (outcome × pair) their places among all pairs."""
    where = (place + new * np.arange(3)[:, None]).ravel()
    if isinstance(units, RowUnits):
        return replace(units, cell=where[units.cell], shape=(3, new))
    grouped: GroupedUnits = units
    at = sparse_matrices.matrix_of(np.ones(3 * old), np.arange(3 * old), where, (3 * old, 3 * new))
    return replace(grouped, counts=grouped.counts @ at, shape=(3, new))


@lru_cache(maxsize=4)
def place_of(size: int) -> IntArray:
    """Return the number of every pair among all pairs (systems × systems)."""
    place = np.full((size, size), -1, dtype=np.int64)
    first, second = np.triu_indices(size, 1)
    place[first, second] = place[second, first] = np.arange(len(first))
    place.flags.writeable = False  # shared by all who ask
    return place


@lru_cache(maxsize=4)
def pair_at(size: int) -> tuple[IntArray, IntArray]:
    """Return the first and the second system of every pair, in the order of all pairs."""
    first, second = np.triu_indices(size, 1)
    first.flags.writeable = second.flags.writeable = False
    return first, second


def laplacian(counts: PairCounts, weight: FloatArray) -> FloatArray:
    """Return the sum over pairs of a weight times their squared contrast (systems × systems)."""
    matrix = np.zeros((counts.size, counts.size))
    matrix[counts.first, counts.second] = matrix[counts.second, counts.first] = -weight
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix


def contrasts(counts: PairCounts, matrix: FloatArray) -> FloatArray:
    """Return the quadratic form of a symmetric matrix for the difference of each pair."""
    diagonal = np.diag(matrix)
    values: FloatArray = diagonal[counts.first] + diagonal[counts.second] - 2 * matrix[counts.first, counts.second]
    return values
