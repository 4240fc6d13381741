"""Rates of judges compared with expectation: following the order, choosing the left side, ties."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray
from betterthan.findings import Kind, kinds
from betterthan.inference import adjusted, tails
from betterthan.verbs.diagnose.judges.votes import Mask, Votes


@dataclass(frozen=True)
class JudgeRates:
    """For each judge, the share of judgments with some property, its expectation, and tests of the difference.

    The tests are binomial with the mean chance, which is on the safe side where chances differ (Hoeffding 1956), and
    with numbers divided by how much tasks vary beyond independence.
    """

    number: FloatArray
    hits: FloatArray
    expected: FloatArray
    variance: FloatArray
    spread: float
    tested: Mask  # enough judgments of enough items
    kind: Kind  # whose level the tests have, over all judges by Holm's method

    @property
    def share(self) -> FloatArray:
        """The share itself, NaN where there are no judgments."""
        return divide(self.hits, self.number)

    @property
    def z(self) -> FloatArray:
        """The difference in standard errors, NaN where there is nothing to differ."""
        error = np.sqrt(self.spread * self.variance)
        return divide(self.hits - self.number * self.expected, error)

    @property
    def insight(self) -> FloatArray:
        """How much of what is expected beyond chance a judge shows: 1 as expected, 0 by tossing a coin."""
        return divide(self.share - 0.5, self.expected - 0.5)

    @property
    def below(self) -> Mask:
        """Whether the share is smaller than expected."""
        return self._significant(self._tails()[0])

    @property
    def elsewhere(self) -> Mask:
        """Whether the share is smaller or larger than expected."""
        return self._significant(np.minimum(2 * np.minimum(*self._tails()), 1.0))

    def _tails(self) -> tuple[FloatArray, FloatArray]:
        number, hits = np.round(self.number / self.spread), np.round(self.hits / self.spread)
        chance = np.nan_to_num(self.expected, nan=0.5)
        return tails.binomial_up_to(hits, number, chance), tails.binomial_from(hits, number, chance)

    def _significant(self, p: FloatArray) -> Mask:
        found = np.zeros(len(p), dtype=bool)
        tested = self.tested & np.isfinite(self.expected)
        found[tested] = adjusted(p[tested], "holm") < self.kind.thresholds["p"]
        return found


def follows_order(votes: Votes) -> JudgeRates:
    """How often judges decide for the system that is better by the common order."""
    better = np.maximum(votes.chance, 1 - votes.chance)
    counts = ~votes.tied & votes.clear & (votes.size > 1)
    hit = votes.left_won == (votes.chance > 0.5)
    number, variance = votes.per_judge(counts), counts * better * (1 - better)
    expected = divide(votes.per_judge(counts * better), number)
    spread = votes.spread(counts * (hit - better), variance)
    kind = kinds.judges.JUDGE_AGAINST_REST
    return JudgeRates(
        number,
        votes.per_judge(counts & hit),
        expected,
        votes.per_judge(variance),
        spread,
        votes.enough(counts, kind.thresholds),
        kind,
    )


def left_wins(votes: Votes) -> JudgeRates:
    """How often the left side wins, where the others' leaning to a side and the systems' strengths are expected."""
    counts = ~votes.tied & votes.sided & votes.both_ways
    number = votes.per_judge(counts)
    lean = votes.per_judge(counts * (votes.left_won - votes.chance))
    others = _of_others(lean, number)
    expected = np.clip(divide(votes.per_judge(counts * votes.chance), number) + others, 0.0, 1.0)
    variance = counts * votes.chance * (1 - votes.chance)
    mean = float(lean.sum() / max(number.sum(), 1))
    spread = votes.spread(counts * (votes.left_won - votes.chance - mean), variance)
    kind = kinds.judges.JUDGE_LEFT_BIAS
    return JudgeRates(
        number,
        votes.per_judge(counts & votes.left_won),
        expected,
        votes.per_judge(variance),
        spread,
        votes.enough(counts, kind.thresholds),
        kind,
    )


def tied(votes: Votes) -> JudgeRates:
    """How often judges see no difference, where the others' share is expected."""
    number, hits = votes.per_judge(np.ones(len(votes.judge))), votes.per_judge(votes.tied)
    mean = float(hits.sum() / number.sum())
    variance = np.full(len(votes.judge), mean * (1 - mean))
    spread = votes.spread(votes.tied.astype(np.float64) - mean, variance)
    kind = kinds.judges.JUDGE_TIES
    enough = votes.enough(np.ones(len(votes.judge), dtype=bool), kind.thresholds)
    return JudgeRates(number, hits, _of_others(hits, number), votes.per_judge(variance), spread, enough, kind)


def _of_others(sums: FloatArray, number: FloatArray) -> FloatArray:
    """Return the mean of all other judges, NaN where there are none."""
    return divide(sums.sum() - sums, number.sum() - number)


def divide(above: FloatArray, below: FloatArray) -> FloatArray:
    """Divide, with NaN where there is nothing to divide by."""
    some = below > 0
    return np.where(some, above / np.where(some, below, 1.0), np.nan)
