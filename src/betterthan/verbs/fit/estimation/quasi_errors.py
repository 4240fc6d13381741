"""Quasi standard errors: one per system, from which the error of any difference follows."""

import numpy as np

from betterthan.base import FloatArray

_STEPS = 100


def quasi_errors(covariance: FloatArray) -> FloatArray | None:
    """Return one error per system such that the variance of a difference is nearly the sum of two squares.

    As in Firth and de Menezes (2004), the squared logarithms of the ratios between the two are least. None where two
    systems cannot be distinguished at all, or where there are fewer than three.
    """
    size = len(covariance)
    if size < 3 or not np.all(np.isfinite(covariance)):
        return None
    first, second = np.triu_indices(size, 1)
    variance = np.diag(covariance)[first] + np.diag(covariance)[second] - 2 * covariance[first, second]
    if np.any(variance <= 0):
        return None
    log = np.log(np.bincount(first, variance, size) + np.bincount(second, variance, size)) - np.log(2 * (size - 1))
    for _ in range(_STEPS):  # Gauss and Newton's
        quasi = np.exp(log)
        both = quasi[first] + quasi[second]
        gap = np.log(both) - np.log(variance)
        one, two = quasi[first] / both, quasi[second] / both
        normal = np.diag(np.bincount(first, one**2, size) + np.bincount(second, two**2, size))
        normal[first, second] += one * two
        normal[second, first] += one * two
        try:
            step = np.linalg.solve(normal, np.bincount(first, one * gap, size) + np.bincount(second, two * gap, size))
        except np.linalg.LinAlgError:  # variances so different that none would fit
            return None
        log = log - np.clip(step, -2.0, 2.0)
        if float(np.abs(step).max()) < 1e-12:
            break
    errors: FloatArray = np.exp(log / 2)
    return errors
