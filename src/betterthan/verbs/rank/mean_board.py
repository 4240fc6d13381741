"""Intervals of mean scores on a leaderboard."""

import numpy as np

from betterthan.base import FloatArray, IntArray, parallel
from betterthan.datasets import ScoreMatrix
from betterthan.inference import ByJudge, MeanParts, clustered_error, draw_intervals, mean_intervals, mean_pairs
from betterthan.models import Fit, Mean, Model
from betterthan.uncertainty import Scale


def board_intervals(  # noqa: PLR0917 (what an interval is made of)
    model: Model, fit: Fit, scale: Scale, statistic: ScoreMatrix, level: float, seed: int
) -> draw_intervals.Ends | None:
    """Return the ends of every system's mean on the scale that is shown; None for models other than plain means.

    An end is None where the evidence does not set it.
    """
    if not isinstance(model, Mean) or model.trim:
        return None
    with parallel.one_blas_thread():
        ends = mean_intervals(statistic.values, _parts(model, fit, statistic), level, seed)
    unknown = fit.open_low | fit.open_high | ~fit.estimable
    one, two = (np.where(unknown | ~np.isfinite(end), np.nan, scale.apply(end)) for end in ends)
    low, high = (one, two) if not fit.lower_is_better else (two, one)
    lower, upper = ([None if np.isnan(each) else float(each) for each in end] for end in (low, high))
    return lower, upper


def pair_tests(
    model: Model, scores: ScoreMatrix, groups: IntArray | None, *, tolerance: float, seed: int
) -> FloatArray | None:
    """Return p of all pairs' mean differences (systems × systems); None where means are not plain or items differ."""
    if not isinstance(model, Mean) or model.trim or np.any(np.isnan(scores.values)):
        return None
    with parallel.one_blas_thread():
        return mean_pairs(scores.values, groups, seed=seed, tolerance=tolerance, ratings=scores.ratings)[1]


def _parts(model: Mean, fit: Fit, statistic: ScoreMatrix) -> MeanParts:
    """Return what units add to the means; of crossed units the items, with an error that allows for both."""
    found, units = model.influences(statistic), statistic.units
    if units.crossed is None:
        parts, sizes = (np.asarray(units.gradients(each)) for each in (found.parts, found.sizes))
        return MeanParts(fit.strength, parts, sizes, *clustered_error(parts, sizes))
    items = units.crossed[0]
    parts, sizes = (np.asarray(items.gradients(each)) for each in (found.parts, found.sizes))
    errors: FloatArray = np.array(
        [
            _crossed(found.parts[:, place], found.sizes[:, place], statistic) if fit.estimable[place] else (np.nan, 1.0)
            for place in range(statistic.size)
        ]
    )
    return MeanParts(fit.strength, parts, sizes, errors[:, 0], errors[:, 1])


def _crossed(parts: FloatArray, sizes: FloatArray, statistic: ScoreMatrix) -> tuple[float, float]:
    """Return the error of one system's mean over items and judges, and its degrees of freedom."""
    used = np.flatnonzero(sizes > 0)
    units = statistic.units
    item = np.unique(units.factors[0][used], return_inverse=True)[1].ravel()
    judges, judge = np.unique(units.factors[1][used], return_inverse=True)
    nested = None if units.nested is None else units.nested[judges]
    number = int(item.max()) + 1
    return ByJudge(parts[used] * number, sizes[used] * number, item, judge.ravel(), nested).error()
