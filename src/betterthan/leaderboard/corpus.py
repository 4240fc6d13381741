"""Intervals of scores of a whole test set."""

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.infer.intervals import Ends, bias_corrected
from betterthan.models.base import Fit
from betterthan.reduce.parts import ItemParts


def corpus_intervals(statistic: ItemParts, fit: Fit, scores: FloatArray, level: float) -> Ends:
    """Return the ends of every system's interval, given the scores of all draws (draws × systems)."""
    estimate = -fit.strength if fit.lower_is_better else fit.strength
    left_out = np.where(np.isnan(found := statistic.without().T), estimate, found)
    low, high = bias_corrected(scores, estimate, left_out, level)
    if statistic.metric.bounds is not None:  # draws are spread beyond what is possible
        low, high = np.clip(low, *statistic.metric.bounds), np.clip(high, *statistic.metric.bounds)
    unknown = fit.open_low | fit.open_high
    return (
        [None if is_open else float(end) for end, is_open in zip(low, unknown, strict=True)],
        [None if is_open else float(end) for end, is_open in zip(high, unknown, strict=True)],
    )
