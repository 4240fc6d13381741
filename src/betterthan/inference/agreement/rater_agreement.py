"""Chance-corrected agreement of judges: kappa and alpha from counts by item and category.

Fleiss' kappa, Krippendorff's alpha and the share of agreeing pairs need only counts (items × categories). So millions
of ratings by thousands of judges never become a table of items × judges.

Alpha and the kappas are the usual ones: chance agreement follows from the observed shares of the categories.
`symmetric` is another correction, for ratings of which side is better (left, tie, right) where the sides are arbitrary.
A category and its mirror image are then equally likely by chance, and renaming the sides of an item changes nothing.
"""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray, PlanError, scipy
from betterthan.inference.agreement.agreement_intervals import Contributions, around, disagreeing_pairs, interval_of

#: What Krippendorff's alpha takes categories for: names, places in an order, numbers, or numbers with a zero.
Level = Literal["nominal", "ordinal", "interval", "ratio"]
#: The weight of a disagreement in Cohen's kappa: constant, the distance of the categories, or its square.
Weights = Literal["equal", "linear", "quadratic"]


@dataclass(frozen=True)
class Agreement:
    """Agreement of judges on the items that two or more of them rated; undefined measures are None.

    `share` is the share of pairs of ratings that are equal, `low` and `high` are the ends of alpha's interval.
    `symmetric` says that alpha and kappa take a category and its mirror image for equally likely; they are the usual
    ones else.
    """

    items: int
    share: float
    alpha: float | None
    low: float | None
    high: float | None
    fleiss: float | None
    symmetric: bool = False
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def measure_agreement(
    counts: FloatArray,
    group: IntArray | None = None,
    *,
    confidence: float = 0.95,
    symmetric: bool = False,
    seed: int = 0,
) -> Agreement | None:
    """Measure the agreement in counts of unordered categories, None where no item has two ratings.

    The interval draws groups of items where there are any, else items.

    >>> measure_agreement(np.array([[2, 0], [0, 2], [1, 1], [2, 0]])).share
    0.75
    """
    share = agreement_share(counts)
    if share is None:
        return None
    alpha = krippendorff(counts, symmetric=symmetric)
    ends = interval(counts, group, confidence=confidence, symmetric=symmetric, seed=seed)
    return Agreement(
        items=int(np.sum(counts.sum(axis=1) > 1)),
        share=share,
        alpha=alpha,
        low=None if ends is None else ends[0],
        high=None if ends is None else ends[1],
        fleiss=fleiss(counts, symmetric=symmetric),
        symmetric=symmetric,
        note="perfect agreement: all ratings are the same, so chance explains it too" if alpha is None else "",
    )


def counted(ratings: IntArray, categories: int | None = None) -> FloatArray:
    """Count the categories of every item (ratings: items × judges, −1 where there is none).

    >>> counted(np.array([[0, 0, 1], [1, -1, 1]])).tolist()
    [[2.0, 1.0], [0.0, 2.0]]
    """
    width = int(ratings.max(initial=0)) + 1 if categories is None else categories
    item, rater = np.nonzero(ratings >= 0)
    cell = item * width + ratings[item, rater]
    return np.bincount(cell, minlength=len(ratings) * width).astype(np.float64).reshape(len(ratings), width)


def cohen(first: IntArray, second: IntArray, weights: Weights = "equal") -> float | None:
    """Return Cohen's kappa of two judges over the items that both rated (−1: not rated).

    With linear or quadratic weights, categories are places in an order (Cohen 1968). None where no item was rated by
    both, and where both always say the same category.

    >>> round(cohen(np.array([0, 0, 1, 1, -1]), np.array([0, 1, 1, 1, 1])), 6)
    0.5
    """
    both = (first >= 0) & (second >= 0)
    width = int(max(first.max(initial=0), second.max(initial=0))) + 1
    table = np.bincount(first[both] * width + second[both], minlength=width * width).astype(np.float64)
    return _known(kappas(table.reshape(width, width), weights))


def kappas(tables: FloatArray, weights: Weights = "equal", *, symmetric: bool = False) -> FloatArray:
    """Return Cohen's kappa of tables of two judges (… × categories × categories), NaN where it is undefined."""
    tables = _both_ways(tables) if symmetric else tables
    place = np.arange(float(tables.shape[-1]))
    apart = np.abs(place[:, None] - place)
    costs = {"equal": np.sign(apart), "linear": apart, "quadratic": apart**2}
    if weights not in costs:
        raise PlanError(f"weights must be one of {', '.join(costs)}, got {weights!r}.")
    seen = np.sum(costs[weights] * tables, axis=(-2, -1)) * tables.sum(axis=(-2, -1))
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    chance = np.sum(costs[weights] * rows[..., :, None] * columns[..., None, :], axis=(-2, -1))
    return 1 - _ratio(seen, chance)


def agreement_share(counts: FloatArray) -> float | None:
    """Return the share of pairs of ratings of one item that are equal, None where there is no pair."""
    number = counts.sum(axis=1)
    pairs = float(np.sum(number * (number - 1)))
    return float(np.sum(counts * (counts - 1))) / pairs if pairs else None


def fleiss(counts: FloatArray, *, symmetric: bool = False) -> float | None:
    """Return Fleiss' kappa, None where it is undefined.

    Items may have different numbers of judges. Each item with two or more counts once, with its share of agreeing pairs
    and its shares of categories (Gwet 2014). With equal numbers this is Fleiss (1971).
    """
    counts = counts[counts.sum(axis=1) > 1]
    if len(counts) == 0:
        return None
    number = counts.sum(axis=1)
    seen = float(np.mean(np.sum(counts * (counts - 1), axis=1) / (number * (number - 1))))
    share = np.mean(counts / number[:, None], axis=0)
    share = (share + share[::-1]) / 2 if symmetric else share
    if np.count_nonzero(share) < 2:
        return None
    chance = float(share @ share)
    return (seen - chance) / (1 - chance)


def krippendorff(
    counts: FloatArray, level: Level = "nominal", *, values: FloatArray | None = None, symmetric: bool = False
) -> float | None:
    """Return Krippendorff's alpha, None where it is undefined: no item with two ratings, or one category only.

    Items may have any number of ratings; those with one say nothing. Categories are names (nominal), places in an order
    (ordinal) or numbers (interval, or ratio where none is negative): these `values`, else 0, 1, 2 …

    >>> round(krippendorff(counted(np.array([[0, 0], [1, 1], [0, 1], [2, 2]])), "interval"), 6)
    0.820513
    """
    if level not in get_args(Level):
        raise PlanError(f"level must be one of {', '.join(get_args(Level))}, got {level!r}.")
    counts = counts[counts.sum(axis=1) > 1]
    weighted = counts / (counts.sum(axis=1, keepdims=True) - 1)
    coincidences = weighted.T @ counts - np.diag(weighted.sum(axis=0))
    return _known(_alphas(_both_ways(coincidences) if symmetric else coincidences, level, values))


def interval(
    counts: FloatArray,
    group: IntArray | None = None,
    level: Level = "nominal",
    *,
    values: FloatArray | None = None,
    confidence: float = 0.95,
    symmetric: bool = False,
    seed: int = 0,
) -> tuple[float, float] | None:
    """Return the ends of alpha's interval for items, or groups of them, like these; None where it is undefined.

    Only items with two ratings are drawn. Items that contribute alike are drawn as one number, so that a million of
    them cost little.
    """
    kept = np.flatnonzero(counts.sum(axis=1) > 1)
    counts = counts[kept]
    width = counts.shape[1]
    margin = counts.sum(axis=0)
    if np.count_nonzero(margin) < 2:
        return None
    margin = (margin + margin[::-1]) / 2 if symmetric else margin
    weighted = counts / (counts.sum(axis=1, keepdims=True) - 1)
    parts = weighted[:, :, None] * counts[:, None, :]
    parts[:, np.arange(width), np.arange(width)] -= weighted
    size = float(margin.sum()) / len(counts)
    used = np.flatnonzero(margin)
    alike = np.zeros((len(used), width, width))
    alike[np.arange(len(used)), used, used] = size
    rows: list[FloatArray] = [parts, alike, size * disagreeing_pairs(margin)[None]]
    flat = [(_both_ways(each) if symmetric else each).reshape(len(each), -1) for each in rows]

    def alpha(sums: FloatArray) -> FloatArray:
        return _alphas(sums.reshape(-1, width, width), level, values, large=True)

    given = Contributions(flat[0], flat[1], flat[2][0], alpha)
    ends = interval_of(given if group is None else given.grouped(group[kept]), confidence, seed)
    return None if ends is None else around(krippendorff(counts, level, values=values, symmetric=symmetric), ends)


def judge_pairs(
    rater: IntArray, item: IntArray, rating: IntArray, least: float = 1.0, limit: int = 5_000_000
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, bool]:
    """Return pairs of judges with common items: the judges, the numbers of items and of agreements, and whether all was
    read.

    Everyone rates an item at most once. Pairs with fewer than the `least` number of items are left out. Items with the
    fewest ratings are read first, until they make `limit` pairs.
    """
    number = np.bincount(item)
    order = np.argsort(number, kind="stable")
    affordable = np.zeros(len(number), dtype=bool)
    affordable[order] = np.cumsum(number[order] * (number[order] - 1) / 2) <= limit
    kept = np.flatnonzero((affordable & (number > 1))[item])
    raters, width = int(rater.max(initial=0)) + 1, int(rating.max(initial=0)) + 1
    shared = _together(rater[kept], item[kept], (raters, len(number))).tocoo()
    chosen = np.flatnonzero((shared.data >= least) & (shared.row < shared.col))
    first, second = shared.row[chosen].astype(np.int64), shared.col[chosen].astype(np.int64)
    order = np.lexsort((second, first))
    first, second, chosen = first[order], second[order], chosen[order]
    equal = np.zeros(0)
    if len(first):
        said = _together(rater[kept], item[kept] * width + rating[kept], (raters, len(number) * width))
        equal = np.asarray(said[first, second]).ravel()
    return first, second, shared.data[chosen], equal, bool(affordable.all())


def _together(rater: IntArray, what: IntArray, shape: tuple[int, int]) -> Any:
    """Return the number of common items of two judges (judges × judges)."""
    by_rater = scipy.sparse.csr_array((np.ones(len(rater)), (rater, what)), shape=shape)
    return by_rater @ by_rater.T


def _alphas(
    coincidences: FloatArray, level: Level, values: FloatArray | None = None, *, large: bool = False
) -> FloatArray:
    """Return alpha of every table of coincidences (… × categories × categories), NaN where it is undefined.

    In a `large` sample, pairs of all ratings include each rating with itself.
    """
    margin = coincidences.sum(axis=-1)
    total = margin.sum(axis=-1)
    distance = _distances(margin, level, values)
    seen = np.sum(coincidences * distance, axis=(-2, -1))
    chance = np.sum(margin[..., :, None] * margin[..., None, :] * distance, axis=(-2, -1))
    return 1 - _ratio((total if large else total - 1) * seen, chance)


def _distances(margin: FloatArray, level: Level, values: FloatArray | None) -> FloatArray:
    """Return the distances of categories; for ordinal ones, by the number of ratings between them."""
    width = margin.shape[-1]
    if level == "nominal":
        return 1.0 - np.eye(width)
    number = np.arange(float(width)) if values is None else values
    if level == "ratio":
        total = number[:, None] + number
        share: FloatArray = ((number[:, None] - number) / np.where(total == 0, 1.0, total)) ** 2
        return share
    # The middle of each category on the line of all ratings: differences are Krippendorff's ordinal distances.
    place = number if level == "interval" else np.cumsum(margin, axis=-1) - margin / 2
    squared: FloatArray = (place[..., :, None] - place[..., None, :]) ** 2
    return squared


def _both_ways(tables: FloatArray) -> FloatArray:
    mean: FloatArray = (tables + tables[..., ::-1, ::-1]) / 2
    return mean


def _ratio(above: NDArray[Any], below: NDArray[Any]) -> FloatArray:
    # Sums of whole numbers: what should be nothing is so but for rounding.
    defined = below > 1e-9
    return np.where(defined, above / np.where(defined, below, 1.0), np.nan)


def _known(value: FloatArray) -> float | None:
    return float(value) if np.isfinite(value) else None
