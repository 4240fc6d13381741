"""Gradient sums per unit, from which one Newton step approximates a resample."""

from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.statistics.sparse_matrices import dense, matrix_of
from betterthan.datasets.units.hashed_units import GradientUnits
from betterthan.datasets.units.row_gradients import RowGradients
from betterthan.datasets.units.units import BUCKETS, GroupedUnits, RowUnits, RowWeights, ScoredUnits

#: Judgments that can be put into buckets one by one, and how many of them at once.
_MOST, _AT_ONCE = 50_000_000, 2_000_000


def by_gradients(units: Any, terms: Any, seed: int, buckets: int | None = None) -> GradientUnits | None:
    """Return the units by their gradients, in buckets where they are many; None for units that have no such way.

    `terms` are those that the units' `meat` takes. Sums of independent units are independent, so that buckets, filled
    at random, can be resampled instead of units.
    """
    rng = np.random.default_rng([seed, units.size])
    wanted = buckets or BUCKETS
    if units.crossed is not None:
        parts = [by_gradients(each, terms, seed, buckets) for each in units.crossed]
        if any(part is None for part in parts):
            return None
        one, two, both = (part for part in parts if part is not None)
        put = max(one.buckets, two.buckets)
        return GradientUnits(units.name, units.size, both.gradients, put, (one, two, both))
    if isinstance(units, RowUnits):
        whole = bool(np.all(units.times == np.round(units.times)))
        if not whole or not units.size <= _MOST:
            return None
        single = bool(np.all(units.weight == 1.0))
        return GradientUnits(units.name, units.size, _of_rows(units, terms, rng, wanted), wanted, single=single)
    if not isinstance(units, GroupedUnits | RowWeights | ScoredUnits) or units.nested is not None:
        return None
    if isinstance(terms, RowGradients) and isinstance(units, RowWeights):
        return _of_judgments(units, terms, rng, wanted)
    gradients = units.gradients(terms)
    levels = gradients.shape[0]
    if levels <= wanted or isinstance(units, ScoredUnits):  # as many rows as items, which were held before
        return GradientUnits(units.name, units.size, dense(gradients), 0, equal=units.effective)
    bucket = rng.integers(wanted, size=levels)
    summed = matrix_of(np.ones(levels), bucket, np.arange(levels), (wanted, levels)) @ gradients
    return GradientUnits(units.name, units.size, dense(summed), wanted, equal=units.effective)


def _of_judgments(units: RowWeights, terms: RowGradients, rng: np.random.Generator, buckets: int) -> GradientUnits:
    """Add up the gradients of single judgments by their units, or by buckets of these, in one go."""
    levels = units.levels[0]
    level = units.factors[0] if units.factors else np.arange(levels)
    if levels <= buckets:
        return GradientUnits(units.name, units.size, terms.added(level, levels), 0, equal=units.effective)
    bucket = rng.integers(buckets, size=levels)
    return GradientUnits(units.name, units.size, terms.added(bucket[level], buckets), buckets, equal=units.effective)


def _of_rows(units: RowUnits, terms: Any, rng: np.random.Generator, buckets: int) -> FloatArray:
    """Put single judgments into buckets, and add up their gradients there, some at a time."""
    ends = np.cumsum(units.times.astype(np.int64))
    total: FloatArray | float = 0.0
    for begin in range(0, int(ends[-1]), _AT_ONCE):
        row = np.searchsorted(ends, np.arange(begin, min(begin + _AT_ONCE, int(ends[-1]))), side="right")
        bucket = rng.integers(buckets, size=len(row))
        cell, weight = units.cell[row], units.weight[row]
        total = total + np.concatenate(
            [
                _added(weight * residuals.ravel()[cell], bucket, cell % units.shape[1], incidence, buckets)
                for residuals, incidence in terms
            ],
            axis=1,
        )
    return np.asarray(total)


def _added(value: FloatArray, bucket: IntArray, pair: IntArray, incidence: Any, buckets: int) -> FloatArray:
    """Add up values of pairs for the systems of the pair, or for the one parameter that all share, by bucket."""
    if incidence is None:
        shared: FloatArray = np.bincount(bucket, value, buckets).astype(np.float64)[:, None]
        return shared
    systems = incidence.shape[0]
    total = np.zeros(buckets * systems)
    for sign in (1.0, -1.0):
        system, of = (incidence == sign).nonzero()
        member = np.empty(incidence.shape[1], dtype=np.int64)
        member[of] = system
        total += np.bincount(bucket * systems + member[pair], sign * value, len(total))
    summed: FloatArray = total.reshape(buckets, systems)
    return summed
