"""Mean differences of all pairs of systems, each with the p-value that a comparison of the two finds."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.datasets import RatingMatrix, sparse_matrices
from betterthan.inference.intervals.clustered_error import clustered_error
from betterthan.inference.intervals.crossed_means import ByJudge
from betterthan.inference.intervals.questions import recommended_for_mean
from betterthan.inference.intervals.share_intervals import binomial_mid_p
from betterthan.inference.intervals.studentised import RESAMPLES, studentise_together
from betterthan.inference.tests.paired_tests import Differences, t_test
from betterthan.inference.tests.sign_flips import EXACT, FLIPS, NORMAL, flip, flip_each

#: Scores of pairs that are examined one by one, and how many a pair counts as in any case.
_SCORES, _EACH = 6_000_000, 3_000
#: Numbers that all flips and resamples together may draw, and how many sorting the resamples of a pair counts as.
_DRAWN, _SORTED = 60_000_000, 150_000
#: How much less pairs cost that share their draws.
_SHARED = 20


def mean_pairs(
    values: FloatArray,
    groups: IntArray | None = None,
    *,
    seed: int,
    tolerance: float = 0.0,
    ratings: RatingMatrix | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return mean differences and p-values of all pairs (systems × systems), on the items that both have.

    `values` are items × systems, NaN where a score is missing, and `groups` the group of every item. A pair has the
    test that a comparison of the two recommends for their means, with the same draws. Where that would take more than
    about two seconds, it has Student's t, or McNemar's test for right and wrong. Pairs without a common item are NaN.

    >>> gap, p = mean_pairs(np.array([[3.0, 1.0], [4.0, 2.5], [6.0, 3.0], [5.0, 1.5], [5.0, 4.0]]), seed=0)
    >>> float(gap[0, 1]), round(float(p[0, 1]), 4)
    (2.2, 0.009)
    """
    size, complete = values.shape[1], not np.any(np.isnan(values))
    pairs = list(combinations(range(size), 2))
    gap, p = np.zeros((size, size)), np.ones((size, size))
    if ratings is None and len(pairs) * (len(values) + _EACH) > _SCORES:
        for first in range(size - 1):
            mean, alone = _by_formula(values, groups, first, tolerance)
            gap[first, first + 1 :], gap[first + 1 :, first] = mean, -mean
            p[first, first + 1 :] = p[first + 1 :, first] = alone
        return gap, p
    every = [_differences(values, groups, pair, tolerance, ratings) for pair in pairs]
    tested = iter(_as_compared([each for each in every if each is not None], seed, shared=complete))
    for (one, two), each in zip(pairs, every, strict=True):
        mean_of_pair = np.nan if each is None else float(each.values.mean())
        gap[one, two], gap[two, one] = mean_of_pair, -mean_of_pair
        p[one, two] = p[two, one] = np.nan if each is None else next(tested)
    return gap, p


def _differences(
    values: FloatArray, groups: IntArray | None, pair: tuple[int, int], tolerance: float, ratings: RatingMatrix | None
) -> Differences | None:
    """Return the differences of a pair, None where it has no common item."""
    both: BoolArray = ~np.isnan(values[:, pair[0]]) & ~np.isnan(values[:, pair[1]])
    if not np.any(both):
        return None
    group = np.flatnonzero(both) if groups is None else groups[both]
    by_judge = None if ratings is None else ByJudge.of(ratings, pair, both, tolerance)
    return Differences(values[both, pair[0]], values[both, pair[1]], group, tolerance, by_judge)


def _as_compared(every: Sequence[Differences], seed: int, *, shared: bool) -> FloatArray:
    """Return p of the recommended tests; pairs on the same items share their random draws."""
    if sum(_subsets(each) for each in every) > _DRAWN:
        names = ["t"] * len(every)
    else:
        names = [recommended_for_mean(each)[0] for each in every]
    if sum(_drawn(each, name, shared=shared) for each, name in zip(every, names, strict=True)) > _DRAWN:
        names = [name if name.startswith("mcnemar") else "t" for name in names]
    p = np.empty(len(every))
    flipped, resampled = [], []
    for place, (each, name) in enumerate(zip(every, names, strict=True)):
        if name == "bootstrap":
            resampled.append(place)
        elif name == "permutation" and shared and _random(each):
            flipped.append(place)
        elif name.startswith("permutation"):
            found = flip(each.sums, np.random.default_rng(seed))
            p[place] = found.p if found.mid_p is None or name == "permutation" else found.mid_p
        elif name.startswith("mcnemar"):
            p[place] = binomial_mid_p(int(np.sum(each.values > 0)), int(np.sum(each.values < 0)))
        else:
            p[place] = t_test(each).p
    if flipped:
        p[flipped] = flip_each(np.stack([every[place].sums for place in flipped], axis=1), np.random.default_rng(seed))
    for together in [resampled] if shared and resampled else [[place] for place in resampled]:
        ratios = studentise_together([every[place] for place in together], np.random.default_rng(seed))
        p[together] = [each.p() for each in ratios]
    return p


def _random(differences: Differences) -> bool:
    """Whether signs are flipped at random."""
    return int(np.sum(differences.sums != 0)) > EXACT and len(differences.sums) <= NORMAL


def _subsets(differences: Differences) -> float:
    """Return about how many numbers all flips of a pair's groups take, where all are tried."""
    if not differences.grouped or differences.by_judge is not None:
        return 0.0
    differing = int(np.sum(differences.sums != 0))
    return 4.0 * 2**differing if differing <= EXACT else 0.0


def _drawn(differences: Differences, name: str, *, shared: bool) -> float:
    """Return how many numbers the test of a pair draws, about."""
    units, part = len(differences.sums), _SHARED if shared else 1
    if name == "bootstrap":
        return units * RESAMPLES / part + _SORTED
    if not name.startswith("permutation"):
        return 0.0
    return units * FLIPS / part if _random(differences) else _subsets(differences)


def _by_formula(
    values: FloatArray, groups: IntArray | None, first: int, tolerance: float
) -> tuple[FloatArray, FloatArray]:
    """Return mean differences and p of a system and all later ones, without draws."""
    gaps = values[:, [first]] - values[:, first + 1 :]
    there = ~np.isnan(gaps)
    gaps = np.where(there & (np.abs(gaps) > tolerance), gaps, 0.0)
    sums, sizes = gaps, there.astype(np.float64)
    if groups is not None:
        codes = np.unique(groups, return_inverse=True)[1].ravel()
        member = sparse_matrices.matrix_of(
            np.ones(len(codes)), codes, np.arange(len(codes)), (int(codes.max()) + 1, len(codes))
        )
        sums, sizes = np.asarray(member @ gaps), np.asarray(member @ sizes)
    number, units = sizes.sum(axis=0), np.sum(sizes > 0, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums.sum(axis=0) / number
        if groups is None:
            error, freedom = np.sqrt(np.sum((gaps - mean * sizes) ** 2, axis=0) / number / (number - 1)), number - 1
        else:
            error, freedom = clustered_error(sums, sizes)
        p = 2 * scipy.special.stdtr(freedom, -np.abs(mean) / error)
    # Differences that are all the same leave no error: they have one sign no more rarely than coins do.
    varies = error > 1e-12 * np.abs(sums).max(axis=0) / np.maximum(number, 1)
    p = np.where(varies, p, np.minimum(2.0 ** (1.0 - np.minimum(units, 1000)), 1.0))
    if groups is None and bool(np.all((values == 0) | (values == 1) | np.isnan(values))):
        p = np.array([binomial_mid_p(int(np.sum(each > 0)), int(np.sum(each < 0))) for each in gaps.T])
    return mean, np.where(number == 0, np.nan, np.where(np.any(gaps, axis=0), p, 1.0))
