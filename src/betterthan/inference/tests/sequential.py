"""Sequential decisions about pairs, valid at any sample size and for any choice of the next pair.

A test martingale bets against "the mean score is m" (a win scores 1, a tie 1/2, a loss 0). Each judgment multiplies its
wealth by 1 − κ + κ·score/m, which is fair if m is the mean and grows if the mean is higher. The probability that a fair
bet ever multiplies its wealth by 1/α is at most α (Ville 1939). This holds at any number of looks, and also when pairs
are chosen by the results so far. Small and large bets are combined, so that small and large differences are both found
(Robbins 1970; Waudby-Smith & Ramdas 2024).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.datasets import GroupedUnits, PairCounts, RowUnits, Units, one_by_one
from betterthan.inference.tests.multiplicity import adjusted

#: The bets as fractions of the wealth, and their initial shares. Most is on typical differences of systems (a win share
#: of .575 among decided judgments), much on differences ten times as small.
_BETS = np.geomspace(0.002, 0.95, 48)
_SPLIT = -0.5 * (np.log(_BETS / 0.15) / 1.2) ** 2
_LOG_SPLIT = _SPLIT - scipy.special.logsumexp(_SPLIT)
#: Halvings of an interval of shares, which never quite reaches 0 or 1; steps of Newton's method, and the most judgments
#: of a pair that are worth a forecast.
_HALVINGS, _EDGE, _NEWTON, _MOST = 20, 1e-9, 4, 1e9
#: Numbers in memory at once, and the corresponding pairs: more would leave the processor's cache.
_NUMBERS, _PAIRS = 200_000, 512
#: Scores that differ, up to which they are counted for every pair: judgments have three.
_SCORES = 16

#: What is known of a pair.
UNDECIDED, FIRST, SECOND, EQUIVALENT = range(4)
STATES = ("undecided", "first", "second", "equivalent")


@dataclass(frozen=True)
class Record:
    """The evidence on every pair by unit: distinct (pair, score of the first) with their counts.

    Judgments of one unit depend on each other, so a unit counts once for a pair, with the mean of its scores.
    """

    pair: IntArray
    score: FloatArray
    times: FloatArray
    pairs: int

    @classmethod
    def of(cls, counts: PairCounts) -> Self:
        """Take the units of counted judgments; a weight counts within its unit alone."""
        return cls._of(one_by_one(counts.units), len(counts.first))

    @classmethod
    def _of(cls, units: Units, pairs: int) -> Self:
        if isinstance(units, GroupedUnits):
            return cls._grouped(units.counts, pairs)
        assert isinstance(units, RowUnits)
        return cls.counted(np.bincount(units.cell, units.times, 3 * pairs).astype(float).reshape(3, pairs))

    @classmethod
    def each(cls, counts: PairCounts) -> "tuple[Record, ...]":
        """Return one record, or one for each of two crossed units."""
        whole = one_by_one(counts.units)
        each = (whole,) if whole.crossed is None else whole.crossed[:2]
        return tuple(cls._of(units, len(counts.first)) for units in each)

    @classmethod
    def counted(cls, outcomes: FloatArray) -> Self:
        """Take every judgment as its own unit (3 outcomes × pairs)."""
        pairs = outcomes.shape[1]
        score = np.repeat([1.0, 0.5, 0.0], pairs)
        return cls(np.tile(np.arange(pairs), 3), score, outcomes.ravel(), pairs)

    @classmethod
    def _grouped(cls, counts: Any, pairs: int) -> Self:
        counts = scipy.sparse.csr_array(counts)
        won, tied, lost = (counts[:, side * pairs : (side + 1) * pairs] for side in range(3))
        total = (won + tied + lost).tocoo()
        points = (won + 0.5 * tied).tocsr()
        score = np.asarray(points[total.row, total.col]).ravel() / total.data
        key = np.stack([total.col, np.round(score, 12)])
        (pair, score), times = np.unique(key, axis=1, return_counts=True)
        return cls(pair.astype(np.int64), score, times.astype(float), pairs)

    @cached_property
    def units(self) -> FloatArray:
        """How many units say something about each pair."""
        return np.bincount(self.pair, self.times, self.pairs).astype(float)

    @cached_property
    def share(self) -> FloatArray:
        """The mean score of the first system of each pair; one half where there is none."""
        points = np.bincount(self.pair, self.times * self.score, self.pairs)
        shares: FloatArray = np.divide(points, self.units, out=np.full(self.pairs, 0.5), where=self.units > 0)
        return shares

    def stakes(self, mean: FloatArray | float, pairs: IntArray | None = None) -> tuple[FloatArray, FloatArray]:
        """Return the log-wealth of bets on more, and on less, than a mean (bets × pairs).

        One mean may be for all pairs, or for some of them; other means are one per pair.
        """
        if isinstance(mean, float) and self._by_score is not None:  # a score does the same to a bet on any pair
            scores, number = self._by_score
            some = number if pairs is None else number[:, pairs]
            return _grown(scores / mean - 1.0, some), _grown((1.0 - scores) / (1.0 - mean) - 1.0, some)
        if pairs is not None:
            return self.of_pairs(pairs).stakes(mean)
        at = np.broadcast_to(np.asarray(mean, dtype=float), self.pairs)[self.pair]
        return self._added(self.score / at - 1.0), self._added((1.0 - self.score) / (1.0 - at) - 1.0)

    def of_pairs(self, pairs: IntArray) -> "Record":
        """Return the decisions of some pairs, numbered again."""
        place = np.full(self.pairs, -1)
        place[pairs] = np.arange(len(pairs))
        kept = place[self.pair] >= 0
        return Record(place[self.pair[kept]], self.score[kept], self.times[kept], len(pairs))

    def blocks(self, pairs: IntArray) -> Iterator[IntArray]:
        """Cut a list of pairs into blocks, where their bets are quicker available than those of all pairs."""
        size = max(len(pairs), 1) if self._by_score is None else _PAIRS
        return (pairs[begin : begin + size] for begin in range(0, len(pairs), size))

    @cached_property
    def _by_score(self) -> tuple[FloatArray, FloatArray] | None:
        """The scores there are, and how often each pair has each (scores × pairs); None where they are many."""
        scores, place = np.unique(self.score, return_inverse=True)
        if len(scores) > _SCORES:
            return None
        number = np.bincount(place * self.pairs + self.pair, self.times, len(scores) * self.pairs)
        return scores, number.astype(float).reshape(len(scores), self.pairs)

    def _added(self, gain: FloatArray) -> FloatArray:
        total = np.empty((len(_BETS), self.pairs))
        step = max(1, _NUMBERS // max(len(gain), 1))
        for start in range(0, len(_BETS), step):
            some = _BETS[start : start + step, None]
            cell = self.pair + self.pairs * np.arange(len(some))[:, None]
            grown = np.bincount(cell.ravel(), (self.times * np.log1p(some * gain)).ravel(), len(some) * self.pairs)
            total[start : start + step] = grown.reshape(len(some), self.pairs)
        summed: FloatArray = total + _LOG_SPLIT[:, None]
        return summed


@dataclass(frozen=True)
class Decisions:
    """Decisions about every pair at a level, corrected over all of them (Holm).

    `p` bounds the probability that equal systems would ever have looked this different. `p_equivalent` bounds the
    probability that systems further apart than the margin would ever have looked this similar. Both are corrected.
    """

    record: Record
    state: IntArray
    p: FloatArray
    p_equivalent: FloatArray
    level: float
    margin: float | None
    #: Where two units are crossed, the evidence by the other one alone.
    also: "Decisions | None" = None

    def both(self, other: "Decisions") -> "Decisions":
        """Return the decisions on which two crossed units agree; other pairs stay undecided."""
        state = np.where(self.state == other.state, self.state, UNDECIDED)
        p, alike = np.maximum(self.p, other.p), np.maximum(self.p_equivalent, other.p_equivalent)
        return replace(self, state=state, p=p, p_equivalent=alike, also=other)

    @property
    def undecided(self) -> BoolArray:
        """Mark the pairs that need more judgments."""
        undecided: BoolArray = self.state == UNDECIDED
        return undecided

    def intervals(self, pairs: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return between which shares (ties half) the first system of some pairs lies, at all looks in all pairs."""
        low, high = interval(self.record.of_pairs(pairs), 1 - (1 - self.level) / max(self.record.pairs, 1))
        if self.also is None:
            return low, high
        other = self.also.intervals(pairs)
        return np.minimum(low, other[0]), np.maximum(high, other[1])

    def needed(self, chances: FloatArray) -> FloatArray:
        """Return the expected number of further judgments for each pair, given outcome chances (3 × pairs).

        0 for settled pairs, infinity where no number would do.
        """
        found = np.zeros(self.record.pairs)
        for pairs in self.record.blocks(np.flatnonzero(self.undecided)):
            found[pairs] = self._steps(pairs, chances[:, pairs])
        return found if self.also is None else np.maximum(found, self.also.needed(chances))

    def _steps(self, pairs: IntArray, expected: FloatArray) -> FloatArray:
        """Return the expected number of further judgments for some undecided pairs, given outcome chances (3 ×
        pairs).
        """
        separate, equate = (self._limit(p) for p in (self.p, self.p_equivalent))
        stakes = np.concatenate(self.record.stakes(0.5, pairs))
        steps = _steps(stakes, np.concatenate(_growth(0.5, expected)), separate + np.log(2))
        if self.margin is not None:
            high, low = 0.5 + self.margin, 0.5 - self.margin
            below = _steps(self.record.stakes(high, pairs)[1], _growth(high, expected)[1], equate)
            above = _steps(self.record.stakes(low, pairs)[0], _growth(low, expected)[0], equate)
            steps = np.minimum(steps, np.maximum(below, above))
        return steps

    def _limit(self, p: FloatArray) -> float:
        """Return the log-wealth required for the next rejection by Holm's method."""
        return float(np.log(max(int(np.sum(p > 1 - self.level)), 1) / (1 - self.level)))


def decide(record: Record, level: float = 0.95, margin: float | None = None) -> Decisions:
    """Decide every pair: who is better, equivalent within a margin of the share (ties half), or undecided.

    >>> decide(Record.counted(np.array([[60.0, 30.0], [0.0, 0.0], [20.0, 30.0]]))).state.tolist()
    [1, 0]
    """
    p = adjusted(p_equal(record), "holm")
    p_equivalent = np.ones(record.pairs) if margin is None else adjusted(p_apart(record, margin), "holm")
    better = np.where(record.share > 0.5, FIRST, SECOND)
    state = np.where(p <= 1 - level, better, np.where(p_equivalent <= 1 - level, EQUIVALENT, UNDECIDED))
    return Decisions(record, state.astype(np.int64), p, p_equivalent, level, margin)


def decide_all(counts: PairCounts, level: float = 0.95, margin: float | None = None) -> Decisions:
    """Decide every pair by the units of the counts; by both where two are crossed."""
    first, *rest = (decide(record, level, margin) for record in Record.each(counts))
    return first.both(rest[0]) if rest else first


def p_equal(record: Record) -> FloatArray:
    """Return anytime-valid p-values of equality for each pair; each side gets half of the wealth."""

    def chance(pairs: IntArray) -> FloatArray:
        more, less = (_together(stakes) for stakes in record.stakes(0.5, pairs))
        return _chance(np.logaddexp(more, less) - np.log(2))

    return _block_by_block(chance, record)


def p_apart(record: Record, margin: float) -> FloatArray:
    """Return for each pair an upper bound on the chance that systems apart by a margin or more ever look this similar.

    Both must be refuted: that the first is better by that much, and that the second is.
    """
    high, low = 0.5 + margin, 0.5 - margin

    def chance(pairs: IntArray) -> FloatArray:
        below, above = record.stakes(high, pairs)[1], record.stakes(low, pairs)[0]
        return _chance(np.minimum(_together(below), _together(above)))

    return _block_by_block(chance, record)


def interval(record: Record, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
    """Return a confidence sequence per pair: the means against which no bet has gained enough, half on either side."""
    limit = np.log(2 / (1 - level))
    ends = []
    for side, far in enumerate((0.0, 1.0)):
        outside, inside = np.full(record.pairs, far), record.share
        for _ in range(_HALVINGS):
            middle = np.clip((outside + inside) / 2, _EDGE, 1 - _EDGE)
            refuted = _together(record.stakes(middle)[side]) >= limit
            outside, inside = np.where(refuted, middle, outside), np.where(refuted, inside, middle)
        ends.append(outside)
    return ends[0], ends[1]


def _block_by_block(chance: Callable[[IntArray], FloatArray], record: Record) -> FloatArray:
    return np.concatenate([np.empty(0), *(chance(pairs) for pairs in record.blocks(np.arange(record.pairs)))])


def _grown(gain: FloatArray, number: FloatArray) -> FloatArray:
    """Return the wealth of the bets (bets × pairs), given each score's gain and its count (by pair)."""
    grown: FloatArray = np.log1p(_BETS[:, None] * gain) @ number
    grown += _LOG_SPLIT[:, None]
    return grown


def _together(stakes: FloatArray) -> FloatArray:
    """Add up the wealth of all bets (logarithms, bets × pairs)."""
    top = stakes.max(axis=0, initial=-1e300)
    added: FloatArray = top + np.log(np.exp(stakes - top).sum(axis=0))
    return added


def _chance(log_stake: FloatArray) -> FloatArray:
    return np.exp(-np.maximum(log_stake, 0.0))


def _growth(mean: float, chances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the expected growth of the log-wealth per judgment, for bets on more and on less."""
    score, bets = np.array([1.0, 0.5, 0.0]), _BETS[:, None]
    return np.log1p(bets * (score / mean - 1)) @ chances, np.log1p(bets * ((1 - score) / (1 - mean) - 1)) @ chances


def _steps(stakes: FloatArray, growth: FloatArray, limit: float) -> FloatArray:
    """Return the expected number of judgments until the total wealth reaches a limit (a logarithm)."""
    with np.errstate(divide="ignore"):
        alone = np.where(growth > 0, (limit - stakes) / growth, np.inf)
    steps = alone.min(axis=0, initial=np.inf)  # with the first bet alone: never too early
    hopeless = ~(steps < _MOST)
    steps = np.where(hopeless, 0.0, steps)
    for _ in range(_NEWTON):  # the sum is convex in the number of judgments, so steps from above never overshoot
        grown = stakes + steps * growth
        top = grown.max(axis=0)
        grown -= top
        share = np.exp(grown, out=grown)
        total = share.sum(axis=0)
        together = top + np.log(total)
        slope = np.einsum("bp,bp->p", share, growth) / total
        ahead = (together > limit) & (slope > 0)
        steps = np.where(ahead, steps - (together - limit) / np.where(ahead, slope, 1.0), steps)
    return np.where(hopeless, np.inf, np.maximum(np.ceil(steps), 1.0))
