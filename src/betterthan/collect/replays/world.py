"""The world that a replay collects from: real judgments, drawn again with replacement, or a simulated one."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.collect.known import on_all_pairs
from betterthan.infer.sequential import Record, decide
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.reduce.pairs import PairCounts


@dataclass(frozen=True)
class World:
    """How judgments of every pair come out, and what the whole evidence says.

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
        return cls._of(counts, ~decide(Record.of(counts), level, margin).undecided)

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
    """Return who wins more in each pair (1, 0, −1); what is rounding of expected numbers is no lead."""
    lead = counts.outcomes[0] - counts.outcomes[2]
    return np.where(np.abs(lead) > 1e-9 * counts.outcomes.sum(axis=0), np.sign(lead), 0.0).astype(np.int64)
