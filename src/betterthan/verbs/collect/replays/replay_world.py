"""The source of judgments in a replay: real judgments with replacement, or a simulation."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import PairCounts
from betterthan.inference import sequential
from betterthan.models import BradleyTerry
from betterthan.verbs.collect.collection_state import on_all_pairs


@dataclass(frozen=True)
class ReplayWorld:
    """The outcome distribution of every pair, and the ranking of the whole evidence.

    `settled` marks the pairs that the whole evidence settles, and `ahead` is who wins more in each (1, 0, −1).
    """

    counts: PairCounts
    chances: FloatArray  # 3 × pairs
    open_pairs: BoolArray
    settled: BoolArray
    ahead: IntArray
    strength: FloatArray

    @classmethod
    def of_evidence(cls, counts: PairCounts, level: float, margin: float | None) -> Self:
        """Take the outcomes of every pair as the chances of its judgments; pairs that never met stay closed."""
        counts = on_all_pairs(counts)
        return cls._of(counts, ~sequential.decide(sequential.Record.of(counts), level, margin).undecided)

    @classmethod
    def simulated(cls, expected: PairCounts) -> Self:
        """Take expected outcomes; everything that differs could be settled."""
        return cls._of(expected, _ahead(expected) != 0)

    @classmethod
    def _of(cls, counts: PairCounts, settled: BoolArray) -> Self:
        met = counts.outcomes.sum(axis=0)
        chances = np.divide(counts.outcomes, met, out=np.zeros_like(counts.outcomes), where=met > 0)
        return cls(counts, chances, met > 0, settled, _ahead(counts), BradleyTerry().fit(counts).strength)

    def judge(self, pairs: IntArray, rng: np.random.Generator) -> IntArray:
        """Return an outcome of each comparison (0 the first won, 1 tie, 2 the second won)."""
        draw = rng.random(len(pairs))
        win, tie = self.chances[0, pairs], self.chances[1, pairs]
        return np.where(draw < win, 0, np.where(draw < win + tie, 1, 2)).astype(np.int64)


def _ahead(counts: PairCounts) -> IntArray:
    """Return the sign of each pair's lead (1, 0, −1); rounding of expected numbers is no lead."""
    lead = counts.outcomes[0] - counts.outcomes[2]
    return np.where(np.abs(lead) > 1e-9 * counts.outcomes.sum(axis=0), np.sign(lead), 0.0).astype(np.int64)
