"""Intervals and p-values of means that people's labels correct."""

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import GoldMatrix
from betterthan.inference import corrected_means, draw_intervals, mean_intervals
from betterthan.models import Fit, GoldRegression


def errors_of(statistic: GoldMatrix) -> corrected_means.CorrectedErrors:
    """Return the errors of corrected means by the units of the evidence."""
    return statistic.made("errors", lambda: _errors(statistic))


def _errors(statistic: GoldMatrix) -> corrected_means.CorrectedErrors:
    found = GoldRegression.of(statistic)
    labels = statistic.labelled * statistic.weight
    parts, counted = (np.asarray(statistic.units.gradients(each)) for each in (found.influences.parts, labels))
    return corrected_means.CorrectedErrors(parts, counted, found.coefficients, statistic.step)


def corrected_intervals(statistic: GoldMatrix, fit: Fit, level: float) -> draw_intervals.Ends:
    """Return the ends of every system's corrected mean, as scores were given."""
    labels = statistic.gold
    least, most = mean_intervals.scale_of(labels)
    known = labels[statistic.labelled]
    two = bool(np.all((known == least) | (known == most)))
    spread = np.nanvar(labels, axis=0)
    low, high = corrected_means.mean_ends(fit.strength, errors_of(statistic), spread, (least, most), two, level)
    if fit.lower_is_better:
        low, high = -high, -low
    lower, upper = ([float(each) if np.isfinite(each) else None for each in end] for end in (low, high))
    return lower, upper


def corrected_pair_p(statistic: GoldMatrix) -> FloatArray:
    """Return p of all pairs' differences of corrected means (systems × systems)."""
    return corrected_means.pair_p(GoldRegression.of(statistic).mean, errors_of(statistic))
