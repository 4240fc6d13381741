"""Gradient sums of millions of units, added up in hash buckets on the engine that holds the rows.

A resample of buckets moves the estimate by one step of Newton's method. With so much evidence that is where refitting
would lead: benchmarks/results/arena.md compares it with exact units, refitted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.units.crossed_variance import squares
from betterthan.datasets.units.effective_units import per_weight
from betterthan.datasets.units.unit_draws import draw_weights
from betterthan.datasets.units.units import GroupedUnits, Term
from betterthan.engine import bucket_sums
from betterthan.evidence import Judgments, Tally


@dataclass(frozen=True)
class HashedUnits:
    """Too many units to store one by one; the engine computes their gradients once an estimate is known.

    Statistics that are not linear near the estimate ask for the units themselves (`exact`).
    """

    name: str
    by: tuple[str, ...]
    sizes: tuple[int, ...]
    buckets: int
    limit: int  # at most this many units are stored one by one
    judgments: Judgments
    pairs: tuple[Any, Any]  # first and second system of every pair
    make_exact: Callable[[], Any]

    summed_gradients, in_engine, nested = False, True, None

    @property
    def exact(self) -> GroupedUnits:
        """The units themselves."""
        units: GroupedUnits = self.make_exact()
        return units

    @property
    def size(self) -> int:
        """Number of units; with two factors, of the scarcer one."""
        return min(self.sizes)

    @property
    def effective(self) -> float:
        """By the judgments of the units themselves."""
        return self.exact.effective

    def appearances(self, statistic: Any) -> Any:
        """Count the judgments of the units themselves."""
        return self.exact.appearances(statistic)

    @property
    def width(self) -> int:
        """Numbers that one resample needs."""
        return self.exact.width

    @property
    def crossed(self) -> Any:
        """The two factors, and their combinations."""
        return self.exact.crossed

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw the units themselves."""
        return self.exact.resample(rng, resamples)

    def scaled(self, factor: FloatArray) -> GroupedUnits:
        """Weight the units' own gradients."""
        return self.exact.scaled(factor)

    def independent(self, first: IntArray, second: IntArray, size: int) -> FloatArray | float:
        """Go by the weights of the judgments."""
        del first, second
        tally = self.judgments.tally()
        return per_weight(tally.left, tally.right, tally.weight, tally.times, size)

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients of the units themselves."""
        return self.exact.meat(terms)

    def at(self, terms: Sequence[Term], seed: int) -> "GradientUnits | GroupedUnits":
        """Return the units' gradients at an estimate, by buckets where they are many.

        Rows without a unit are reported where units are stored one by one.
        """
        try:
            return self._at(terms, seed)
        except bucket_sums.NoBucketsError:
            return self.exact

    def _at(self, terms: Sequence[Term], seed: int) -> "GradientUnits":
        first, second = self.pairs
        size = 1 + int(max(first.max(), second.max()))
        keys = first * size + second  # sorted
        residuals = terms[0][0]
        shared = terms[1][0] if len(terms) > 1 else None

        def amounts(tally: Tally) -> bucket_sums.Amounts:
            sided = tally.sided()
            pair = np.searchsorted(keys, sided.left * size + sided.right)
            value = residuals[sided.outcome, pair]
            own = None if shared is None else shared[sided.outcome, pair]
            return bucket_sums.Amounts.of(sided.left, sided.right, value, own, weight=sided.weight, times=sided.times)

        factors = tuple(
            bucket_sums.Factor(self.judgments.roles[unit], self.buckets if number > self.buckets else None)
            for unit, number in zip(self.by, self.sizes, strict=True)
        )
        many = [number for factor, number in zip(factors, self.sizes, strict=True) if factor.buckets is not None]
        found = self.judgments.bucket_sums(
            factors, amounts, buckets=self.buckets, systems=size, seed=seed, spare=min(many) - self.limit
        )
        # Of few units those are counted that have judgments; others were named by refused rows only.
        sizes = [
            len(gradients) if factor.buckets is None else number
            for factor, number, gradients in zip(factors, self.sizes, found, strict=False)
        ]
        one_by_one = [
            GradientUnits(name, number, gradients, self.buckets)
            for name, number, gradients in zip((*self.by, self.name), (*sizes, min(sizes)), found, strict=False)
        ]
        if len(one_by_one) == 1:
            return one_by_one[0]
        one, two, both = one_by_one
        return GradientUnits(self.name, both.size, both.gradients, self.buckets, (one, two, both))


@dataclass(frozen=True)
class GradientUnits:
    """Units, or buckets of units, by their gradients at an estimate (levels × parameters)."""

    name: str
    size: int
    gradients: FloatArray
    buckets: int
    crossed: "tuple[GradientUnits, GradientUnits, GradientUnits] | None" = None
    single: bool = False  # of single judgments, each of weight 1
    equal: float | None = None  # how many units of equal size say as much; None: as many as there are

    summed_gradients, in_engine, nested = True, False, None

    @property
    def effective(self) -> float:
        """How many units of equal size say as much."""
        return float(self.size) if self.equal is None else self.equal

    def appearances(self, statistic: Any) -> FloatArray | None:
        """Return which units move which systems at all: gradients do not tell how many judgments they add up."""
        return None if self.single else np.asarray(self.gradients[:, : statistic.size] != 0, dtype=np.float64)

    @property
    def width(self) -> int:
        """Levels and parameters."""
        return sum(self.gradients.shape)

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw levels with replacement: the gradients of every resample (parameters × resamples)."""
        drawn = draw_weights(rng, len(self.gradients), resamples) - 1.0
        return np.asarray(self.gradients.T @ drawn)

    def independent(self, first: IntArray, second: IntArray, size: int) -> float:
        """Take sums as they are."""
        del first, second, size
        return 1.0

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients, which the terms were requested already."""
        del terms
        return squares(self.gradients, len(self.gradients))
