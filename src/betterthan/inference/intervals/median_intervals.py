"""Intervals of medians by order statistics, for independent and for grouped items."""

from functools import lru_cache

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.inference.intervals.clustered_error import clustered_error


def median_intervals(values: FloatArray, group: IntArray | None, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper ends of all systems' medians, NaN where items or groups are too few for one.

    `values` are the scores (items × systems, NaN where missing), `group` is the group of each item, None where items
    are independent. Independent items have the exact interval of the sign test. Groups have Woodruff's (1952), with a
    cluster-robust error, where that is wider.

    >>> low, high = median_intervals(np.arange(20.0)[:, None], None, 0.95)
    >>> float(low[0]), float(high[0])
    (5.0, 14.0)
    """
    found: FloatArray = np.full((2, values.shape[1]), np.nan)
    for place, column in enumerate(values.T):
        known = ~np.isnan(column)
        line = np.sort(column[known])
        rank = _sign_test_rank(len(line), level)
        if group is not None and len(line):
            rank = min(rank, _woodruff_rank(column[known], group[known], level))
        if rank:
            found[:, place] = line[rank - 1], line[-rank]
    return found[0], found[1]


@lru_cache(maxsize=256)
def _sign_test_rank(number: int, level: float) -> int:
    """Return which score from either end bounds the median: as far as fewer below it are rare; 0 where none is."""
    fewer = scipy.special.bdtr(np.arange((number + 1) // 2), number, 0.5)
    return int(np.sum(fewer <= (1 - level) / 2 + 1e-12))


def _woodruff_rank(column: FloatArray, group: IntArray, level: float) -> int:
    """Return which score from either end lies as far from the middle as the share of scores below it is uncertain."""
    unit = np.unique(group, return_inverse=True)[1].ravel()
    sizes = np.bincount(unit).astype(float)
    if len(sizes) == len(column):  # every item is a group
        return len(column)
    if len(sizes) < 2:
        return 0
    middle = np.median(column)
    # Where scores repeat, the shares below and up to the median have different errors.
    shares = (column < middle, column <= middle)
    sums: FloatArray = np.stack([np.bincount(unit, weights=below).astype(float) for below in shares], axis=1)
    error, freedom = clustered_error(sums, sizes[:, None])
    reach = float(scipy.special.stdtrit(freedom[0], (1 + level) / 2) * error.max())
    return max(0, int(len(column) * (0.5 - reach)))
