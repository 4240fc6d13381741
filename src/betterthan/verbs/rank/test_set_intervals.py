"""Intervals of corpus-level scores."""

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import ItemParts
from betterthan.inference import draw_intervals, effective_size
from betterthan.models import Fit


def corpus_intervals(statistic: ItemParts, fit: Fit, scores: FloatArray, level: float) -> draw_intervals.Ends:
    """Return the ends of every system's interval, given the scores of all draws (draws × systems)."""
    estimate = -fit.strength if fit.lower_is_better else fit.strength
    found = _by_influence(statistic, estimate, level)
    low, high = _by_draws(statistic, estimate, scores, level) if found is None else found
    unknown = fit.open_low | fit.open_high | np.isnan(low)
    return (
        [None if is_open else float(end) for end, is_open in zip(low, unknown, strict=True)],
        [None if is_open else float(end) for end, is_open in zip(high, unknown, strict=True)],
    )


def _by_draws(statistic: ItemParts, estimate: FloatArray, scores: FloatArray, level: float) -> FloatArray:
    """Return BCa intervals (2 × systems)."""
    left_out = np.where(np.isnan(found := statistic.without().T), estimate, found)
    ends = draw_intervals.bias_corrected(scores, estimate, left_out, level)
    bounds = statistic.metric.bounds
    return ends if bounds is None else np.clip(ends, *bounds)  # draws are spread beyond what is possible


def _by_influence(statistic: ItemParts, estimate: FloatArray, level: float) -> FloatArray | None:
    """Return intervals from the influence of items (2 × systems, NaN where there is none), None for other metrics."""
    metric, ends = statistic.metric, np.full((2, statistic.size), np.nan)
    unit = statistic.units.factors[0] if statistic.units.factors else np.arange(len(statistic.parts))
    for place, there in enumerate(statistic.there.T):
        influence = metric.influence(statistic.parts[there, place])
        if influence is None or metric.bounds is None:
            return None
        own = np.unique(unit[there], return_inverse=True)[1].ravel()
        found = effective_size.score_interval(float(estimate[place]), influence, own, metric.bounds, level)
        if found is not None:
            ends[:, place] = found
    return ends
