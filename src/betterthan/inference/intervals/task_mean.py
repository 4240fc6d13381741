"""The mean difference over several tasks with independent errors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from betterthan.inference.intervals.estimate import Estimate
from betterthan.inference.tests.paired_tests import Differences, standard_error


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


def overall(tasks: Sequence[TaskMean], level: float) -> tuple[Estimate, float | None]:
    """Return the mean over tasks with its interval, and the p that there is no difference.

    Tasks count equally. Degrees of freedom are Satterthwaite's.

    >>> found, p = overall([TaskMean(0.2, 0.01, 20), TaskMean(0.0, 0.01, 20)], 0.95)
    >>> round(found.known, 3), round(found.low, 3), round(found.high, 3), round(p, 3)
    (0.1, -0.043, 0.243, 0.165)
    """
    from scipy import stats  # noqa: PLC0415 (only where tasks are compared)

    value = float(np.mean([task.value for task in tasks]))
    parts = np.array([task.variance for task in tasks]) / len(tasks) ** 2
    variance = float(parts.sum())
    if not variance > 0:  # no task varies, or one has a single unit
        return Estimate(value, None, None), None
    freedom = variance**2 / float(np.sum(parts**2 / np.array([max(task.freedom, 1) for task in tasks])))
    reach = float(stats.t.ppf((1 + level) / 2, freedom)) * variance**0.5
    p = 2 * float(stats.t.sf(abs(value) / variance**0.5, freedom))
    return Estimate(value, value - reach, value + reach), p
