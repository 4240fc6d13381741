"""The mean difference of two systems with items and judges as crossed units."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import RatingMatrix, crossed_error


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

    def error(self) -> tuple[float, float]:
        """Return the standard error of the mean difference and its degrees of freedom; no error with one judge only.

        Of judges and items the scarcer ones are the uncertain part of the variance.
        """
        items, judges = int(self.item.max()) + 1, self.judges
        if items < 2 or judges < 2 or not np.any(self.gap):
            return 0.0, min(items, judges) - 1.0
        cell = np.unique(self.item * judges + self.judge, return_inverse=True)[1].ravel()
        of_items, freedom_items = self._between(self.item, None)
        of_judges, freedom_judges = self._between(self.judge, self.nested)
        common, _ = self._between(cell, None)
        found = ((of_items, freedom_items), (of_judges, freedom_judges))
        many, few = found if freedom_items >= freedom_judges else found[::-1]
        variance, freedom = crossed_error(
            *(np.array([each]) for each in (many[0], few[0], common)), *(np.array([each[1]]) for each in (many, few))
        )
        return float(np.sqrt(variance[0])) / items, float(freedom[0])

    def _between(self, unit: IntArray, parent: IntArray | None) -> tuple[float, float]:
        """Return the variance of the sum of all parts between units, and its degrees of freedom.

        Runs belong to a system each, their `parent`, and vary about its mean.
        """
        sums = np.bincount(unit, self.gap)
        if parent is None:
            size = np.bincount(unit, self.share)
            number = float(size.sum() ** 2 / np.sum(size**2))
            return float(np.sum(sums**2)) * number / max(number - 1, 0.5), max(number - 1.0, 1.0)
        variances, freedoms = [], []
        for one in np.unique(parent):
            own = sums[parent == one]
            freedoms.append(max(len(own) - 1.0, 1.0))
            variances.append(float(np.sum((own - own.mean()) ** 2)) * len(own) / freedoms[-1])
        squares = sum(variance**2 / freedom for variance, freedom in zip(variances, freedoms, strict=True))
        return sum(variances), sum(variances) ** 2 / squares if squares > 0 else min(freedoms)
