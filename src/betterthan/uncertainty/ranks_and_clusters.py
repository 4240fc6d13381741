"""Rank ranges and clusters: family-wise for all systems, or as defined by the WMT shared tasks."""

from collections.abc import Sequence

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.models import Fit
from betterthan.options import FAMILY_WISE
from betterthan.uncertainty.decisions import Decisions, RankRanges, decide
from betterthan.uncertainty.draws import Draws, spans


def ranks_of(strength: FloatArray, last: BoolArray, resolution: float) -> IntArray:
    """Rank one set of strengths, 1 the highest; equal ones share the better rank. Some systems come `last`."""
    ranks = np.empty(len(strength), dtype=np.int64)
    for some, before in ((~last, 0), (last, int(np.sum(~last)))):
        ranks[some] = spans(strength[None, some], resolution)[0][0] + before
    return ranks


def decisions_of(  # noqa: PLR0917 (what a decision is made of)
    fit: Fit,
    draws: Draws,
    level: float,
    known: BoolArray | None = None,
    alone: FloatArray | None = None,
    judged: FloatArray | None = None,
) -> Decisions:
    """Return which of two systems is better, for all pairs at once.

    `known` are the systems whose draws show how sure they are, by default those that the fit places, and `judged` how
    many judgments each has. `alone` has p-values of pairs from a test that suits the evidence better than Student's t
    of the draws.
    """
    return decide(fit.strength, draws, level, fit.placed if known is None else known & fit.placed, alone, judged)


def rank_ranges(draws: Draws, level: float) -> RankRanges:
    """Return the range of each system separately: the same share of draws is dropped at both ends.

    So the WMT shared tasks take it (Koehn 2012; Bojar et al. 2013).
    """
    low, high = draws.ranks()
    drop = int(np.floor(len(low) * (1 - level) / 2 + 1e-9))
    return RankRanges(
        np.sort(low, axis=0)[drop].astype(np.int64), np.sort(high, axis=0)[len(high) - 1 - drop].astype(np.int64)
    )


def clusters_of(
    fit: Fit, draws: Draws, level: float, promise: str = FAMILY_WISE, alone: FloatArray | None = None
) -> list[int | None]:
    """Number the clusters down the ranking of a fit."""
    family = promise == FAMILY_WISE
    low, high = decisions_of(fit, draws, level, alone=alone).ranges if family else rank_ranges(draws, level)
    outside = ~fit.placed & ((low < high) | fit.apart)
    return clusters(in_order(fit, outside), low, high, outside)


def in_order(fit: Fit, last: BoolArray) -> list[int]:
    """Return the systems from the best to the worst, some of them last; equal ones in the order of their names."""
    ranks = ranks_of(fit.strength, last, fit.resolution)
    return sorted(range(len(ranks)), key=lambda place: (ranks[place], fit.systems[place]))


def clusters(order: Sequence[int], low: IntArray, high: IntArray, outside: BoolArray) -> list[int | None]:
    """Number the clusters down the ranking: a boundary is where no range above reaches any range below.

    Systems `outside`, which the evidence does not place, belong to none.

    >>> clusters([0, 1, 2], np.array([1, 2, 2]), np.array([1, 3, 3]), np.zeros(3, dtype=bool))
    [1, 2, 2]
    """
    order = [system for system in order if not outside[system]]
    result: list[int | None] = [None] * len(outside)
    worst_above = np.maximum.accumulate(high[order])
    best_below = np.minimum.accumulate(low[order][::-1])[::-1]
    number = 1
    for place, system in enumerate(order):
        if place and worst_above[place - 1] < best_below[place]:
            number += 1
        result[system] = number
    return result
