"""The mean difference over several tasks with independent errors, and how much it varies between tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.inference.intervals.estimate import Estimate
from betterthan.inference.tests.paired_tests import Differences, standard_error

#: An error below this share of the values is that of floating-point numbers.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class TaskMean:
    """The mean difference of one task, its variance and degrees of freedom."""

    value: float
    variance: float
    freedom: float

    @classmethod
    def of(cls, differences: Differences) -> "TaskMean":
        """Take paired differences of items; those of one group, or by one judge, are dependent."""
        mean, (error, freedom) = float(differences.values.mean()), standard_error(differences)
        return cls(mean, error**2, freedom) if freedom >= 1 else cls(mean, np.nan, 0)


@dataclass(frozen=True)
class Heterogeneity:
    """Cochran's Q of the differences of tasks with its p-value, and I²: the share of their variation beyond chance."""

    q: float
    df: int
    p: float
    i_squared: float


def overall(tasks: Sequence[TaskMean], level: float, *, random: bool = False) -> tuple[Estimate, float | None]:
    """Return the mean over tasks with its interval, and the p that there is no difference.

    Tasks count equally. The error on these tasks adds up those of the tasks, with Satterthwaite's degrees of freedom.
    `random` tasks are a sample of others: their means vary between tasks, which includes the error within them. The
    more cautious of both errors counts, with at most as many degrees of freedom as there are further tasks.

    >>> found, p = overall([TaskMean(0.2, 0.01, 20), TaskMean(0.0, 0.01, 20)], 0.95)
    >>> round(found.known, 3), round(found.low, 3), round(found.high, 3), round(p, 3)
    (0.1, -0.043, 0.243, 0.165)
    >>> found, p = overall([TaskMean(0.2, 0.01, 20), TaskMean(0.0, 0.01, 20)], 0.95, random=True)
    >>> round(found.known, 3), round(found.low, 3), round(found.high, 3), round(p, 3)
    (0.1, -1.171, 1.371, 0.5)
    """
    from scipy import stats  # noqa: PLC0415 (only where tasks are compared)

    values = np.array([task.value for task in tasks])
    value, (error, freedom) = float(values.mean()), _error_on_these(tasks)
    errors = [(error, freedom)]
    if random:
        between = float(values.std(ddof=1)) / len(tasks) ** 0.5
        errors = [(between, len(tasks) - 1), (error, min(freedom, len(tasks) - 1))]
    known = [(each, df) for each, df in errors if each > _ROUNDING * np.abs(values).max()]
    if not known:  # nothing varies, or a task has a single unit
        return Estimate(value, None, None), None
    reach = max(float(stats.t.ppf((1 + level) / 2, df)) * each for each, df in known)
    p = max(2 * float(stats.t.sf(abs(value) / each, df)) for each, df in known)
    return Estimate(value, value - reach, value + reach), p


def heterogeneity(tasks: Sequence[TaskMean]) -> Heterogeneity | None:
    """Return how much the differences of tasks vary (Cochran 1954; Higgins & Thompson 2002).

    None where the error of a task is not known, or 0: then it cannot be weighted.

    >>> found = heterogeneity([TaskMean(0.6, 0.01, 20), TaskMean(0.0, 0.01, 20), TaskMean(0.3, 0.01, 20)])
    >>> round(found.q, 3), found.df, round(found.p, 6), round(found.i_squared, 3)
    (18.0, 2, 0.000123, 0.889)
    """
    from scipy import stats  # noqa: PLC0415 (only where tasks are compared)

    values, variances = (np.array([getattr(task, name) for task in tasks]) for name in ("value", "variance"))
    if not np.all(variances > 0):
        return None
    weights, df = 1 / variances, len(tasks) - 1
    q = float(np.sum(weights * (values - np.average(values, weights=weights)) ** 2))
    return Heterogeneity(q, df, float(stats.chi2.sf(q, df)), max(0.0, (q - df) / q) if q > 0 else 0.0)


def _error_on_these(tasks: Sequence[TaskMean]) -> tuple[float, float]:
    """Return the standard error of the mean over these tasks alone, and its degrees of freedom."""
    parts = np.array([task.variance for task in tasks]) / len(tasks) ** 2
    variance = float(parts.sum())
    if not variance > 0:
        return 0.0, 0.0
    return variance**0.5, variance**2 / float(np.sum(parts**2 / np.array([max(task.freedom, 1) for task in tasks])))
