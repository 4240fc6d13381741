"""The difference of the means of two independent samples."""

from collections.abc import Sequence

import numpy as np

from betterthan.base import scipy
from betterthan.inference import Estimate


def gap_of(one: Sequence[float], two: Sequence[float], level: float) -> Estimate:
    """Return the difference of the means of two independent samples, whose variances may differ, with its interval.

    >>> gap_of([1.0, 2.0, 3.0], [4.0, 6.0], 0.95).ends(2)
    '-8.98 … 2.98'
    """
    gap = float(np.mean(one) - np.mean(two))
    if min(len(one), len(two)) < 2:
        return Estimate(gap, None, None)
    parts = [float(np.var(values, ddof=1)) / len(values) for values in (one, two)]
    if not sum(parts):
        return Estimate(gap, None, None)
    freedom = sum(parts) ** 2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, (one, two), strict=True))
    half = float(scipy.stats.t.ppf((1 + level) / 2, freedom) * np.sqrt(sum(parts)))
    return Estimate(gap, gap - half, gap + half)
