"""Draws: resampled strengths, from which all uncertainty is computed, and the errors that they show."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import effective_units
from betterthan.inference import EstimateErrors, student
from betterthan.models import RESOLUTION

#: Draws are spread by the errors that make the widest intervals at this level.
USUAL_LEVEL = 0.95
#: Strengths that are ranked at once.
_AT_ONCE = 4_000_000
#: Deviations beyond this many standard deviations (by quartiles) come from resamples that hardly determine a system.
_WILD = 6.0
#: The distance between quartiles of a normal distribution, in standard deviations.
_QUARTILES = 1.349


class DrawErrors(Protocol):
    """The errors of values that draws show."""

    @property
    def freedom(self) -> tuple[FloatArray | float, ...]:
        """Degrees of freedom by every unit of dependence; none where tasks have their own."""

    @property
    def singles(self) -> EstimateErrors:
        """The errors of every value."""

    def differences(self, first: IntArray, second: IntArray) -> EstimateErrors:
        """Return the errors of differences of values."""


@dataclass(frozen=True)
class StrengthErrors:
    """Covariances of strengths by one unit of dependence, or by two crossed ones, and their degrees of freedom.

    Two crossed units have three covariances: by each of them, and by their combinations. Degrees of freedom are those
    of every difference (systems × systems, of systems on the diagonal), or one number for all.
    """

    covariances: tuple[FloatArray, ...]
    freedom: tuple[FloatArray | float, ...]
    nested: tuple[bool, ...] = (False,)  # whether units belong to one system each, such as its runs

    @classmethod
    def of_one(cls, away: FloatArray, freedom: FloatArray | float) -> "StrengthErrors":
        """Take the deviations of strengths (systems × draws) that one unit of dependence makes."""
        return cls((covariance(away),), (freedom,))

    @classmethod
    def of_two(
        cls,
        ways: tuple[FloatArray, FloatArray],
        common: FloatArray,
        freedom: tuple[FloatArray | float, FloatArray | float],
        nested: tuple[bool, bool] = (False, False),
    ) -> "StrengthErrors":
        """Take the deviations that each of two crossed units makes, and those of their combinations."""
        return cls((covariance(ways[0]), covariance(ways[1]), covariance(common)), freedom, nested)

    @cached_property
    def singles(self) -> EstimateErrors:
        """The errors of every strength."""
        every = np.arange(len(self.covariances[0]))
        return self._combined(
            [np.diag(each) for each in self.covariances], [_at(known, every, every) for known in self.freedom]
        )

    def differences(self, first: IntArray, second: IntArray) -> EstimateErrors:
        """Return the errors of differences of strengths."""
        freedom = [
            _of_two_samples(np.diag(each), first, second, known) if nested else _at(known, first, second)
            for each, known, nested in zip(self.covariances, self.freedom, self.nested, strict=False)
        ]
        return self._combined([_of_difference(each, first, second) for each in self.covariances], freedom)

    @staticmethod
    def _combined(variances: list[FloatArray], freedom: list[FloatArray]) -> EstimateErrors:
        if len(variances) == 1:
            return EstimateErrors((variances[0],), (freedom[0],))
        one, two, common = variances
        return EstimateErrors.crossed(one, two, common, freedom[0], freedom[1])


def _at(freedom: FloatArray | float, first: IntArray, second: IntArray) -> FloatArray:
    """Return the degrees of freedom of differences."""
    return freedom[first, second] if isinstance(freedom, np.ndarray) else np.full(len(first), freedom)


def _of_two_samples(variance: FloatArray, first: IntArray, second: IntArray, freedom: FloatArray | float) -> FloatArray:
    """Return the degrees of freedom of a difference of two systems with units of their own (Welch)."""
    one, two = variance[first], variance[second]
    squares = one**2 + two**2
    return np.where(squares > 0, (one + two) ** 2 / np.where(squares > 0, squares, 1), 1.0) * freedom


def covariance(away: FloatArray) -> FloatArray:
    """Return the covariance of deviations from an estimate (systems × draws), those of wild resamples cut."""
    ordered = np.sort(away, axis=1)
    last = ordered.shape[1] - 1
    spread = (ordered[:, round(0.75 * last)] - ordered[:, round(0.25 * last)]) / _QUARTILES
    limit = np.where(spread > 0, _WILD * spread, np.inf)[:, None]
    cut = np.clip(away, -limit, limit)
    found: FloatArray = cut @ cut.T / away.shape[1]
    return found


def _of_difference(covariances: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    own = np.diag(covariances)
    return np.maximum(own[first] + own[second] - 2 * covariances[first, second], 0.0)


@dataclass(frozen=True)
class Draws:
    """Strengths of every system in every resample (resamples × systems), and how they were drawn.

    Deviations from the estimate are normal ones times `stretch`, which makes them Student's t with `freedom` degrees
    of freedom. That is the median over systems; `errors` has every system's and pair's own. `units` counts the scarcer
    units, and `numbers` every kind of them.
    """

    strength: FloatArray
    method: str
    unit: str
    units: int
    apart: BoolArray  # systems that cannot be compared with the others
    errors: DrawErrors
    stretch: FloatArray
    freedom: float
    numbers: tuple[effective_units.UnitNumber, ...]
    resolution: float = RESOLUTION  # smaller differences are rounding
    degenerate: int = 0
    buckets: int = 0  # the number of buckets of units, 0 where units are separate
    one_step: bool = False  # of Newton's method, instead of a refit
    little_known: tuple[str, ...] = ()  # systems that one step may not place as a refit does

    @classmethod
    def plain(
        cls,
        strength: FloatArray,
        centre: FloatArray,
        *,
        method: str,
        unit: str,
        units: int,
        freedom: float = np.inf,
        resolution: float = RESOLUTION,
    ) -> "Draws":
        """Take strengths (draws × systems) around an estimate as they are, of systems that can all be compared."""
        return cls(
            strength,
            method,
            unit,
            units,
            np.zeros(len(centre), dtype=bool),
            StrengthErrors.of_one((strength - centre).T, freedom),
            np.ones(len(strength)),
            freedom,
            (effective_units.UnitNumber(unit, units, float(units)),),
            resolution,
        )

    def for_intervals(self, centre: FloatArray, level: float) -> FloatArray:
        """Return the draws with every system's own degrees of freedom instead of the usual ones."""
        singles = self.errors.singles
        variance, freedom = singles.widest(USUAL_LEVEL)
        if len(singles.variances) == 1 and np.allclose(freedom, self.freedom):
            return self.strength
        drawn = np.sqrt(variance) * student.quantile(np.array([self.freedom]), (1 + level) / 2)
        ratio = np.divide(singles.reach(level), drawn, out=np.ones(len(drawn)), where=drawn > 0)
        return np.asarray(centre + (self.strength - centre) * ratio)

    def better(self, a: int, b: int) -> float:
        """Return the share of draws in which `a` is stronger than `b`; equal counts half."""
        return float(self.better_than(a, [b])[0])

    def better_than(self, a: int, others: Sequence[int]) -> FloatArray:
        """Return the share of draws in which `a` is stronger than each of some others; equal counts half."""
        own, their = self.strength[:, [a]], self.strength[:, list(others)]
        near = self.resolution + 1e-12 * np.maximum(np.abs(own), np.abs(their))
        gap = own - their
        shares: FloatArray = np.mean((gap > near) + 0.5 * (np.abs(gap) <= near), axis=0)
        return shares

    def best(self) -> list[float | None]:
        """Return every system's share of the draws in which it leads; shared leads are shared. Islands have none."""
        total, step = np.zeros(len(self.apart)), max(1, _AT_ONCE // max(len(self.apart), 1))
        for begin in range(0, len(self.strength), step):
            part = self.strength[begin : begin + step]
            low, _ = spans(np.where(self.apart, -np.inf, part), self.resolution)
            leads = low == 1
            total += np.sum(leads / leads.sum(axis=1, keepdims=True), axis=0)
        share = total / len(self.strength)
        return [None if apart else float(value) for value, apart in zip(share, self.apart, strict=True)]

    def ranks(self) -> tuple[IntArray, IntArray]:
        """Return each draw's best and worst possible rank of every system; they differ where strengths are equal.

        Islands may have any rank, and do not move the ranks of the others.
        """
        low, high = spans(np.where(self.apart, -np.inf, self.strength), self.resolution)
        low[:, self.apart], high[:, self.apart] = 1, self.strength.shape[1]
        return low, high


def spans(strength: FloatArray, resolution: float) -> tuple[IntArray, IntArray]:
    """Return every system's best and worst rank (draws × systems); those that differ by rounding only share theirs."""
    order = np.argsort(-strength, axis=1, kind="stable")
    line = np.take_along_axis(strength, order, axis=1)
    with np.errstate(invalid="ignore"):  # −inf is next to −inf
        larger = np.maximum(np.abs(line[:, 1:]), np.abs(line[:, :-1]))
        apart = line[:, :-1] - line[:, 1:] > resolution + 1e-12 * np.where(np.isfinite(larger), larger, 0.0)
    place = np.arange(1, strength.shape[1] + 1)
    edge = np.ones((len(line), 1), dtype=bool)
    first = np.maximum.accumulate(np.where(np.hstack([edge, apart]), place, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack([apart, edge]), place, len(place))[:, ::-1], axis=1)[:, ::-1]
    low, high = np.empty_like(first), np.empty_like(last)
    np.put_along_axis(low, order, first, axis=1)
    np.put_along_axis(high, order, last, axis=1)
    return low, high
