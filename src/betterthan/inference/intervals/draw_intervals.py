"""Intervals from bootstrap draws: percentile and bias-corrected."""

import numpy as np

from betterthan.base import BoolArray, FloatArray, scipy

#: Lower and upper ends per system.
Ends = tuple[list[float | None], list[float | None]]


#: Ends that are closer than this share of their size are the same.
_SAME = 1e-9


def percentile(
    scores: FloatArray,
    level: float,
    open_low: BoolArray,
    open_high: BoolArray,
    bounds: tuple[float, float] | None = None,
) -> Ends:
    """Return lower and upper ends per system (scores: draws × systems); None where the evidence sets no end."""
    tail = (1 - level) / 2
    low, high = _quantiles(scores, (tail, 1 - tail))
    if bounds is not None:  # draws are widened for few units, beyond the possible range
        low, high = np.clip(low, *bounds), np.clip(high, *bounds)
    return (
        [None if is_open else float(value) for value, is_open in zip(low, open_low, strict=True)],
        [None if is_open else float(value) for value, is_open in zip(high, open_high, strict=True)],
    )


def open_where_nothing_varies(ends: Ends) -> Ends:
    """Return intervals without those of no width: units that all agree do not say how far others may be.

    >>> open_where_nothing_varies(([0.5, 0.25, None], [0.5, 0.75, 1.0]))
    ([None, 0.25, None], [None, 0.75, 1.0])
    """
    same = [
        low is not None and high is not None and abs(high - low) <= _SAME * max(abs(low), 1.0)
        for low, high in zip(*ends, strict=True)
    ]
    low, high = ([None if gone else end for end, gone in zip(side, same, strict=True)] for side in ends)
    return low, high


def hull(one: Ends, other: Ends) -> Ends:
    """Return the smallest intervals that hold those of both; None is open.

    >>> hull(([0.0, None], [1.0, 2.0]), ([0.5, None], [1.5, 1.0]))
    ([0.0, None], [1.5, 2.0])
    """
    low = [None if a is None or b is None else min(a, b) for a, b in zip(one[0], other[0], strict=True)]
    high = [None if a is None or b is None else max(a, b) for a, b in zip(one[1], other[1], strict=True)]
    return low, high


def _quantiles(draws: FloatArray, shares: tuple[float, float]) -> list[FloatArray]:
    """Return quantiles of every column, those of np.quantile: it loads masked arrays, which takes longer than this."""
    ordered, last = np.sort(draws, axis=0), len(draws) - 1
    found = []
    for share in shares:
        place = int(share * last)
        low, high, part = ordered[place], ordered[min(place + 1, last)], share * last - place
        between = low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
        found.append(np.where(np.isnan(ordered[-1]), np.nan, between))
    return found


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
