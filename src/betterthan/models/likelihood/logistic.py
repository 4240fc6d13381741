"""Logistic chances and totals of worths, as scipy.special computes them, but for rounding.

Nearly every ranking needs these two and nothing else of scipy.special, which takes longer to load than a small fit.
"""

import numpy as np

from betterthan.arrays import FloatArray


def logistic(gap: FloatArray) -> FloatArray:
    """Return 1 / (1 + e^−gap).

    >>> logistic(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    with np.errstate(over="ignore"):  # the reciprocal of infinity is the 0 that it should be
        chance: FloatArray = np.negative(gap)
        np.exp(chance, out=chance)
    chance += 1.0
    return np.divide(1.0, chance, out=chance)


def log_total(strength: FloatArray) -> FloatArray:
    """Return log Σ e^strength over the last axis, which stays; the largest ones are taken out for precision.

    >>> log_total(np.log([1.0, 2.0, 5.0])).round(12) == np.log(8).round(12)
    array([ True])
    """
    largest = strength.max(axis=-1, keepdims=True)
    at_it = strength == largest
    number = at_it.sum(axis=-1, keepdims=True)
    rest = np.sum(np.where(at_it, 0.0, np.exp(strength - largest)), axis=-1, keepdims=True)
    total: FloatArray = np.log1p(rest / number) + np.log(number) + largest
    return total
