"""Intervals of mean and median scores on a leaderboard."""

from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, parallel
from betterthan.datasets import ScoreMatrix
from betterthan.findings import Finding, kinds, marked
from betterthan.inference import (
    ByJudge,
    clustered_error,
    draw_intervals,
    mean_intervals,
    mean_pairs,
    median_intervals,
)
from betterthan.models import Fit, Mean, Median, Model
from betterthan.uncertainty import scales


def board_intervals(  # noqa: PLR0917 (what an interval is made of)
    model: Model, fit: Fit, scale: scales.Scale, statistic: ScoreMatrix, level: float, seed: int
) -> tuple[draw_intervals.Ends, list[Finding]] | None:
    """Return the ends of every system's mean or median on the scale that is shown, and findings about them.

    An end is None where the evidence does not set it. The result is None for models other than plain means and medians,
    and for medians of ratings, where judges are units too.
    """
    findings: list[Finding] = []
    unknown = fit.open_low | fit.open_high | ~fit.estimable
    if isinstance(model, Mean) and not model.trim:
        found = _parts(model, fit, statistic, level)
        with parallel.one_blas_thread():
            ends = mean_intervals.intervals_of_means(statistic.values, found, level, seed)
        if mean_intervals.skewed(statistic.values, found):
            unit = statistic.units.name.split("+")[0]
            findings = [kinds.scores.SKEWED_SCORES.found(units=len(found.parts), unit=unit)]
    elif isinstance(model, Median) and model.of == "scores" and statistic.ratings is None:
        ends, undetermined = _medians(statistic, level)
        findings = _open_medians(statistic, undetermined & fit.estimable)
    else:
        return None
    one, two = (np.where(unknown | ~np.isfinite(end), np.nan, scale.apply(end)) for end in ends)
    low, high = (one, two) if not fit.lower_is_better else (two, one)
    lower, upper = ([None if np.isnan(each) else float(each) for each in end] for end in (low, high))
    return (lower, upper), findings


def _medians(statistic: ScoreMatrix, level: float) -> tuple[tuple[FloatArray, FloatArray], BoolArray]:
    """Return the ends of medians, the scale's where units set none, and which systems have an open one."""
    ends, scale = (
        median_intervals(statistic.values, _groups(statistic), level),
        mean_intervals.scale_of(statistic.values),
    )
    low, high = (np.where(np.isnan(end), bound, end) for end, bound in zip(ends, scale, strict=True))
    return (low, high), np.isinf(low) | np.isinf(high)


def _groups(statistic: ScoreMatrix) -> IntArray | None:
    return statistic.units.factors[0] if statistic.units.factors else None


def _open_medians(statistic: ScoreMatrix, undetermined: BoolArray) -> list[Finding]:
    """Report medians without an interval, and how many units the best known of them has."""
    if not np.any(undetermined):
        return []
    groups = _groups(statistic)
    units = np.arange(len(statistic.values)) if groups is None else groups
    known = ~np.isnan(statistic.values[:, undetermined])
    most = max(len(np.unique(units[each])) for each in known.T)
    systems = marked(statistic.systems, undetermined)
    return [kinds.scores.OPEN_MEDIANS.found(systems=systems, units=most, unit=statistic.units.name)]


def pair_tests(model: Model, scores: Any, *, tolerance: float, seed: int) -> FloatArray | None:
    """Return p of all pairs' mean differences (systems × systems); None where means are not plain or items differ."""
    if not isinstance(model, Mean) or model.trim or np.any(np.isnan(scores.values)):
        return None
    groups = _groups(scores) if scores.ratings is None else None
    with parallel.one_blas_thread():
        return mean_pairs(scores.values, groups, seed=seed, tolerance=tolerance, ratings=scores.ratings)[1]


def _parts(model: Mean, fit: Fit, statistic: ScoreMatrix, level: float) -> mean_intervals.MeanParts:
    """Return what units add to the means; of crossed units the items, with an error that allows for both."""
    found, units = model.influences(statistic), statistic.units
    if units.crossed is None:
        parts, sizes = (np.asarray(units.gradients(each)) for each in (found.parts, found.sizes))
        return mean_intervals.MeanParts(fit.strength, parts, sizes, *clustered_error(parts, sizes))
    items = units.crossed[0]
    parts, sizes = (np.asarray(items.gradients(each)) for each in (found.parts, found.sizes))
    errors: FloatArray = np.array(
        [
            _crossed(found.parts[:, place], found.sizes[:, place], statistic, level)
            if fit.estimable[place]
            else (np.nan, 1.0)
            for place in range(statistic.size)
        ]
    )
    return mean_intervals.MeanParts(fit.strength, parts, sizes, errors[:, 0], errors[:, 1])


def _crossed(parts: FloatArray, sizes: FloatArray, statistic: ScoreMatrix, level: float) -> tuple[float, float]:
    """Return the error of one system's mean over items and judges at a level, and its degrees of freedom."""
    used = np.flatnonzero(sizes > 0)
    units = statistic.units
    item = np.unique(units.factors[0][used], return_inverse=True)[1].ravel()
    judges, judge = np.unique(units.factors[1][used], return_inverse=True)
    nested = None if units.nested is None else units.nested[judges]
    number = int(item.max()) + 1
    return ByJudge(parts[used] * number, sizes[used] * number, item, judge.ravel(), nested).error(level)
