"""Tests of all pairs of systems."""

import warnings

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.datasets import PairCounts
from betterthan.inference.intervals.pair_shares import shares


def t_tests(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean differences and the paired t-test of all pairs, on the items that both have."""
    size = values.shape[1]
    mean, error, number = np.empty((3, size, size))
    for first in range(size - 1):  # system by system: the differences of all pairs may not fit
        gap = values[:, [first]] - values[:, first + 1 :]
        both = np.sum(~np.isnan(gap), axis=0)
        with np.errstate(all="ignore"):
            average = np.nansum(gap, axis=0) / both
            error[first, first + 1 :] = np.sqrt(np.nansum((gap - average) ** 2, axis=0) / (both - 1) / both)
        mean[first, first + 1 :], number[first, first + 1 :] = average, both
    upper = np.triu_indices(size, 1)
    average, spread, both = mean[upper], error[upper], number[upper]
    with np.errstate(all="ignore"):
        found = 2 * scipy.special.stdtr(both - 1, -np.abs(average) / spread)
    # Differences that are all the same leave no error to go by: they have one sign no more rarely than coins do.
    constant = 2.0 ** (1 - np.minimum(both, 1000))
    found = np.where((average == 0) | (both < 2), 1.0, np.where(spread == 0, constant, found))
    return _both_ways(size, average, -1.0), _both_ways(size, np.where(both == 0, np.nan, found), 1.0, diagonal=1.0)


def mood_tests(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return differences of medians and Mood's test of all pairs, on the items that both have.

    The test takes the two systems' scores as independent samples.
    """
    size = values.shape[1]
    rows = np.ascontiguousarray(values.T)
    alone = None if np.any(np.isnan(rows)) else _medians(rows)  # the same in every pair where no score is missing
    gaps, above_own, above_other, number = np.empty((4, size, size))
    for first in range(size - 1):
        other = rows[first + 1 :]
        own = np.where(np.isnan(other), np.nan, rows[first])
        other = np.where(np.isnan(own), np.nan, other)
        middle = _medians(np.concatenate([own, other], axis=1))[:, None]
        gaps[first, first + 1 :] = (
            _medians(own) - _medians(other) if alone is None else alone[first] - alone[first + 1 :]
        )
        above_own[first, first + 1 :] = np.sum(own > middle, axis=1)
        above_other[first, first + 1 :] = np.sum(other > middle, axis=1)
        number[first, first + 1 :] = np.sum(~np.isnan(other), axis=1)
    upper = np.triu_indices(size, 1)
    both = number[upper]
    p = np.where(both == 0, np.nan, _yates(np.stack([above_own[upper], above_other[upper]]), both))
    return _both_ways(size, gaps[upper], -1.0), _both_ways(size, p, 1.0, diagonal=1.0)


def _medians(rows: FloatArray) -> FloatArray:
    """Return the median of every row, of the values that are there, NaN where there are none."""
    number: IntArray = np.sum(~np.isnan(rows), axis=1)
    size = rows.shape[1]
    if np.all(number == size):  # no value is missing: no row has to be sorted
        middle = ((size - 1) // 2, size // 2)
        both: FloatArray = np.partition(rows, middle, axis=1)[:, middle].mean(axis=1)
        return both
    ordered = np.sort(rows, axis=1)  # NaN last
    every = np.arange(len(rows))
    median: FloatArray = (ordered[every, np.maximum(number - 1, 0) // 2] + ordered[every, number // 2 % size]) / 2
    return median


def _yates(above: FloatArray, number: FloatArray) -> FloatArray:
    """Return p of the 2 × 2 tables of above and not above in two samples of equal size, with Yates' correction."""
    expected = np.stack([above.sum(axis=0) / 2, number - above.sum(axis=0) / 2])  # the same in both samples
    off = np.abs(above[0] - expected[0])
    off = off - np.minimum(0.5, off)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = 2 * off**2 * (1 / expected[0] + 1 / expected[1])
    # Where no score, or every one, exceeds the common median, nothing can be said.
    return np.where(np.min(expected, axis=0) > 0, scipy.special.chdtrc(1, np.nan_to_num(statistic)), 1.0)


def sign_tests(counts: PairCounts) -> FloatArray:
    """Return the sign test of all pairs that met, ties left out: exact where every unit decides once, else robust."""
    p = np.full((counts.size, counts.size), np.nan)
    p[counts.first, counts.second] = p[counts.second, counts.first] = shares(counts).sign_p()
    np.fill_diagonal(p, 1.0)
    return p


def _both_ways(size: int, upper: FloatArray, sign: float, diagonal: float = 0.0) -> FloatArray:
    """Return systems × systems from the pairs of the upper triangle; `sign` says what a pair is worth reversed."""
    matrix = np.full((size, size), diagonal)
    first, second = np.triu_indices(size, 1)
    matrix[first, second], matrix[second, first] = upper, sign * upper
    return matrix


def median_differences(values: FloatArray) -> FloatArray:
    """Return the median difference of all pairs, on the items that both have."""
    size = values.shape[1]
    gaps = np.zeros((size, size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of pairs that share no item
        for first in range(size - 1):
            gap = np.nanmedian(values[:, [first]] - values[:, first + 1 :], axis=0)
            gaps[first, first + 1 :], gaps[first + 1 :, first] = gap, -gap
    return gaps
