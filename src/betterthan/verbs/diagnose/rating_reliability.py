"""Reliability of ratings and rankings: intraclass correlations and Kendall's W."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy


@dataclass(frozen=True)
class Intraclass:
    """Intraclass correlations of single ratings, named as by Shrout and Fleiss (1979); undefined ones are None.

    `icc1` (ICC(1,1)) takes ratings of one target as exchangeable, over all `targets` with two ratings or more. The
    others use the `complete` targets, which all judges rated. `icc2` (ICC(2,1)) is absolute agreement of judges that
    are a sample, with its interval (McGraw and Wong 1996). `icc3` (ICC(3,1)) is consistency, which ignores a judge's
    constant offset. `w` is Kendall's W over the same targets.
    """

    raters: int
    targets: int
    complete: int
    icc1: float | None
    icc2: float | None
    low: float | None
    high: float | None
    icc3: float | None
    w: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def intraclass(target: IntArray, rater: IntArray, rating: FloatArray, confidence: float = 0.95) -> Intraclass | None:
    """Measure how far ratings of one target agree, None where no target has two; a judge rates a target once.

    >>> found = intraclass(np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1]), np.array([1.0, 2, 4, 5, 7, 8]))
    >>> round(found.icc2, 3), round(found.icc3, 3)
    (0.947, 1.0)
    """
    number = np.bincount(target)
    kept = number[target] > 1
    if not np.any(kept):
        return None
    _, target = np.unique(target[kept], return_inverse=True)
    raters, rater = np.unique(rater[kept], return_inverse=True)
    rating, number = rating[kept], np.bincount(target)
    full = (number == len(raters))[target]
    order = np.lexsort((rater[full], target[full]))
    table = rating[full][order].reshape(-1, len(raters))
    icc2, low, high, icc3 = _two_way(table, confidence)
    return Intraclass(
        raters=len(raters),
        targets=len(number),
        complete=len(table),
        icc1=_one_way(target, rating, number),
        icc2=icc2,
        low=low,
        high=high,
        icc3=icc3,
        w=kendall_w(table.T) if len(table) > 1 else None,
    )


def _one_way(target: IntArray, rating: FloatArray, number: IntArray) -> float | None:
    """Return ICC(1,1), also of different numbers of ratings."""
    targets, total = len(number), len(rating)
    if targets < 2:
        return None
    mean = np.bincount(target, weights=rating) / number
    between = float(np.sum(number * (mean - rating.mean()) ** 2)) / (targets - 1)
    within = float(np.sum((rating - mean[target]) ** 2)) / (total - targets)
    each = (total - float(np.sum(number**2)) / total) / (targets - 1)
    return _share(between - within, between + (each - 1) * within)


def _two_way(table: FloatArray, confidence: float) -> tuple[float | None, float | None, float | None, float | None]:
    """Return ICC(2,1) with its interval, and ICC(3,1), of targets × judges."""
    targets, raters = table.shape
    if targets < 2:
        return None, None, None, None
    mean, of_target, of_rater = table.mean(), table.mean(axis=1), table.mean(axis=0)
    rows = raters * float(np.sum((of_target - mean) ** 2)) / (targets - 1)
    columns = targets * float(np.sum((of_rater - mean) ** 2)) / (raters - 1)
    rest = table - of_target[:, None] - of_rater + mean
    freedom = (targets - 1) * (raters - 1)
    error = float(np.sum(rest**2)) / freedom
    icc2 = _share(rows - error, rows + (raters - 1) * error + raters * (columns - error) / targets)
    icc3 = _share(rows - error, rows + (raters - 1) * error)
    if icc2 is None or icc2 >= 1 or error <= 1e-12 * rows:
        return icc2, None, None, icc3
    factor = raters * icc2 / (targets * (1 - icc2))
    other = 1 + raters * icc2 * (targets - 1) / (targets * (1 - icc2))
    mixed = (factor * columns + other * error) ** 2
    mixed /= (factor * columns) ** 2 / (raters - 1) + (other * error) ** 2 / freedom
    tail = (1 - confidence) / 2
    above = float(scipy.stats.f.isf(tail, targets - 1, mixed))
    below = float(scipy.stats.f.isf(tail, mixed, targets - 1))
    spread = raters * columns + (raters * targets - raters - targets) * error
    low = targets * (rows - above * error) / (above * spread + targets * rows)
    high = targets * (below * rows - error) / (spread + targets * below * rows)
    return icc2, low, high, icc3


def kendall_w(ratings: FloatArray) -> float | None:
    """Return Kendall's coefficient of concordance of judges × targets, corrected for ties; None where it is undefined.

    >>> kendall_w(np.array([[1.0, 2, 3], [1, 2, 3], [1, 3, 2]]))
    0.7777777777777778
    """
    raters, targets = ratings.shape
    of = np.repeat(np.arange(raters), targets)
    w, _, _ = concordance(np.zeros(raters, dtype=np.int64), of, np.tile(np.arange(targets), raters), ratings.ravel())
    return float(w[0]) if len(w) and np.isfinite(w[0]) else None


def concordance(
    group: IntArray, ranking: IntArray, what: IntArray, value: FloatArray, weight: FloatArray | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Kendall's W of every group of rankings, its mean Spearman correlation, and its number of rankings.

    `group` is of every ranking, and the rankings of one group order the same things; the others are per entry. Groups
    of which W is undefined are NaN: one ranking only, or nothing but ties.
    """
    weight = np.ones(len(group)) if weight is None else weight
    midrank, ties = _midranks(ranking, value, len(group))
    groups = int(group.max(initial=-1)) + 1
    raters = np.bincount(group, weights=weight, minlength=groups).astype(np.float64)
    _, cell = np.unique(group[ranking] * (int(what.max(initial=0)) + 1) + what, return_inverse=True)
    sums = np.bincount(cell, weights=weight[ranking] * midrank)
    of_cell = np.zeros(len(sums), dtype=np.int64)
    of_cell[cell] = group[ranking]
    size = np.bincount(of_cell, minlength=groups)
    far = np.bincount(of_cell, weights=(sums - (raters * (size + 1) / 2)[of_cell]) ** 2, minlength=groups)
    tied = np.bincount(group, weights=weight * ties, minlength=groups)
    most = raters * (raters * (size**3 - size) - tied) / 12
    several = (raters > 1) & (most > 0)
    w = np.where(several, far / np.where(several, most, 1.0), np.nan)
    return w, (raters * w - 1) / np.maximum(raters - 1, 1e-9), raters


def _midranks(ranking: IntArray, value: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """Return every entry's rank within its ranking, the mean of those tied, and each ranking's sum of t³ − t."""
    order = np.lexsort((value, ranking))
    sorted_ranking, sorted_value = ranking[order], value[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(sorted_ranking) != 0) | (np.diff(sorted_value) != 0)
    run = np.cumsum(new) - 1
    begin, length = np.flatnonzero(new), np.bincount(run)
    start = np.searchsorted(sorted_ranking, sorted_ranking)
    midrank = np.empty(len(order))
    midrank[order] = (begin + (length - 1) / 2)[run] - start + 1
    ties = np.bincount(sorted_ranking[begin], weights=length**3 - length, minlength=size)
    return midrank, ties.astype(np.float64)


def _share(part: float, whole: float) -> float | None:
    return part / whole if abs(whole) > 1e-12 * max(abs(part), 1e-300) and whole != 0 else None
