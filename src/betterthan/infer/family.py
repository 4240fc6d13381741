"""Which systems are told apart, with one promise for all of them together: no pair is put in the wrong order."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.infer.draws import Draws

#: Up to this many systems every pair is looked at; beyond, every system by itself, which is more cautious and fast.
_PAIRWISE = 200
#: Deviations are standardised by the one that this share of draws stays within.
_OUTER = 0.9
#: Deviations held at once: ten thousand draws of all pairs would take a gigabyte.
_AT_ONCE = 1 << 18


class RankRanges(NamedTuple):
    """Every system's best and worst rank."""

    low: IntArray
    high: IntArray


def family_wise(strength: FloatArray, draws: Draws, level: float, known: BoolArray) -> RankRanges:
    """Return ranges of ranks that hold for all systems at once, with the chance `level`.

    A system is above another where their gap exceeds the largest that chance makes between any two (the largest
    standardised deviation of a draw, step by step without the pairs that are settled: Romano & Wolf 2005); its range
    leaves out the ranks of those above and below it (Mogstad et al. 2024). Systems that are not `known`, because
    they never won, never lost or never met the others, are compared by the share of draws, for all pairs at once too.
    """
    size = len(strength)
    if size > _PAIRWISE:
        return _by_bands(strength, draws, level, known)
    above = np.zeros((size, size), dtype=bool)
    first, second = np.triu_indices(size, 1)
    together = known[first] & known[second]
    tested = np.flatnonzero(together)
    better = _stepwise(strength, draws, level, first[tested], second[tested])
    above[first[tested], second[tested]], above[second[tested], first[tested]] = better > 0, better < 0
    others = np.flatnonzero(~together & ~draws.apart[first] & ~draws.apart[second])
    rare = (1 - level) / 2 / max(len(first), 1)
    for place in others:
        a, b = int(first[place]), int(second[place])
        share, least = draws.better(a, b), 1 / (len(draws.strength) + 1)  # none of n draws is not never
        sure = _agreed(draws.units) <= rare
        above[a, b], above[b, a] = sure and 1 - share + least <= rare, sure and share + least <= rare
    return _beside_islands(1 + above.sum(axis=0), above.sum(axis=1), draws)


def _stepwise(strength: FloatArray, draws: Draws, level: float, first: IntArray, second: IntArray) -> IntArray:
    """Return 1 where the first system of a pair is above the second, −1 below, 0 where that is open."""
    gap, drawn = strength[first] - strength[second], draws.strength.T.copy()
    block = max(1, _AT_ONCE // len(draws.strength))

    def away(pairs: IntArray) -> FloatArray:  # pairs × draws
        deviation = drawn[first[pairs]]
        deviation -= drawn[second[pairs]]
        deviation -= gap[pairs, None]
        return np.abs(deviation, out=deviation)

    spread, fixed = np.empty(len(first)), np.empty(len(first), dtype=bool)
    for pairs in _blocks(np.arange(len(first)), block):
        spread[pairs], fixed[pairs] = _spread(away(pairs), _rounding(strength, draws))
    sure = _agreed(draws.units) <= (1 - level) / max(len(first), 1)
    # Where no draw changes a gap there is nothing to standardise by: units that all agree are rare enough, or not.
    settled = fixed & (np.abs(gap) > _rounding(strength, draws)) & sure

    def largest(pairs: IntArray) -> FloatArray:  # of the standardised deviations of every draw
        return np.asarray((away(pairs) / spread[pairs, None]).max(axis=0, initial=0.0))

    # Those that are open are always the pairs of the smallest gaps: up to the end of every block the largest
    # deviations are kept, and beyond it they are those of less than one block.
    size = np.divide(np.abs(gap), spread, out=np.zeros_like(gap), where=~fixed)
    tested = np.argsort(size, kind="stable")
    tested = tested[~fixed[tested]]
    most = [np.zeros(len(draws.strength))]
    for pairs in _blocks(tested, block):
        most.append(np.maximum(most[-1], largest(pairs)))
    number = len(tested)
    while number:
        whole = number // block
        least = float(np.quantile(np.maximum(most[whole], largest(tested[whole * block : number])), level))
        still = int(np.searchsorted(size[tested], least, side="right"))
        if still >= number:
            break
        number = still
    settled[tested[number:]] = True
    found: IntArray = np.where(settled, np.sign(gap), 0).astype(np.int64)
    return found


def _blocks(pairs: IntArray, size: int) -> Iterator[IntArray]:
    return (pairs[begin : begin + size] for begin in range(0, len(pairs), size))


def _by_bands(strength: FloatArray, draws: Draws, level: float, known: BoolArray) -> RankRanges:
    """Compare intervals of single strengths that hold for all systems at once."""
    away = np.abs(draws.strength - strength)
    spread, fixed = _spread(away.T, _rounding(strength, draws))
    sure = _agreed(draws.units) <= (1 - level) / len(strength) ** 2
    usable = known & ~fixed
    most = float(np.quantile((away[:, usable] / spread[usable]).max(axis=1), level)) if np.any(usable) else 0.0
    reach = np.where(usable, most * spread, np.where(known & sure, 0.0, np.inf))
    low, high = strength - reach, strength + reach
    low[draws.apart], high[draws.apart] = -np.inf, np.inf
    above = len(low) - np.searchsorted(np.sort(low), high, side="right")
    below = np.searchsorted(np.sort(high), low, side="left")
    return _beside_islands(1 + above, below, draws)


def _beside_islands(best: IntArray, below: IntArray, draws: Draws) -> RankRanges:
    """Return the ranges from best ranks and how many are below; islands may have any rank, and move nobody."""
    size, apart = len(best), draws.apart
    return RankRanges(np.where(apart, 1, best), np.where(apart, size, size - int(apart.sum()) - below))


def _spread(away: FloatArray, resolution: float) -> tuple[FloatArray, BoolArray]:
    """Return by what deviations (anything × draws) are standardised, and mark those that no draw shows.

    Of scores with few values most draws may leave a gap as it is: then the largest deviation serves.
    """
    most = away.max(axis=1)
    spread = np.quantile(away, _OUTER, axis=1)
    return np.where(spread > resolution, spread, most), most <= resolution


def _rounding(strength: FloatArray, draws: Draws) -> float:
    """Return up to what a difference of strengths is rounding."""
    return draws.resolution + 1e-12 * float(np.max(np.abs(strength), initial=0.0))


def _agreed(units: int) -> float:
    """Return how rarely units of equal systems all agree by chance, as coins would."""
    return float(2.0 ** (1 - min(units, 1000)))
