"""How much is known of every system: whether one step of Newton's method leads where refitting a resample leads.

Information is that of independent judgments of weight 1. Weights add nothing to it, and neither do the comparisons of
one item with all others.
"""

from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.models.likelihood.newton import DENSE_LIMIT, Curvature, Design, same_component
from betterthan.reduce.buckets import HashedUnits
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.units import RowUnits, ScoredUnits

#: Information about a system that leaves resamples near the estimate: a standard error of its log-strength of 0.14, and
#: of 0.1 where pairs are fewer. benchmarks/results/thin.md compares intervals by one step with those by refits.
MUCH_KNOWN, MORE_KNOWN = 50.0, 100.0
#: The same for scored items, and for units in buckets, where refits take longer.
BY_ITEMS, IN_BUCKETS = 15.0, 20.0
#: The least that a system may have that is refitted alone: about twenty judgments.
LEAST_KNOWN = 4.0


def information(design: Design, curvature: Curvature, counts: PairCounts) -> FloatArray:
    """Return one over the variance of every log-strength, taken by judgments that count alike.

    Of very many systems only the information that their own judgments have is at hand.
    """
    own: FloatArray = np.abs(design.incidence) @ curvature.gap
    if design.size <= DENSE_LIMIT:  # what links groups of systems may be less than what is known within them
        covariance = curvature.covariance(design)[: design.size, : design.size]
        # From the mean by what is known: from the plain one, one unknown system would make all unknown.
        mean = same_component(design) * own
        mean /= np.maximum(mean.sum(axis=1, keepdims=True), 1e-300)
        to_mean = mean @ covariance
        variance = np.diag(covariance) - 2 * np.diag(to_mean) + np.einsum("ij,ij->i", to_mean, mean)
        own = np.minimum(own, 1.0 / np.maximum(variance, 1e-300))
    return own * _independent(counts)


def _independent(counts: PairCounts) -> FloatArray | float:
    """Return how many independent judgments of weight 1 a unit of weight stands for, by system (Kish's number)."""
    units: Any = counts.units
    if isinstance(units, ScoredUnits):
        return 1.0 / max(counts.size - 1, 1)
    if isinstance(units, RowUnits):
        pair = units.cell % units.shape[1]
        return _per_weight(counts.first[pair], counts.second[pair], units.weight, units.times, counts.size)
    if isinstance(units, HashedUnits):
        tally = units.judgments.tally()
        return _per_weight(tally.left, tally.right, tally.weight, tally.times, counts.size)
    return 1.0


def _per_weight(
    first: IntArray, second: IntArray, weight: FloatArray, times: FloatArray, size: int
) -> FloatArray | float:
    if np.all(weight == 1.0):
        return 1.0
    linear, squared = (
        sum(np.bincount(side, times * weight**power, size) for side in (first, second)) for power in (1, 2)
    )
    found: FloatArray = np.divide(linear, squared, out=np.ones(size), where=np.asarray(squared) > 0)
    return found
