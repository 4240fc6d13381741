"""The standard error of a mean over units of unequal size, and its degrees of freedom."""

import numpy as np

from betterthan.base import FloatArray

#: A unit with all but this share of everything leaves nothing to compare it with.
_ALONE = 1e-9


def clustered_error(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the errors and degrees of freedom of means from sums and sizes of units (units first).

    The error is that of the jackknife over units. The degrees of freedom are Bell and McCaffrey's (2002), by
    Satterthwaite's approximation for independent items. Units of equal size have Student's error and units − 1. Both
    are NaN where one unit has all the items.

    >>> error, freedom = clustered_error(np.array([1.0, 2.0, 6.0]), np.ones(3))
    >>> round(float(error), 4), round(float(freedom), 4)
    (1.5275, 2.0)
    """
    total, units = sizes.sum(axis=0), np.maximum(np.sum(sizes > 0, axis=0), 1)
    total = np.where(total > 0, total, np.nan)  # nothing is known about the mean of nothing
    share = sizes / total
    gaps = sums / total - sums.sum(axis=0) / total * share
    left = np.where(share < 1 - _ALONE, 1 - share, np.nan)
    error = np.sqrt(np.sum((gaps / left) ** 2, axis=0) * (units - 1) / units)
    lost = share**2 / left
    freedom = 1 / (np.sum(share**2, axis=0) + np.sum(lost, axis=0) ** 2 - np.sum(lost**2, axis=0))
    return error, freedom
