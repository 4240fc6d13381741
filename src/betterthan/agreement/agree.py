"""From ratings to how far raters agree."""

from typing import Any

from betterthan.agreement.ratings import Ratings, read_ratings
from betterthan.agreement.result import Agreed, Alpha
from betterthan.arrays import FloatArray
from betterthan.errors import EvidenceError
from betterthan.infer.agreement import Level, agreement_share, fleiss, interval, krippendorff
from betterthan.options.agree import AgreeOptions
from betterthan.options.verb import takes

#: An interval is drawn from a table of categories × categories per item, of so many numbers at most.
_MOST = 50_000_000


@takes(AgreeOptions)
def agree(evidence: Any, options: AgreeOptions) -> Agreed:
    """Measure how far judges agree on items that two or more of them rated, by Krippendorff's alpha.

    Ratings are a table with a row per item and a column per judge, a matrix of that kind, or a table with the columns
    item, judge and rating. Words have the level nominal, with `order` also ordinal; numbers have all levels, and ratio
    where none is negative. Empty cells are no ratings.

    >>> agree([[1, 1], [2, 2], [3, 2], [1, None]])["nominal"].value
    0.5454545454545454
    """
    ratings = read_ratings(evidence, options)
    counts = ratings.counts
    share = agreement_share(counts)
    if share is None:
        raise EvidenceError("no item has two ratings, so there is nothing to compare", remedy="Add ratings.")
    alphas = tuple(_alpha(counts, ratings.values, level, options) for level in _levels(ratings))
    return Agreed(
        settings=options, data=ratings.digest, reading=ratings.reading, items=len(ratings.items),
        raters=len(ratings.raters), ratings=len(ratings.item), compared=int((counts.sum(axis=1) > 1).sum()),
        share=share, fleiss=fleiss(counts), alphas=alphas,
    )  # fmt: skip


def _levels(ratings: Ratings) -> tuple[Level, ...]:
    if ratings.values is None:
        return ("nominal", "ordinal") if ratings.ordered else ("nominal",)
    return ("nominal", "ordinal", "interval", *(("ratio",) if ratings.values.min() >= 0 else ()))


def _alpha(counts: FloatArray, values: FloatArray | None, level: Level, options: AgreeOptions) -> Alpha:
    ends = None
    if len(counts) * counts.shape[1] ** 2 <= _MOST:
        ends = interval(counts, None, level, values=values, confidence=options.level, seed=options.seed)
    low, high = ends or (None, None)
    return Alpha(level, krippendorff(counts, level, values=values), low, high)
