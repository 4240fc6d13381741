"""Intervals read from draws: percentiles on the scale that is shown, and bias-corrected ones."""

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.late import scipy

#: Lower and upper ends per system.
Ends = tuple[list[float | None], list[float | None]]


def percentile(
    scores: FloatArray,
    level: float,
    open_low: BoolArray,
    open_high: BoolArray,
    bounds: tuple[float, float] | None = None,
) -> Ends:
    """Return lower and upper ends per system (scores: draws × systems); None where the evidence sets no end."""
    tail = (1 - level) / 2
    low, high = np.quantile(scores, [tail, 1 - tail], axis=0)
    if bounds is not None:  # draws are spread as widely as few units ask for, beyond what is possible
        low, high = np.clip(low, *bounds), np.clip(high, *bounds)
    return (
        [None if is_open else float(value) for value, is_open in zip(low, open_low, strict=True)],
        [None if is_open else float(value) for value, is_open in zip(high, open_high, strict=True)],
    )


def bias_corrected(draws: FloatArray, estimate: FloatArray, left_out: FloatArray, level: float) -> FloatArray:
    """Return the ends of BCa intervals (2 × systems) from draws and estimates without each block of units.

    `draws` are draws × systems and `left_out` blocks × systems. Statistics such as F1 are biased and skewed in small
    samples, and percentiles would double the bias (Efron 1987, Better bootstrap confidence intervals).
    """
    below = np.sum(draws < estimate, axis=0) + 0.5 * np.sum(draws == estimate, axis=0)
    centre = scipy.special.ndtri((below + 0.5) / (len(draws) + 1))
    away = left_out.mean(axis=0) - left_out
    spread = np.sum(away**2, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = np.where(spread > 0, np.sum(away**3, axis=0) / (6 * spread**1.5), 0.0)
    ends = np.empty((2, draws.shape[1]))
    for end, tail in enumerate(((1 - level) / 2, (1 + level) / 2)):
        normal = centre + scipy.special.ndtri(tail)
        shares = scipy.special.ndtr(centre + normal / np.maximum(1 - acceleration * normal, 0.1))
        ends[end] = [np.quantile(column, share) for column, share in zip(draws.T, shares, strict=True)]
    return ends
