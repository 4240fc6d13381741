"""Errors, intervals and tests of means that people's labels correct."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.inference.intervals import student
from betterthan.inference.intervals.share_intervals import wilson

#: Labels that happen to agree with the judge do not show that it never errs: a part of a squared step is added.
_UNSEEN = 0.5


@dataclass(frozen=True)
class CorrectedErrors:
    """Variances of corrected means and of their differences, and the degrees of freedom.

    `parts` are what units add to the means (units × systems), and `labels` how many labels each unit has of a system,
    by their weights. `coefficients` says how many predict the labels of a system; `step` is the smallest difference of
    labels.
    """

    parts: FloatArray
    labels: FloatArray
    coefficients: IntArray
    step: float

    @property
    def effective(self) -> FloatArray:
        """How many units of equal size the labels of two systems are worth, of a system on the diagonal."""
        share = self.labels / np.maximum(self.labels.sum(axis=0), 1e-300)
        products = share.T @ share
        own = np.diag(products)
        number: FloatArray = 4 / np.maximum(own[:, None] + own + 2 * products, 1e-300)
        return number

    @property
    def freedom(self) -> FloatArray:
        """Degrees of freedom of differences, of systems on the diagonal."""
        coefficients = np.maximum(self.coefficients[:, None], self.coefficients)
        return np.maximum(self.effective - 1 - coefficients, 1.0)

    @property
    def unseen(self) -> FloatArray:
        """Variances that labels do not show because they are few."""
        own = np.diag(self.effective)
        variance = _UNSEEN * self.step**2 / (own * np.diag(self.freedom))
        overlap = np.where(self.labels > 0, 1.0, 0.0)
        common = overlap.T @ overlap
        number = np.sqrt(np.maximum(np.diag(common), 1.0))
        shared = common / (number[:, None] * number)
        # Labels of the same items miss the same; those of different ones miss both.
        both: FloatArray = variance[:, None] + variance - shared * np.sqrt(variance[:, None] * variance)
        np.fill_diagonal(both, variance)
        return both

    @property
    def variances(self) -> FloatArray:
        """Variances of differences (systems × systems), of systems on the diagonal."""
        effective = self.effective
        products = self.parts.T @ self.parts
        own = np.diag(products)
        between = np.maximum(own[:, None] + own - 2 * products, 0.0)
        np.fill_diagonal(between, own)
        return between * effective / np.maximum(effective - 1, 0.5) + self.unseen


def _rounding(mean: FloatArray) -> float:
    return 1e-12 * float(np.max(np.abs(mean), initial=0.0))


def _beyond_rounding(variances: FloatArray, mean: FloatArray) -> FloatArray:
    """Return variances, 0 where only rounding keeps them from it."""
    return np.where(np.sqrt(variances) > _rounding(mean), variances, 0.0)


def pair_p(mean: FloatArray, errors: CorrectedErrors) -> FloatArray:
    """Return p of the differences of all pairs (systems × systems), by Student's t."""
    variances = _beyond_rounding(errors.variances, mean)
    gap = np.abs(mean[:, None] - mean)
    gap = np.where(gap > _rounding(mean), gap, 0.0)
    error = np.sqrt(np.where(variances > 0, variances, 1.0))
    p = student.two_sided((gap / error).ravel(), errors.freedom.ravel()).reshape(gap.shape)
    p = np.where(variances > 0, p, np.where(gap > 0, np.nan, 1.0))
    np.fill_diagonal(p, 1.0)
    return p


def difference_interval(mean: FloatArray, errors: CorrectedErrors, a: int, b: int, level: float) -> tuple[float, float]:
    """Return the interval of the difference of two corrected means, by Student's t."""
    gap = float(mean[a] - mean[b])
    variance = float(_beyond_rounding(errors.variances, mean)[a, b])
    reach = float(student.quantile(errors.freedom[a, b][None], (1 + level) / 2)[0]) * np.sqrt(variance)
    return gap - reach, gap + reach


def mean_ends(  # noqa: PLR0917 (what an interval is made of)
    mean: FloatArray, errors: CorrectedErrors, spread: FloatArray, bounds: tuple[float, float], two: bool, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of corrected means: Student's, of two-valued labels Wilson's by the effective number of labels.

    `spread` is the variance of every system's labels, and `bounds` those of the scale. An end that nothing bounds is
    infinite.
    """
    variance, freedom = np.diag(_beyond_rounding(errors.variances, mean)), np.diag(errors.freedom)
    least, most = bounds
    if two:
        own = np.diag(errors.effective)
        size = most - least
        share = np.clip((mean - least) / size, 0.0, 1.0)
        known = variance > 0
        number = np.where(known, (spread + _UNSEEN * errors.step**2 / own) / np.where(known, variance, 1.0), own)
        low, high = wilson(share, np.maximum(number, 1.0), level, freedom)
        # A correction may lead beyond the scale, where no share is.
        return least + size * low, least + size * high
    # Labels that never vary, nor the judge's scores, say nothing about how far others may.
    reach = np.where(variance > 0, student.quantile(freedom, (1 + level) / 2) * np.sqrt(variance), np.inf)
    return np.maximum(mean - reach, least), np.minimum(mean + reach, most)
