"""Units by the million: their gradients at an estimate, added up in buckets on the engine that holds the rows.

A resample of buckets moves the estimate by one step of Newton's method. With so much evidence that is where refitting
would lead: benchmarks/results/arena.md compares it with exact units, refitted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.engine.buckets import Amounts, Factor, NoBucketsError
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.tally import Tally
from betterthan.reduce.drawing import draw_weights
from betterthan.reduce.units import GroupedUnits, Term, squares

#: Buckets, where nobody says how many: the noise that so many add to the width of an interval is 1 %.
BUCKETS = 4096
#: More units than this go into buckets.
MANY = 20_000


@dataclass(frozen=True)
class HashedUnits:
    """Too many units to be kept one by one: what they say of an estimate is asked of the engine when it is known.

    Statistics that are not linear near the estimate ask for the units themselves (`exact`).
    """

    name: str
    by: tuple[str, ...]
    sizes: tuple[int, ...]
    buckets: int
    limit: int  # so many units or fewer are kept one by one
    judgments: Judgments
    pairs: tuple[Any, Any]  # first and second system of every pair
    make_exact: Callable[[], Any]

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
    def width(self) -> int:
        """Numbers that one resample needs."""
        return self.exact.width

    @property
    def crossed(self) -> Any:
        """The two factors by themselves, and their combinations."""
        return self.exact.crossed

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw the units themselves."""
        return self.exact.resample(rng, resamples)

    def scaled(self, factor: FloatArray) -> GroupedUnits:
        """Weigh what the units themselves say."""
        return self.exact.scaled(factor)

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients of the units themselves."""
        return self.exact.meat(terms)

    def at(self, terms: Sequence[Term], seed: int) -> "GradientUnits | GroupedUnits":
        """Return the units' gradients at an estimate, by buckets where they are many.

        Rows without a unit are for those who keep units one by one, and say where such a row is.
        """
        try:
            return self._at(terms, seed)
        except NoBucketsError:
            return self.exact

    def _at(self, terms: Sequence[Term], seed: int) -> "GradientUnits":
        first, second = self.pairs
        size = 1 + int(max(first.max(), second.max()))
        keys = first * size + second  # sorted
        residuals = terms[0][0]
        shared = terms[1][0] if len(terms) > 1 else None

        def amounts(tally: Tally) -> Amounts:
            sided = tally.sided()
            pair = np.searchsorted(keys, sided.left * size + sided.right)
            value = residuals[sided.outcome, pair]
            own = None if shared is None else shared[sided.outcome, pair]
            return Amounts.of(sided.left, sided.right, value, own, weight=sided.weight, times=sided.times)

        factors = tuple(
            Factor(self.judgments.roles[unit], self.buckets if number > self.buckets else None)
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


def one_by_one(units: Any) -> Any:
    """Return units that are kept one by one, for statistics that buckets cannot replace."""
    return units.exact if isinstance(units, HashedUnits) else units


@dataclass(frozen=True)
class GradientUnits:
    """Units, or buckets of them, by what they add to the gradients at an estimate (levels × parameters)."""

    name: str
    size: int
    gradients: FloatArray
    buckets: int
    crossed: "tuple[GradientUnits, GradientUnits, GradientUnits] | None" = None
    single: bool = False  # of single judgments, each of weight 1

    @property
    def width(self) -> int:
        """Levels and parameters."""
        return sum(self.gradients.shape)

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw levels with replacement: the gradients of every resample (parameters × resamples)."""
        drawn = draw_weights(rng, len(self.gradients), resamples) - 1.0
        return np.asarray(self.gradients.T @ drawn)

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients, which the terms were asked for already."""
        del terms
        return squares(self.gradients, len(self.gradients))
