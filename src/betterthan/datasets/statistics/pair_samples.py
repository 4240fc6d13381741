"""Samples of comparisons from every pair, with replacement or all of them."""

import re
from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, spelling
from betterthan.datasets.statistics.pair_counts import PairCounts


@dataclass(frozen=True)
class PairSamples:
    """Comparisons of every pair, from which a sample of fixed size is drawn (3 × pairs)."""

    outcomes: FloatArray
    number: IntArray  # drawn per pair

    name = "row"
    crossed = nested = None
    summed_gradients = in_engine = False

    @property
    def size(self) -> int:
        """How many comparisons are drawn of the pair with the fewest."""
        return int(self.number.min())

    def appearances(self, statistic: Any) -> None:
        """Return none: comparisons are drawn one by one."""

    @property
    def effective(self) -> float:
        """As many as are drawn: all count alike."""
        return float(self.size)

    @property
    def width(self) -> int:
        """Three outcomes per pair."""
        return int(self.outcomes.size)

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw from every pair separately (3 × pairs × resamples)."""
        shares = (self.outcomes / self.outcomes.sum(axis=0)).T
        drawn = rng.multinomial(self.number, shares, size=(resamples, len(self.number)))
        return drawn.transpose(2, 1, 0).astype(float)

    def independent(self, first: IntArray, second: IntArray, size: int) -> float:
        """Take every comparison that is drawn as one."""
        del first, second, size
        return 1.0


def sampled(counts: PairCounts, per_pair: str, seed: int) -> PairCounts:
    """Return comparisons drawn from every pair; resamples are drawn from these, as many again."""
    if np.any(counts.outcomes != np.round(counts.outcomes)):
        raise PlanError(
            "weighted judgments cannot be drawn one by one",
            remedy=f"Leave out {spelling.option('per_pair', per_pair)}.",
        )
    there = counts.outcomes.sum(axis=0)
    number = np.minimum(sample_size(per_pair, counts.size), there).astype(np.int64)
    # A separate random stream: resamples must not depend on the sample.
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    drawn = PairSamples(counts.outcomes, number).resample(rng, 1)[:, :, 0]
    outcomes = np.where(number < there, drawn, counts.outcomes)
    return replace(counts, outcomes=outcomes, units=PairSamples(outcomes, number))  # type: ignore[arg-type]


def sample_size(per_pair: str, systems: int) -> int:
    """Return how many comparisons of a pair to draw: a number, or 12mlnm for 12·m·ln m of m systems.

    >>> sample_size("12mlnm", 6), sample_size("50", 6)
    (129, 50)
    """
    if found := re.fullmatch(r"(\d+)mlnm", per_pair):
        return max(1, round(int(found[1]) * systems * log(systems)))
    if re.fullmatch(r"[1-9]\d{0,8}", per_pair):
        return int(per_pair)
    raise PlanError(f"{spelling.option('per_pair')} must be a whole number above 0, or 12mlnm, got {per_pair!r}.")
