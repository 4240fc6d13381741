"""Items and judges, or runs, as units, where the mean rating decides who wins an item.

Judges have no outcomes of their own then. The jackknife measures a judge's contribution: the change in outcomes without
that judge's ratings (Efron 1982). Ratings of one judge are of different items, so contributions add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.statistics.score_matrix import RatingMatrix, means
from betterthan.datasets.statistics.sparse_matrices import dense, matrix_of
from betterthan.datasets.units.crossed_variance import nested_squares
from betterthan.datasets.units.units import CellUnits, GroupedUnits, ScoredUnits, Term


@dataclass(frozen=True, kw_only=True)
class JackknifedUnits(GroupedUnits):
    """Units with jackknife deviations, which replace outcomes per unit."""

    outcomes: FloatArray  # all of them (3 × pairs)

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw units with replacement, around the outcomes there are."""
        drawn = super().resample(rng, resamples) + self._rest[:, :, None]
        return np.maximum(drawn, 0.0)

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients of units, about their mean."""
        if self.nested is not None:
            return nested_squares(self.gradients(terms), self.nested)
        units = self.levels[0]
        centred = dense(self.counts) + self._rest.ravel() / units
        return GroupedUnits(self.name, self.factors, self.levels, centred, self.shape).meat(terms)

    @cached_property
    def _rest(self) -> FloatArray:
        """By how much the units' parts miss the outcomes: the jackknife's bias."""
        parts: FloatArray = np.asarray(self.counts.sum(axis=0), dtype=np.float64)
        return self.outcomes - parts.reshape(self.outcomes.shape)


@dataclass(frozen=True)
class RatedUnits:
    """Items crossed with judges, or with runs of systems."""

    name: str
    items: ScoredUnits
    judges: JackknifedUnits
    ratings: JackknifedUnits

    nested = None
    summed_gradients = in_engine = False

    @classmethod
    def of(
        cls, ratings: RatingMatrix, items: ScoredUnits, pair: tuple[IntArray, IntArray], tolerance: float
    ) -> "RatedUnits":
        """Leave out the ratings of every item by every judge in turn."""
        judge, judges = ratings.units.factors[1], ratings.units.levels[1]
        counts = _lacking(ratings, items, pair, tolerance)
        shape = (3, items.signs.shape[1])
        outcomes = np.stack([np.sum(items.signs == sign, axis=0, dtype=np.float64) for sign in (1, 0, -1)])
        rows = np.arange(len(judge))
        by_judge = matrix_of(np.ones(len(judge)), judge, rows, (judges, len(judge))) @ counts
        name, nested = ratings.units.name, ratings.units.nested
        second = name.split("+")[1]
        return cls(
            name,
            items,
            JackknifedUnits(second, (np.arange(judges),), (judges,), by_judge, shape, nested, outcomes=outcomes),
            JackknifedUnits(name, (rows,), (len(judge),), counts, shape, outcomes=outcomes),
        )

    @property
    def size(self) -> int:
        """Number of the scarcer ones."""
        return min(self.items.size, self.judges.size)

    @property
    def effective(self) -> float:
        """Of the scarcer ones."""
        return min(self.items.effective, self.judges.effective)

    def appearances(self, statistic: Any) -> Any:
        """Two are counted one by one (see `crossed`)."""
        raise AssertionError

    @property
    def width(self) -> int:
        """The width of the largest one."""
        return max(self.items.width, self.judges.width, self.ratings.width)

    @property
    def crossed(self) -> tuple[CellUnits, CellUnits, CellUnits]:
        """Items, judges, and ratings of one item by one judge."""
        return self.items, self.judges, self.ratings

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Two are drawn one by one (see `crossed`)."""
        raise AssertionError

    def scaled(self, factor: FloatArray) -> CellUnits:
        """Refuse, as items do."""
        return self.items.scaled(factor)

    def independent(self, first: IntArray, second: IntArray, size: int) -> float:
        """Take the judgments of items and judges as they are."""
        del first, second, size
        return 1.0

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients by inclusion and exclusion (Cameron, Gelbach & Miller 2011)."""
        one, two, both = (units.meat(terms) for units in self.crossed)
        return one + two - both


def _lacking(ratings: RatingMatrix, items: ScoredUnits, pair: tuple[IntArray, IntArray], tolerance: float) -> Any:
    """Return the change in outcomes without each judge's ratings of each item (rows × cells)."""
    first, second = pair
    item, rows, pairs = ratings.units.factors[0], len(ratings.item), len(first)
    left = means(
        ratings.by_item(ratings.total)[item] - ratings.total, ratings.by_item(ratings.number)[item] - ratings.number
    )
    gap = left[:, first] - left[:, second]
    share = (ratings.share[:, first] + ratings.share[:, second]) / 2
    before = items.signs[ratings.item]
    after = np.where(np.isnan(gap), -2, np.where(np.abs(gap) <= tolerance, 0, np.sign(gap))).astype(np.int8)
    where, of = np.nonzero((before != -2) & (share > 0))
    side = np.array([1, 0, 2])  # of 0 tied, 1 won, −1 lost
    kept = after[where, of] != -2
    cells = [side[before[where, of]] * pairs + of, (side[after[where, of]] * pairs + of)[kept]]
    amounts = [np.ones(len(where)), (share[where, of] - 1.0)[kept]]
    places = np.concatenate([where, where[kept]])
    return matrix_of(np.concatenate(amounts), places, np.concatenate(cells), (rows, 3 * pairs))
