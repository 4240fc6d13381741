"""Tests of every pair of systems at once."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from betterthan.arrays import FloatArray
from betterthan.reduce.pairs import PairCounts


def t_tests(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean differences and the paired t-test of all pairs, on the instances that both have."""
    size = values.shape[1]
    means, p = np.zeros((size, size)), np.ones((size, size))
    for first in range(size - 1):
        gap = values[:, [first]] - values[:, first + 1 :]
        number = np.sum(~np.isnan(gap), axis=0)
        with np.errstate(all="ignore"):
            mean = np.nansum(gap, axis=0) / number
            spread = np.sqrt(np.nansum((gap - mean) ** 2, axis=0) / (number - 1) / number)
            found = 2 * stats.t.sf(np.abs(mean) / spread, number - 1)
        found = np.where((mean == 0) | (number < 2), 1.0, np.where(spread == 0, 0.0, found))
        p[first, first + 1 :] = p[first + 1 :, first] = np.where(number == 0, np.nan, found)
        means[first, first + 1 :], means[first + 1 :, first] = mean, -mean
    return means, p


def mood_tests(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return differences of medians and Mood's test of all pairs, on the instances that both have.

    The test takes the two systems' scores as independent samples.
    """
    size = values.shape[1]
    gaps, p = np.zeros((size, size)), np.ones((size, size))
    for first in range(size - 1):
        others = values[:, first + 1 :]
        own = np.where(np.isnan(others), np.nan, values[:, [first]])
        others = np.where(np.isnan(own), np.nan, others)
        number = np.sum(~np.isnan(others), axis=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of pairs that share no instance
            gap = np.nanmedian(own, axis=0) - np.nanmedian(others, axis=0)
            middle = np.nanmedian(np.concatenate([own, others]), axis=0)
        above = np.stack([np.sum(own > middle, axis=0), np.sum(others > middle, axis=0)]).astype(float)
        found = np.where(number == 0, np.nan, _yates(above, number))
        gaps[first, first + 1 :], gaps[first + 1 :, first] = gap, -gap
        p[first, first + 1 :] = p[first + 1 :, first] = found
    return gaps, p


def _yates(above: FloatArray, number: NDArray[Any]) -> FloatArray:
    """Return p of the 2 × 2 tables of above and not above in two samples of equal size, with Yates' correction."""
    expected = np.stack([above.sum(axis=0) / 2, number - above.sum(axis=0) / 2])  # the same in both samples
    off = np.abs(above[0] - expected[0])
    off = off - np.minimum(0.5, off)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = 2 * off**2 * (1 / expected[0] + 1 / expected[1])
    # Where no score, or every one, exceeds the common median, nothing can be said.
    return np.where(np.min(expected, axis=0) > 0, stats.chi2.sf(np.nan_to_num(statistic), 1), 1.0)


def sign_tests(counts: PairCounts) -> FloatArray:
    """Return the exact sign test of all pairs that met, ties left out."""
    p = np.full((counts.size, counts.size), np.nan)
    won, _, lost = np.round(counts.outcomes)
    number, fewer = won + lost, np.minimum(won, lost)
    found = np.where(number > 0, np.minimum(2 * stats.binom.cdf(fewer, np.maximum(number, 1), 0.5), 1.0), 1.0)
    p[counts.first, counts.second] = p[counts.second, counts.first] = found
    np.fill_diagonal(p, 1.0)
    return p
