"""The Hodges–Lehmann estimator: the median of the Walsh averages of the differences.

Wilcoxon's signed-rank test asks whether it is 0. Both take differences to be symmetric about their centre.
"""

from functools import lru_cache
from math import sqrt

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.inference.intervals.clustered_error import clustered_error
from betterthan.inference.tests.paired_tests import Differences, signed_rank_ways

#: Up to that many items the distribution of signed ranks is counted out.
_COUNTED = 50
#: Up to that many items all Walsh averages are listed.
_LISTED = 100


def hodges_lehmann(differences: Differences, level: float) -> tuple[float, float, float]:
    """Return the typical difference and its interval; an end is infinite where items or groups are too few for one.

    The ends are Walsh averages, as many from either end as Wilcoxon's test allows. Where items come in groups, the
    share of positive Walsh averages has a cluster-robust error in its place.
    """
    values = np.sort(differences.values)
    number = len(values)
    pairs = number * (number + 1) // 2
    middle = (_walsh(values, (pairs + 1) // 2) + _walsh(values, pairs // 2 + 1)) / 2
    if differences.grouped:
        rank = _robust_rank(differences, middle, level)
    elif number <= _COUNTED:
        rank = _counted_rank(number, level)
    else:
        spread = sqrt(number * (number + 1) * (2 * number + 1) / 24)
        rank = int(pairs / 2 - float(scipy.special.ndtri((1 + level) / 2)) * spread)
    if rank < 1:
        return middle, -np.inf, np.inf
    return middle, _walsh(values, rank), _walsh(values, pairs + 1 - rank)


@lru_cache(maxsize=256)
def _counted_rank(number: int, level: float) -> int:
    """Return the number of signed-rank sums that are rare enough, from the smallest on."""
    return int(np.sum(np.cumsum(signed_rank_ways(number)) / 2.0**number <= (1 - level) / 2 + 1e-12))


def _robust_rank(differences: Differences, middle: float, level: float) -> int:
    values = differences.values
    line, number = np.sort(values), len(values)
    mirrored = 2 * middle - values
    # How often the mean with another difference lies above the middle, less how often it lies below.
    below, upto = (np.searchsorted(line, mirrored, side=side) for side in ("left", "right"))
    scores: FloatArray = (number - upto - below) / number
    if len(differences.sums) < 2:
        return 0
    error, freedom = clustered_error(differences.per_group(scores), differences.sizes)
    reach = 2 * float(scipy.special.stdtrit(freedom, (1 + level) / 2) * error)
    return int(number * (number + 1) / 2 * (1 - reach) / 2)


def _walsh(values: FloatArray, rank: int) -> float:
    """Return the mean of two sorted values (a value with itself, too) that is in this place from the smallest on."""
    if len(values) <= _LISTED:
        first, second = np.triu_indices(len(values))
        return float(np.partition((values[first] + values[second]) / 2, rank - 1)[rank - 1])
    low, high = float(np.nextafter(values[0], -np.inf)), float(values[-1])
    for _ in range(60):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _upto(values, middle) >= rank:
            high = middle
        else:
            low = middle
    # All that lie above `low`: the smallest of them is the one, without what halving left of rounding.
    first = np.maximum(_partners(values, low), np.arange(len(values)))
    there = first < len(values)
    return float(np.min((values[there] + values[first[there]]) / 2))


def _partners(values: FloatArray, limit: float) -> IntArray:
    """Return for every value the first one with which its mean exceeds a limit."""
    return np.searchsorted(values, 2 * limit - values, side="right")


def _upto(values: FloatArray, limit: float) -> int:
    """Count the means of two values, each pair once, that do not exceed a limit."""
    return int(np.sum(np.maximum(_partners(values, limit) - np.arange(len(values)), 0)))
