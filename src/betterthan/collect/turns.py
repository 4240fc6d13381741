"""Going from system to system: the one least known first, then an opponent for it (Sakaguchi et al. 2014)."""

from collections.abc import Callable

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.collect.known import Known, place_of
from betterthan.collect.ratings import Ratings

#: How much a win between equals shrinks a variance, in units of σ²/c²: what a pending judgment is expected to tell.
_SHRINKS = 2 / np.pi

#: The weight of every opponent for a system, from the beliefs after what is pending.
Opponents = Callable[[Ratings, int], FloatArray]


def by_turns(
    known: Known, ratings: Ratings, pending: FloatArray, allowed: BoolArray, opponents: Opponents
) -> FloatArray:
    """Return pairs' chances: the system with the largest variance, equals alike, and an opponent by its weight."""
    counts = known.counts
    place = place_of(counts.size)
    chances = np.zeros(len(allowed))
    if not np.any(allowed):
        return chances
    open_to = allowed[place] & (place >= 0)
    ratings = _after(ratings, counts.add_up(pending, pending) if np.any(pending) else np.zeros(counts.size))
    variance = np.where(open_to.any(axis=1), ratings.variance, -np.inf)
    first = np.flatnonzero(variance >= variance.max() * (1 - 1e-12))
    for system in first:
        weight = np.where(open_to[system], opponents(ratings, int(system)), 0.0)
        others = np.flatnonzero(weight)
        chances[place[system, others]] += weight[others] / weight.sum() / len(first)
    return chances


def _after(ratings: Ratings, pending: FloatArray) -> Ratings:
    """Return the beliefs as they are expected to be once every system's pending judgments have come."""
    total = 2 * ratings.beta2 + ratings.variance + ratings.variance.mean()
    return ratings._replace(variance=ratings.variance * (1 - _SHRINKS * ratings.variance / total) ** pending)
