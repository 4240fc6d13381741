"""Decisions about all pairs of systems: which is better, with family-wise error control."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.uncertainty.draws import Draws

#: Up to this many systems every pair is tested; beyond, every system separately, which is more cautious and fast.
_PAIRWISE = 200
#: Deviations are standardised by the one that this share of draws stays within.
_OUTER = 0.9
#: Deviations held at once: ten thousand draws of all pairs would take a gigabyte.
_AT_ONCE = 1 << 18


class RankRanges(NamedTuple):
    """Every system's best and worst rank."""

    low: IntArray
    high: IntArray


@dataclass(frozen=True)
class Decisions:
    """What is known about every pair of systems at a level: a system is above another, below it, or that is open.

    `p` is the p-value of a pair alone, `p_adjusted` allows for all pairs: a pair is decided where it is at most
    1 − `level`. Both are symmetric (systems × systems, in the order of the fit), and 1 where nothing is known. Rank
    ranges, clusters, and comparisons of all pairs are read from here, so that they cannot contradict each other.
    """

    level: float
    sign: IntArray  # of the difference: row above column 1, below −1
    p: FloatArray
    p_adjusted: FloatArray
    apart: BoolArray  # systems that cannot be compared with the others

    @property
    def above(self) -> BoolArray:
        """Whether the row's system is better than the column's."""
        return (self.p_adjusted <= 1 - self.level) & (self.sign > 0)

    @property
    def ranges(self) -> RankRanges:
        """Rank ranges that hold for all systems at once: a range leaves out the ranks of those above and below it.

        Systems that cannot be compared may have any rank, and move nobody (Mogstad et al. 2024).
        """
        above, size = self.above, len(self.sign)
        best, worst = 1 + above.sum(axis=0), size - int(self.apart.sum()) - above.sum(axis=1)
        return RankRanges(np.where(self.apart, 1, best), np.where(self.apart, size, worst))


def decide(strength: FloatArray, draws: Draws, level: float, known: BoolArray) -> Decisions:
    """Compare all pairs of systems by their strengths and draws, so that with the chance `level` all decisions hold.

    A system is above another if their gap exceeds the largest that chance makes between any two. That is the largest
    standardised deviation of a draw, in steps without the pairs already decided (Romano & Wolf 2005). Systems that are
    not `known`, because they never won, never lost or were never compared, are compared by the share of draws, also for
    all pairs at once.
    """
    size = len(strength)
    if size > _PAIRWISE:
        return _by_bands(strength, draws, level, known)
    first, second = np.triu_indices(size, 1)
    gap = strength[first] - strength[second]
    p, adjusted = np.ones(len(first)), np.ones(len(first))
    together = known[first] & known[second]
    tested = np.flatnonzero(together)
    p[tested], adjusted[tested] = _stepwise(strength, draws, first[tested], second[tested])
    least = 1 / (len(draws.strength) + 1)  # none of n draws is not never
    agreed = _agreed(draws.units)
    for place in np.flatnonzero(~together & ~draws.apart[first] & ~draws.apart[second]):
        share = draws.better(int(first[place]), int(second[place]))
        p[place] = min(1.0, max(2 * (min(share, 1 - share) + least), 2 * agreed))
        adjusted[place] = min(1.0, p[place] * len(first))
        gap[place] = share - 0.5
    return _decisions(size, level, np.sign(gap), p, adjusted, draws.apart)


def _decisions(  # noqa: PLR0917 (columns of one table)
    size: int, level: float, sign: FloatArray, p: FloatArray, adjusted: FloatArray, apart: BoolArray
) -> Decisions:
    """Write what is known about pairs into both halves of matrices."""
    first, second = np.triu_indices(size, 1)
    signs = np.zeros((size, size), dtype=np.int64)
    signs[first, second], signs[second, first] = sign, -sign
    square = np.ones((2, size, size))
    for matrix, values in zip(square, (p, adjusted), strict=True):
        matrix[first, second] = matrix[second, first] = values
    return Decisions(level, signs, square[0], square[1], apart)


def _stepwise(strength: FloatArray, draws: Draws, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return p-values of pairs, each alone and corrected for all of them in steps."""
    gap, drawn = strength[first] - strength[second], draws.strength.T.copy()
    block = max(1, _AT_ONCE // len(draws.strength))

    def away(pairs: IntArray) -> FloatArray:  # pairs × draws
        deviation = drawn[first[pairs]]
        deviation -= drawn[second[pairs]]
        deviation -= gap[pairs, None]
        return np.abs(deviation, out=deviation)

    number, rounding = len(first), _rounding(strength, draws)
    spread, fixed = np.empty(number), np.empty(number, dtype=bool)
    for pairs in _blocks(np.arange(number), block):
        spread[pairs], fixed[pairs] = _spread(away(pairs), rounding)
    p, adjusted = np.ones(number), np.ones(number)
    # Where no draw changes a gap there is nothing to standardise by: units that all agree are rare enough, or not.
    settled = fixed & (np.abs(gap) > rounding)
    p[settled] = min(1.0, _agreed(draws.units))
    adjusted[settled] = min(1.0, _agreed(draws.units) * number)
    # From the smallest gap to the largest: a pair competes with those that are still open when it is decided.
    size = np.divide(np.abs(gap), spread, out=np.zeros_like(gap), where=~fixed)
    tested = np.argsort(size, kind="stable")
    tested = tested[~fixed[tested]]
    most = np.zeros(len(draws.strength))
    for pairs in _blocks(tested, block):
        largest = away(pairs) / spread[pairs, None]
        p[pairs] = (1 + np.sum(largest >= size[pairs, None], axis=1)) / (largest.shape[1] + 1)
        np.maximum(largest[0], most, out=largest[0])
        np.maximum.accumulate(largest, axis=0, out=largest)
        adjusted[pairs] = (1 + np.sum(largest >= size[pairs, None], axis=1)) / (largest.shape[1] + 1)
        most = largest[-1].copy()
    adjusted[tested] = np.maximum.accumulate(adjusted[tested][::-1])[::-1]  # no pair before one with a larger gap
    return p, adjusted


def _blocks(pairs: IntArray, size: int) -> Iterator[IntArray]:
    return (pairs[begin : begin + size] for begin in range(0, len(pairs), size))


def _by_bands(strength: FloatArray, draws: Draws, level: float, known: BoolArray) -> Decisions:
    """Compare intervals of single strengths that hold for all systems at once."""
    away = np.abs(draws.strength - strength)
    spread, fixed = _spread(away.T, _rounding(strength, draws))
    agreed = min(1.0, _agreed(draws.units) * len(strength) ** 2)
    usable = known & ~fixed
    most = np.sort((away[:, usable] / spread[usable]).max(axis=1)) if np.any(usable) else np.zeros(1)
    # A pair is decided where the two intervals, as wide as the largest deviation makes them, do not meet.
    reach = np.where(usable, spread, np.where(known & (agreed <= 1 - level), 0.0, np.inf))
    first, second = np.triu_indices(len(strength), 1)
    gap, both = strength[first] - strength[second], reach[first] + reach[second]
    both[draws.apart[first] | draws.apart[second]] = np.inf
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.where(both > 0, np.abs(gap) / both, np.where(gap != 0, np.inf, 0.0))
    adjusted = (1 + len(most) - np.searchsorted(most, size, side="left")) / (len(most) + 1)
    adjusted = np.where((both == 0) & (gap != 0), agreed, adjusted)
    return _decisions(len(strength), level, np.sign(gap), adjusted, adjusted, draws.apart)


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
    """Return the probability that all units of equal systems agree by chance, as coin flips would."""
    return float(2.0 ** (1 - min(units, 1000)))
