"""Rotation over systems: the least known system first, then an opponent (Sakaguchi et al. 2014)."""

from collections.abc import Callable

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.verbs.collect.collection_state import CollectionState, place_of
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

#: How much a win between equals shrinks a variance, in units of σ²/c²: what a pending judgment is expected to tell.
_SHRINKS = 2 / np.pi

#: The weight of every opponent for a system, from the beliefs after what is pending.
Opponents = Callable[[Beliefs, int], FloatArray]


def in_rotation(
    known: CollectionState, ratings: Beliefs, pending: FloatArray, allowed: BoolArray, opponents: Opponents
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


def _after(ratings: Beliefs, pending: FloatArray) -> Beliefs:
    """Return the beliefs as they are expected to be once every system's pending judgments have come."""
    total = 2 * ratings.beta2 + ratings.variance + ratings.variance.mean()
    return ratings._replace(variance=ratings.variance * (1 - _SHRINKS * ratings.variance / total) ** pending)
