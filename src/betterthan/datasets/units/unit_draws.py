"""Bootstrap weights: how often each unit, or each kind of judgment, occurs in every resample."""

import numpy as np

from betterthan.base import FloatArray, IntArray

#: Units drawn at once; more leave the processor's own memory.
AT_ONCE = 1 << 17


def draw_multinomial(rng: np.random.Generator, times: FloatArray, resamples: int) -> IntArray:
    """Draw as many judgments as there are from cells with these numbers of them (cells × resamples), exactly.

    Twice as fast as NumPy's multinomial, because independent Poisson counts are multinomial given their sum. Judgments
    are added or removed at random until the sum is right.
    """
    drawn: IntArray = rng.poisson(times[:, None], size=(len(times), resamples))
    ends = np.cumsum(times)
    size = round(float(ends[-1]))
    for column, total in enumerate(drawn.sum(axis=0)):
        if total < size:
            more = np.searchsorted(ends, rng.integers(size, size=size - total), side="right")
            drawn[:, column] += np.bincount(more, minlength=len(times))
        elif total > size:
            places = rng.choice(total, total - size, replace=False, shuffle=False)
            fewer = np.searchsorted(np.cumsum(drawn[:, column]), places, side="right")
            drawn[:, column] -= np.bincount(fewer, minlength=len(times))
    return drawn


def draw_nested(rng: np.random.Generator, parent: IntArray, resamples: int) -> FloatArray:
    """Return how often each unit is drawn, where as many as there are belong to each parent (units × resamples)."""
    weights = np.empty((len(parent), resamples))
    for one in np.unique(parent):
        own = np.flatnonzero(parent == one)
        weights[own] = draw_weights(rng, len(own), resamples)
    return weights


def draw_weights(rng: np.random.Generator, size: int, resamples: int) -> FloatArray:
    """Return how often each of `size` units is drawn in each resample (size × resamples)."""
    weights = np.empty((resamples, size))
    step = max(1, AT_ONCE // size)
    for begin in range(0, resamples, step):
        number = min(step, resamples - begin)
        drawn = rng.integers(size, size=(number, size))
        drawn += np.arange(number)[:, None] * size
        found = np.bincount(drawn.ravel(), minlength=number * size)
        weights[begin : begin + number] = found.reshape(number, size)
    return weights.T
