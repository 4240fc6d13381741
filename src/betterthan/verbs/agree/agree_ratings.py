"""Compute agreement from ratings."""

from typing import Any

from betterthan.base import EvidenceError, FloatArray
from betterthan.inference import rater_agreement
from betterthan.options import AgreeOptions, takes
from betterthan.verbs.agree.agreement_result import Agreed, Alpha
from betterthan.verbs.agree.rating_table import RatingTable, read_ratings

#: An interval is drawn from a table of categories × categories per item, of that many numbers at most.
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
    share = rater_agreement.agreement_share(counts)
    if share is None:
        raise EvidenceError("no item has two ratings, so there is nothing to compare", remedy="Add ratings.")
    alphas = tuple(_alpha(counts, ratings.values, level, options) for level in _levels(ratings))
    return Agreed(
        settings=options,
        data=ratings.digest,
        reading=ratings.reading,
        items=len(ratings.items),
        raters=len(ratings.raters),
        ratings=len(ratings.item),
        compared=int((counts.sum(axis=1) > 1).sum()),
        share=share,
        fleiss=rater_agreement.fleiss(counts),
        alphas=alphas,
    )


def _levels(ratings: RatingTable) -> tuple[rater_agreement.Level, ...]:
    if ratings.values is None:
        return ("nominal", "ordinal") if ratings.ordered else ("nominal",)
    return ("nominal", "ordinal", "interval", *(("ratio",) if ratings.values.min() >= 0 else ()))


def _alpha(counts: FloatArray, values: FloatArray | None, level: rater_agreement.Level, options: AgreeOptions) -> Alpha:
    ends = None
    if len(counts) * counts.shape[1] ** 2 <= _MOST:
        ends = rater_agreement.interval(counts, None, level, values=values, confidence=options.level, seed=options.seed)
    low, high = ends or (None, None)
    return Alpha(level, rater_agreement.krippendorff(counts, level, values=values), low, high)
