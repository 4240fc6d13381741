"""Tail probabilities from SciPy's special functions, which load ten times faster than `scipy.stats`."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from betterthan.base import FloatArray, scipy


def t_above(value: Any, freedom: Any) -> Any:
    """Return the chance that Student's t exceeds a value; with infinite degrees of freedom it is normal.

    >>> round(float(t_above(2.0, 10)), 6), round(float(t_above(2.0, np.inf)), 6)
    (0.036694, 0.02275)
    """
    normal = np.isinf(freedom)
    return np.where(
        normal, scipy.special.ndtr(-np.asarray(value)), scipy.special.stdtr(np.where(normal, 1.0, freedom), -value)
    )


def t_quantile(chance: float, freedom: float) -> float:
    """Return the value below which Student's t is with this chance.

    >>> round(t_quantile(0.975, 10), 6), round(t_quantile(0.975, np.inf), 6)
    (2.228139, 1.959964)
    """
    found = scipy.special.ndtri(chance) if np.isinf(freedom) else scipy.special.stdtrit(freedom, chance)
    return float(found)


def binomial_up_to(hits: ArrayLike, number: ArrayLike, chance: ArrayLike) -> FloatArray:
    """Return the chance of that many hits or fewer.

    >>> binomial_up_to([-1, 2, 4], 4, 0.5).tolist()
    [0.0, 0.6875, 1.0]
    """
    hits, number, chance = (np.asarray(each, dtype=np.float64) for each in (hits, number, chance))
    inside = (hits >= 0) & (hits < number)
    fewer = np.where(inside, hits, 0.0)
    below = scipy.special.betainc(np.where(inside, number - fewer, 1.0), fewer + 1, 1 - chance)
    return np.where(inside, below, np.where(hits < 0, 0.0, 1.0))


def binomial_from(hits: ArrayLike, number: ArrayLike, chance: ArrayLike) -> FloatArray:
    """Return the chance of that many hits or more.

    >>> binomial_from([0, 3, 5], 4, 0.5).tolist()
    [1.0, 0.3125, 0.0]
    """
    hits, number, chance = (np.asarray(each, dtype=np.float64) for each in (hits, number, chance))
    inside = (hits > 0) & (hits <= number)
    more = np.where(inside, hits, 1.0)
    above = scipy.special.betainc(more, np.where(inside, number - more + 1, 1.0), chance)
    return np.where(inside, above, np.where(hits <= 0, 1.0, 0.0))
