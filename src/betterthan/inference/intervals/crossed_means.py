"""The mean difference of two systems with items and judges as crossed units."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import RatingMatrix, crossed_variance
from betterthan.inference.intervals.estimate_errors import EstimateErrors


def _summed(unit: IntArray, values: FloatArray) -> FloatArray:
    return np.bincount(unit, values).astype(np.float64)


@dataclass(frozen=True)
class ByJudge:
    """Contributions of judges to the sum of the items' differences, centred, and their counts.

    One row per item and judge: `share` adds up to one for every item.
    """

    gap: FloatArray
    share: FloatArray
    item: IntArray
    judge: IntArray
    nested: IntArray | None = None  # the system of every run, where runs take the place of judges

    @classmethod
    def of(cls, ratings: RatingMatrix, pair: tuple[int, int], counted: BoolArray, tolerance: float) -> "ByJudge":
        """Take the ratings of two systems on the items that count, which both have."""
        rows = np.flatnonzero(counted[ratings.item])
        item, judge, systems = ratings.item[rows], ratings.units.factors[1][rows], list(pair)
        share, weighted = ratings.share[rows][:, systems], ratings.weighted[rows][:, systems]
        used = np.flatnonzero(share.sum(axis=1) > 0)
        item, judge, share, weighted = item[used], judge[used], share[used], weighted[used]
        _, item = np.unique(item, return_inverse=True)
        item = item.ravel()
        # A judge who rated one of the two alone contributes the deviation from its own mean.
        centre = weighted.sum(axis=0) / (item.max() + 1)
        own = (weighted - share * centre) @ np.array([1.0, -1.0])
        both = share.mean(axis=1)
        difference = np.bincount(item, weighted @ np.array([1.0, -1.0]))
        differs = np.abs(difference) > tolerance
        mean = float(np.where(differs, difference, 0.0).mean())
        gap = np.where(differs[item], own + (centre[0] - centre[1]) * both, 0.0) - mean * both
        gap[np.abs(gap) <= 1e-12 * np.abs(weighted).max(initial=0.0)] = 0.0  # rounding is no variation
        used_judges, judge = np.unique(judge, return_inverse=True)
        nested = None if ratings.units.nested is None else ratings.units.nested[used_judges]
        return cls(gap, both, item, judge.ravel(), nested)

    @property
    def judges(self) -> int:
        """How many judges there are."""
        return int(self.judge.max()) + 1

    def errors(self) -> EstimateErrors | None:
        """Return the errors of the mean difference by items and judges; None where one of them is alone."""
        items, judges = int(self.item.max()) + 1, self.judges
        if items < 2 or judges < 2 or not np.any(self.gap):
            return None
        cell = np.unique(self.item * judges + self.judge, return_inverse=True)[1].ravel()
        of_items, of_judges, of_cells = (
            crossed_variance.between_units(_summed(unit, self.gap), _summed(unit, self.share), parent)
            for unit, parent in ((self.item, None), (self.judge, self.nested), (cell, None))
        )
        one, two, common = (np.array([each[0]]) / items**2 for each in (of_items, of_judges, of_cells))
        return EstimateErrors.crossed(one, two, common, np.array([of_items[1]]), np.array([of_judges[1]]))

    def error(self, level: float = 0.95) -> tuple[float, float]:
        """Return the standard error that makes the widest interval at a level, and its degrees of freedom.

        The error is 0 with one judge, or one item, only.
        """
        found = self.errors()
        if found is None:
            return 0.0, min(int(self.item.max()) + 1, self.judges) - 1.0
        variance, freedom = found.widest(level)
        return float(np.sqrt(variance[0])), float(freedom[0])
