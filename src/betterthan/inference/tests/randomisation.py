"""Tests of two systems by a corpus-level metric, with the difference and its interval."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.datasets import ItemParts, unit_draws
from betterthan.inference.intervals.draw_intervals import bias_corrected
from betterthan.inference.intervals.effect import Effect, effect_of
from betterthan.inference.intervals.effective_size import Uncertainty, difference_of
from betterthan.inference.tests.paired_tests import Test
from betterthan.metrics import FromSums, Metric

#: Up to this many units, all ways to swap them are tried; beyond, that many random ones, fewer where items are very
#: many.
_EXACT, _SWAPS, _FEWEST = 13, 9_999, 999
_RESAMPLES = 2_000
#: Items times swaps that take some seconds.
_LONG = 100_000_000
#: Numbers held at once.
_HELD = 4_000_000


@dataclass(frozen=True)
class PairedParts:
    """Contributions of items to the scores of two systems (items × numbers each), and the unit of every item."""

    metric: Metric
    a: FloatArray
    b: FloatArray
    unit: IntArray
    lower_is_better: bool

    @property
    def units(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1

    @property
    def scores(self) -> tuple[float, float]:
        """The scores of both systems over the whole test set."""
        whole = np.ones((len(self.unit), 1))
        return float(self.metric.whole(self.a, whole)[0]), float(self.metric.whole(self.b, whole)[0])

    @property
    def estimate(self) -> float:
        """How much better the first system is, NaN where that is not defined."""
        return float(self.difference(np.ones((self.units, 1)))[0])

    @property
    def uncertainty(self) -> Uncertainty | None:
        """The variance of the difference from the influence of items, None where resamples say it well enough."""
        a, b = self.metric.influence(self.a), self.metric.influence(self.b)
        return None if a is None or b is None else difference_of(a, b, self.unit)

    def difference(self, weights: FloatArray) -> FloatArray:
        """Return how much better the first system is, with weighted units (units × resamples)."""
        return self._gap(self.metric.whole(self.a, weights[self.unit]), self.metric.whole(self.b, weights[self.unit]))

    def swapped(self, swap: FloatArray) -> FloatArray:
        """Return the difference where the outputs of some units (1 in units × trials) are swapped."""
        if isinstance(self.metric, FromSums):  # swapped contributions move from one sum to the other
            gaps = np.zeros((self.units, self.a.shape[1]))
            np.add.at(gaps, self.unit, self.b - self.a)
            moved = gaps.T @ swap
            sums = (self.a.sum(axis=0)[:, None] + moved, self.b.sum(axis=0)[:, None] - moved)
            return self._gap(*(self.metric.statistic(each) for each in sums))
        both, marks = np.concatenate([self.a, self.b]), swap[self.unit]
        first, second = np.concatenate([1 - marks, marks]), np.concatenate([marks, 1 - marks])
        return self._gap(self.metric.whole(both, first), self.metric.whole(both, second))

    def _gap(self, a: FloatArray, b: FloatArray) -> FloatArray:
        return b - a if self.lower_is_better else a - b


@dataclass(frozen=True)
class Resampled:
    """The difference, and its bootstrap draws, which resample the same units for both systems."""

    estimate: float
    drawn: FloatArray
    spread: FloatArray  # as widely as few units ask for: Student's t, and the variance that resamples lack
    left_out: FloatArray  # without each block of units

    @classmethod
    def of(cls, pair: PairedParts, seed: int) -> "Resampled":
        """Draw units with replacement."""
        estimate = pair.estimate
        rng = np.random.default_rng(seed)
        weights = (unit_draws.draw_weights(rng, pair.units, number) for number in _batches(pair, _RESAMPLES))
        drawn = np.concatenate([pair.difference(each) for each in weights])
        drawn = np.where(np.isnan(drawn), estimate, drawn)
        stretch = np.sqrt(pair.units / rng.chisquare(pair.units - 1, len(drawn)))
        block = np.arange(pair.units) % min(ItemParts.BLOCKS, pair.units)
        left_out = pair.difference((block[:, None] != np.arange(block.max() + 1)).astype(float))
        left_out = np.where(np.isnan(left_out), estimate, left_out)
        return cls(estimate, drawn, estimate + (drawn - estimate) * stretch, left_out)

    def effect(self, level: float) -> Effect:
        """Return the difference with its BCa interval."""
        low, high = bias_corrected(self.spread[:, None], np.array([self.estimate]), self.left_out[:, None], level)
        return effect_of("corpus_difference", self.estimate, float(low[0]), float(high[0]))

    def test(self) -> Test:
        """Return the p that sacrebleu --paired-bs prints: of absolute differences less their mean, so one-sided."""
        away = np.abs(self.drawn)
        larger = int(np.sum(away - away.mean() > abs(self.estimate)))
        note = f"as sacrebleu computes it, one-sided; {len(away):,} resamples"
        return Test("paired-bs", abs(self.estimate), (larger + 1) / (len(away) + 1), note)


def difference(pair: PairedParts, level: float, seed: int) -> tuple[Effect, list[Test]]:
    """Return the difference with its interval, and sacrebleu's test of it for metrics of texts."""
    estimate = pair.estimate
    if pair.units < 2 or np.isnan(estimate):
        return Effect("corpus_difference", None if np.isnan(estimate) else estimate, None, None), []
    if (found := pair.uncertainty) is None:
        resampled = Resampled.of(pair, seed)
        return resampled.effect(level), [resampled.test()]
    half = found.quantile(level) * float(np.sqrt(found.variance))
    ends = np.array([estimate - half, estimate + half])
    if pair.metric.bounds is not None:
        most = pair.metric.bounds[1] - pair.metric.bounds[0]
        ends = np.clip(ends, -most, most)
    return effect_of("corpus_difference", estimate, *ends.tolist()), []


def test_difference(pair: PairedParts, rng: np.random.Generator) -> Test:
    """Test whether the scores differ: by swapping outputs, or by DeLong's covariance where scales are not shared."""
    estimate = pair.estimate
    if np.isnan(estimate):
        return Test("randomisation" if pair.metric.swappable else "delong", None, 1.0, "the score is not defined")
    if pair.metric.swappable or (found := pair.uncertainty) is None:
        return randomisation(pair, rng)
    if pair.units < 2:
        return Test("delong", None, 1.0, "one unit")
    statistic = estimate / float(np.sqrt(found.variance))
    p = 2 * float(scipy.special.stdtr(found.freedom, -abs(statistic)))
    return Test("delong", statistic, p, f"t with {found.freedom:.1f} degrees of freedom")


def all_pairs(scores: ItemParts, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return differences and p-values of all pairs (systems × systems); NaN where two systems share no item."""
    there = scores.there
    unit = scores.units.factors[0] if scores.units.factors else np.arange(len(there))
    values, p = np.zeros((scores.size, scores.size)), np.ones((scores.size, scores.size))
    for one, two in combinations(range(scores.size), 2):
        both = there[:, one] & there[:, two]
        if not np.any(both):
            values[one, two] = values[two, one] = p[one, two] = p[two, one] = np.nan
            continue
        units = np.unique(unit[both], return_inverse=True)[1].ravel()
        pair = PairedParts(
            scores.metric, scores.parts[both, one], scores.parts[both, two], units, scores.lower_is_better
        )
        values[one, two] = pair.estimate
        values[two, one] = -values[one, two]
        p[one, two] = p[two, one] = test_difference(pair, np.random.default_rng(seed)).p
    return values, p


def randomisation(pair: PairedParts, rng: np.random.Generator) -> Test:
    """Test whether the scores differ: were the systems equal, the outputs of any unit might be swapped.

    Noreen (1989); Riezler and Maxwell (2005), On some pitfalls in automatic evaluation and significance testing for MT.
    """
    observed = abs(pair.estimate)
    near = 1e-9 * max(observed, 1e-9)
    larger = number = 0
    for swap in _swaps(pair, rng):
        found = np.abs(pair.swapped(swap))
        larger += int(np.sum(~(found < observed - near)))  # undefined values count as large
        number += swap.shape[1]
    exact = pair.units <= _EXACT
    p = larger / number if exact else (larger + 1) / (number + 1)
    return Test("randomisation", observed, p, "all swaps" if exact else f"{number:,} random swaps of outputs")


def _swaps(pair: PairedParts, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield which units are swapped (units × trials), all ways to do so or random ones."""
    if pair.units <= _EXACT:
        ways = np.arange(2**pair.units)
        yield ((ways >> np.arange(pair.units)[:, None]) & 1).astype(float)
        return
    for number in _batches(pair, max(_FEWEST, min(_SWAPS, _LONG // len(pair.a)))):
        yield rng.integers(2, size=(pair.units, number), dtype=np.int8).astype(float)


def _batches(pair: PairedParts, number: int) -> list[int]:
    size = int(np.clip(_HELD // (2 * len(pair.a)), 1, 500))
    return [min(size, number - start) for start in range(0, number, size)]
