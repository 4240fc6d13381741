"""Agreement coefficients of judges with their intervals: equal pairs, Fleiss, Cohen, Gwet and the intraclass one.

Intervals are for items like these, rated by the same judges. Every coefficient is a function of sums over items.
"""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.inference.agreement.agreement_intervals import Contributions, around, disagreeing_pairs, interval_of
from betterthan.inference.agreement.rater_agreement import Weights, agreement_share, kappas
from betterthan.inference.intervals.estimate import Estimate

#: With more judges than this, few pairs of them share enough items for a mean of kappas.
MOST_JUDGES = 20


def equal_pairs(counts: FloatArray, confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return the share of pairs of ratings of one item that are equal, with its interval."""
    number = counts.sum(axis=1)
    pairs = number * (number - 1)
    kept = pairs > 0
    parts = np.stack([np.sum(counts * (counts - 1), axis=1), pairs], axis=1)[kept]
    if not np.any(kept):
        return Estimate(None, None, None)
    size = float(pairs[kept].mean())
    given = Contributions(
        parts, np.array([[size, size]]), np.array([0.0, size]), lambda sums: sums[:, 0] / sums[:, 1], 0.0
    )
    return _estimate(agreement_share(counts), given, confidence, seed)


def fleiss_kappa(counts: FloatArray, confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return Fleiss' kappa of items with two ratings or more, with its interval."""
    return _by_shares(counts[counts.sum(axis=1) > 1], lambda shares: np.sum(shares**2, axis=-1), confidence, seed)


def gwet_ac1(counts: FloatArray, confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return Gwet's AC1 with its interval: chance agreement is that of judges who guess on hard items only.

    Items with one rating count for the shares of categories, as in Gwet (2014). The categories are those that occur.

    >>> round(gwet_ac1(np.array([[2.0, 0], [0, 2], [1, 1], [2, 0]])).known, 4)
    0.5294
    """
    return _by_shares(counts[counts.sum(axis=1) > 0], _guessed, confidence, seed)


def cohen_kappa(ratings: IntArray, weights: Weights = "equal", confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return Cohen's kappa of two judges, or the mean over all pairs of judges, with its interval.

    Ratings are items × judges, −1 where there is none. Pairs of which kappa is undefined are left out of the mean.

    >>> round(cohen_kappa(np.array([[0, 0], [0, 1], [1, 1], [1, 1], [-1, 1]])).known, 6)
    0.5
    """
    width = int(ratings.max(initial=0)) + 1
    pairs = [
        (a, b) for a, b in combinations(range(ratings.shape[1]), 2) if np.any((ratings[:, [a, b]] >= 0).all(axis=1))
    ]
    if not pairs:
        return Estimate(None, None, None)
    kept = np.flatnonzero((ratings >= 0).sum(axis=1) > 1)
    ratings = ratings[kept]
    parts = np.zeros((len(kept), len(pairs), width, width))
    for place, (a, b) in enumerate(pairs):
        both = np.flatnonzero((ratings[:, a] >= 0) & (ratings[:, b] >= 0))
        parts[both, place, ratings[both, a], ratings[both, b]] = 1.0

    def mean(sums: FloatArray) -> FloatArray:
        found = kappas(sums.reshape(len(sums), len(pairs), width, width), weights)
        known = np.isfinite(found)
        return np.where(
            known.any(axis=1), np.where(known, found, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1), np.nan
        )

    whole = parts.reshape(len(kept), -1)
    value = float(mean(whole.sum(axis=0)[None])[0])
    if not np.isfinite(value):
        return Estimate(None, None, None)
    # Pseudo-items are as often rated by both judges of a pair as items are.
    rate = parts.sum(axis=(2, 3)).mean(axis=0)
    margin = parts.sum(axis=(0, 1)).sum(axis=0) + parts.sum(axis=(0, 1)).sum(axis=1)
    used = np.flatnonzero(margin)
    agreeing = np.zeros((len(used), len(pairs), width, width))
    agreeing[np.arange(len(used)), :, used, used] = rate
    disagreeing = rate[:, None, None] * disagreeing_pairs(margin)
    per_pair = float(rate.mean()) * len(kept)
    given = Contributions(whole, agreeing.reshape(len(used), -1), disagreeing.ravel(), mean, effective=per_pair)
    return _estimate(value, given, confidence, seed)


def absolute_intraclass(ratings: FloatArray, confidence: float = 0.95, seed: int = 0) -> Estimate:
    """Return the intraclass correlation ICC(A,1) of complete ratings (items × judges), with its interval.

    The value is ICC(2,1) of Shrout and Fleiss (1979). The interval keeps the judges, and takes no normal distribution.

    >>> round(absolute_intraclass(np.array([[1.0, 2], [4, 5], [7, 8]])).known, 3)
    0.947
    """
    items, judges = ratings.shape
    if items < 2 or np.ptp(ratings) == 0:
        return Estimate(None, None, None)
    scaled = (ratings - ratings.mean()) / ratings.std()
    values, codes = np.unique(scaled, return_inverse=True)
    margin = np.bincount(codes.ravel()).astype(np.float64)
    parts = _moments(scaled)
    agreeing = _moments(np.repeat(values[:, None], judges, axis=1))
    pairs = disagreeing_pairs(margin)
    mean, square, product = pairs.sum(axis=1) @ values, pairs.sum(axis=1) @ values**2, values @ pairs @ values
    of_sum = judges * square + judges * (judges - 1) * product
    disagreeing = np.concatenate([[1.0, judges * square, of_sum], np.full(judges, mean)])

    def correlation(sums: FloatArray) -> FloatArray:
        return _intraclass(sums, judges)

    value = float(correlation(parts.sum(axis=0)[None])[0])
    given = Contributions(parts, agreeing, disagreeing, correlation)
    return _estimate(value if np.isfinite(value) else None, given, confidence, seed)


def rating_matrix(item: IntArray, rater: IntArray, category: IntArray) -> IntArray:
    """Return ratings as items × judges, −1 where there is none."""
    found = np.full((int(item.max(initial=-1)) + 1, int(rater.max(initial=-1)) + 1), -1)
    found[item, rater] = category
    return found


def _moments(table: FloatArray) -> FloatArray:
    """Return what every item adds: one, its squares, the square of its sum, and its ratings by judge."""
    total = table.sum(axis=1)
    return np.column_stack([np.ones(len(table)), np.sum(table**2, axis=1), total**2, table])


def _intraclass(sums: FloatArray, judges: int) -> FloatArray:
    items, squares, of_sums, by_judge = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3:]
    centre = by_judge.sum(axis=1) ** 2 / (items * judges)
    rows = of_sums / judges - centre
    columns = np.sum(by_judge**2, axis=1) / items - centre
    error = np.maximum(squares - centre - rows - columns, 0.0) / ((items - 1) * (judges - 1))
    rows, columns = rows / (items - 1), columns / (judges - 1)
    below = rows + (judges - 1) * error + judges * (columns - error) / items
    defined = np.abs(below) > 1e-12
    return np.where(defined, (rows - error) / np.where(defined, below, 1.0), np.nan)


def _item_shares(counts: FloatArray) -> FloatArray:
    """Return what every item adds: its share of equal pairs, whether it has any pair, one, and its shares."""
    number = counts.sum(axis=1)
    pairs = number * (number - 1)
    several = pairs > 0
    equal = np.sum(counts * (counts - 1), axis=1) / np.where(several, pairs, 1.0)
    return np.column_stack([equal, several, np.ones(len(counts)), counts / number[:, None]])


def _by_shares(
    counts: FloatArray, chance: Callable[[FloatArray], FloatArray], confidence: float, seed: int
) -> Estimate:
    """Return a coefficient of mean shares over items, given the agreement by chance as a function of them."""
    counts = counts[:, counts.sum(axis=0) > 0]
    if counts.shape[1] < 2 or not np.any(counts.sum(axis=1) > 1):
        return Estimate(None, None, None)
    parts = _item_shares(counts)
    share = parts[:, 3:].mean(axis=0)
    several = float(parts[:, 1].mean())
    every = np.eye(len(share))
    agreeing = np.column_stack([np.full(len(share), several), np.full(len(share), several), np.ones(len(share)), every])
    disagreeing = np.concatenate([[0.0, several, 1.0], disagreeing_pairs(share).sum(axis=1)])

    def coefficient(sums: FloatArray) -> FloatArray:
        found: FloatArray = 1 - (1 - sums[:, 0] / sums[:, 1]) / (1 - chance(sums[:, 3:] / sums[:, 2:3]))
        return found

    value = float(coefficient(parts.sum(axis=0)[None])[0])
    return _estimate(value, Contributions(parts, agreeing, disagreeing, coefficient), confidence, seed)


def _guessed(shares: FloatArray) -> FloatArray:
    found: FloatArray = np.sum(shares * (1 - shares), axis=-1) / (shares.shape[-1] - 1)
    return found


def _estimate(value: float | None, given: Contributions, confidence: float, seed: int) -> Estimate:
    ends = interval_of(given, confidence, seed)
    low, high = (None if ends is None else around(value, ends)) or (None, None)
    return Estimate(value, low, high)
