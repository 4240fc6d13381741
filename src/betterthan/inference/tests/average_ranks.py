"""Average ranks and critical differences, without loading scipy.stats."""

import numpy as np

from betterthan.base import FloatArray, scipy

#: The normal density is negligible beyond this, and smooth enough for that many equal steps in between.
_REACH, _STEPS = 9.0, 2001


def average_ranks(values: FloatArray) -> FloatArray:
    """Rank every row, 1 the smallest; equal values share the mean of their ranks.

    >>> average_ranks(np.array([[3.0, 1.0, 3.0, 2.0]])).tolist()
    [[3.5, 1.0, 3.5, 2.0]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    line = np.take_along_axis(values, order, axis=1)
    place = np.arange(1, values.shape[1] + 1)
    edge = np.ones((len(values), 1), dtype=bool)
    apart = line[:, 1:] != line[:, :-1]
    first = np.maximum.accumulate(np.where(np.hstack([edge, apart]), place, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack([apart, edge]), place, len(place))[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    return ranks


def studentised_range(level: float, systems: int) -> float:
    """Return the quantile of the range of that many independent standard normal values.

    >>> round(studentised_range(0.95, 3), 4)
    3.3145
    """
    smallest = np.linspace(-_REACH, _REACH, _STEPS)
    density = np.exp(-(smallest**2) / 2) / np.sqrt(2 * np.pi) * (smallest[1] - smallest[0])

    def chance(reach: float) -> float:
        within = scipy.special.ndtr(smallest + reach) - scipy.special.ndtr(smallest)
        return float(systems * np.sum(density * within ** (systems - 1)))

    low, high = 0.0, 2 * _REACH
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) < level else (low, middle)
    return high
