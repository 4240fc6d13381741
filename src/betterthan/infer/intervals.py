"""Percentile intervals, read from draws on the scale that is shown."""

import numpy as np

from betterthan.arrays import BoolArray, FloatArray

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
