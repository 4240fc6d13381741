"""Intervals of corpus-level scores."""

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import ItemParts
from betterthan.inference import draw_intervals
from betterthan.models import Fit


def corpus_intervals(statistic: ItemParts, fit: Fit, scores: FloatArray, level: float) -> draw_intervals.Ends:
    """Return the ends of every system's interval, given the scores of all draws (draws × systems)."""
    estimate = -fit.strength if fit.lower_is_better else fit.strength
    left_out = np.where(np.isnan(found := statistic.without().T), estimate, found)
    low, high = draw_intervals.bias_corrected(scores, estimate, left_out, level)
    if statistic.metric.bounds is not None:  # draws are spread beyond what is possible
        low, high = np.clip(low, *statistic.metric.bounds), np.clip(high, *statistic.metric.bounds)
    unknown = fit.open_low | fit.open_high
    return (
        [None if is_open else float(end) for end, is_open in zip(low, unknown, strict=True)],
        [None if is_open else float(end) for end, is_open in zip(high, unknown, strict=True)],
    )
