"""The mean difference of two systems with items and judges as crossed units."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import RatingMatrix


@dataclass(frozen=True)
class ByJudge:
    """Contributions of judges to the sum of the items' differences, centred, and their counts.

    One row per item and judge: `share` adds up to one for every item.
    """

    gap: FloatArray
    share: FloatArray
    item: IntArray
    judge: IntArray

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
        return cls(gap, both, item, np.unique(judge, return_inverse=True)[1].ravel())

    @property
    def judges(self) -> int:
        """How many judges there are."""
        return int(self.judge.max()) + 1

    def error(self) -> tuple[float, float]:
        """Return the standard error of the mean difference and its degrees of freedom; no error with one judge only.

        Two-way clustering by inclusion and exclusion, each way corrected as by Bell and McCaffrey (`sandwich`).
        """
        from betterthan.datasets import cluster_robust  # noqa: PLC0415 (few scores have judges)

        def way(codes: IntArray, levels: int) -> cluster_robust.Clusters:
            sums: FloatArray = np.bincount(codes, self.gap, levels).astype(np.float64)
            sizes: FloatArray = np.bincount(codes, self.share, levels).astype(np.float64)
            return cluster_robust.Clusters(sums[:, None], sizes[:, None, None])

        items, judges = int(self.item.max()) + 1, self.judges
        if items < 2 or judges < 2 or not np.any(self.gap):
            return 0.0, min(items, judges) - 1.0
        robust = cluster_robust.Robust.crossed(
            np.array([[1.0 / items]]), [(self.item, items), (self.judge, judges)], way
        )
        error, freedom = robust.error(np.eye(1))
        return float(np.nan_to_num(error[0])), max(float(np.nan_to_num(freedom[0])), 1.0)
