"""An estimate with its interval."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from betterthan.base import scipy

#: Values that differ by less than this share of their mean are equal but for rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Estimate:
    """A value and its interval; open or undefined ends are None."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def known(self) -> float:
        """The value, where there is one."""
        if self.value is None:
            raise ValueError("this estimate has no value")
        return self.value

    def ends(self, digits: int) -> str:
        """Return the interval as text, nothing where it is open or unknown.

        >>> Estimate(0.5, 0.25, 0.75).ends(2)
        '0.25 … 0.75'
        """
        if self.low is None or self.high is None:
            return ""
        return f"{self.low:.{digits}f} … {self.high:.{digits}f}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def mean_of(
    values: Sequence[float],
    level: float,
    within: tuple[float, float] = (-np.inf, np.inf),
    clusters: Sequence[str] | None = None,
) -> Estimate:
    """Return the mean with Student's interval, as far as it is possible, of the values that are known.

    Values of one of the `clusters` depend on each other: the interval is then one over clusters.

    >>> found = mean_of([1.0, 2.0, 3.0, float("nan")], 0.95, (0.0, np.inf))
    >>> found.known, found.low, round(found.high, 3)
    (2.0, 0.0, 4.484)
    >>> mean_of([1.0] * 20, 0.95, (0.0, 1.0)).ends(3)
    '0.832 … 1.000'
    """
    there = ~np.isnan(np.asarray(values, dtype=float))
    kept = np.asarray(values, dtype=float)[there]
    if not len(kept):
        return Estimate(None, None, None)
    mean = float(kept.mean())
    _, of = np.unique(np.arange(len(kept)) if clusters is None else np.asarray(clusters)[there], return_inverse=True)
    sums = np.bincount(of, weights=kept - mean)  # of every cluster; they add up to 0
    if len(sums) < 2:
        return Estimate(mean, None, None)
    if np.ptp(kept) <= _ROUNDING * abs(mean) and np.all(np.isfinite(within)):
        return _of_equal(mean, len(sums), level, within)
    error = np.sqrt(len(sums) / (len(sums) - 1) * np.sum(sums**2)) / len(kept)
    half = float(scipy.stats.t.ppf((1 + level) / 2, len(sums) - 1) * error)
    return Estimate(mean, max(mean - half, within[0]), min(mean + half, within[1]))


def _of_equal(value: float, number: int, level: float, within: tuple[float, float]) -> Estimate:
    """Return an interval where all values are equal, which Student's t takes for certainty.

    Other values have at most the share that is not seen in this number of draws; the mean is as far away as that share
    of the extremes takes it.
    """
    unseen = 1 - ((1 - level) / 2) ** (1 / number)
    return Estimate(value, *(value + unseen * (end - value) for end in within))


def share_of(marks: Sequence[bool], level: float) -> Estimate:
    """Return a share with its exact interval (Clopper and Pearson).

    >>> share_of([True, False, False], 0.95).known
    0.3333333333333333
    """
    number, total = sum(marks), len(marks)
    found = scipy.stats.binomtest(number, total).proportion_ci(level)
    return Estimate(number / total, float(found.low), float(found.high))
