"""Intervals and tests over splits that share evidence (Nadeau & Bengio 2003).

The mean over splits varies more than that many independent numbers would: every split trains and tests on judgments of
the others. Their corrected variance multiplies that of the splits by 1/splits + test/training instead of 1/splits.
"""

import numpy as np
from scipy import stats

from betterthan.base import FloatArray
from betterthan.inference import Estimate

#: Solvers agree up to this; smaller differences of measures are theirs, not the models'.
_DIGITS = 8


def estimate(
    values: FloatArray, ratio: float, level: float, within: tuple[float, float] = (-np.inf, np.inf)
) -> Estimate:
    """Return the mean over splits with its corrected interval, as far as it is possible.

    `ratio` is that of test to training.
    """
    mean = float(np.mean(values))
    reach = float(stats.t.ppf((1 + level) / 2, len(values) - 1)) * standard_error(values, ratio)
    return Estimate(mean, max(mean - reach, within[0]), min(mean + reach, within[1]))


def difference(a: FloatArray, b: FloatArray, ratio: float, level: float) -> tuple[Estimate, float]:
    """Return the mean of a − b over the same splits with its interval, and the p of no difference."""
    values = np.round(a - b, _DIGITS)
    found, error = estimate(values, ratio, level), standard_error(values, ratio)
    if error == 0.0:  # the same in every split: there is nothing to scale an interval or a test with
        return Estimate(found.value, None, None), 1.0
    return found, float(2 * stats.t.sf(abs(found.known) / error, len(values) - 1))


def standard_error(values: FloatArray, ratio: float) -> float:
    """Return the corrected resampled standard error of the mean.

    >>> round(standard_error(np.array([1.0, 2.0, 3.0]), 0.5), 6)  # √(1 · (1/3 + 1/2))
    0.912871
    """
    return float(np.sqrt(np.var(values, ddof=1) * (1 / len(values) + ratio)))
