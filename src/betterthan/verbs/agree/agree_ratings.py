"""Compute agreement from ratings."""

from typing import Any

import numpy as np

from betterthan.base import EvidenceError, FloatArray
from betterthan.findings import Finding, kinds
from betterthan.inference import agreement_coefficients, rater_agreement
from betterthan.options import AgreeOptions, takes
from betterthan.verbs.agree.agreement_result import Agreed, Alpha, Measure
from betterthan.verbs.agree.rating_table import RatingTable, read_ratings

#: An interval is drawn from a table of categories × categories per item (and pair), of that many numbers at most.
_MOST = 50_000_000
_WEIGHTS: dict[str, rater_agreement.Weights] = {"cohen-linear": "linear", "cohen-quadratic": "quadratic"}


@takes(AgreeOptions)
def agree(evidence: Any, options: AgreeOptions) -> Agreed:
    """Measure how far judges agree on items that two or more of them rated: Krippendorff's alpha, kappas, AC1 and ICC.

    Ratings are a table with a row per item and a column per judge, a matrix of that kind, or a table with the columns
    item, judge and rating. Words have the level nominal, with `order` also ordinal; numbers have all levels, and ratio
    where none is negative. Empty cells are no ratings. Intervals are for items like these, rated by the same judges.

    >>> agree([[1, 1], [2, 2], [3, 2], [1, None]])["nominal"].value
    0.5454545454545454
    """
    ratings = read_ratings(evidence, options)
    counts = ratings.counts
    share = agreement_coefficients.equal_pairs(counts, options.level, options.seed)
    if share.value is None:
        raise EvidenceError("no item has two ratings, so there is nothing to compare", remedy="Add ratings.")
    alphas = tuple(_alpha(counts, ratings.values, level, options) for level in _levels(ratings))
    measures = (*_coefficients(ratings, counts, options), Measure.of("equal-pairs", share))
    compared = int((counts.sum(axis=1) > 1).sum())
    return Agreed(
        settings=options,
        data=ratings.digest,
        reading=ratings.reading,
        findings=_findings(compared, [*alphas, *measures]),
        items=len(ratings.items),
        raters=len(ratings.raters),
        ratings=len(ratings.item),
        compared=compared,
        alphas=alphas,
        measures=measures,
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


def _coefficients(ratings: RatingTable, counts: FloatArray, options: AgreeOptions) -> list[Measure]:
    """Return the kappas, AC1 and the intraclass correlation, as far as the ratings allow them."""
    found = {"fleiss": agreement_coefficients.fleiss_kappa(counts, options.level, options.seed)}
    judges, width = len(ratings.raters), counts.shape[1]
    few = judges <= agreement_coefficients.MOST_JUDGES
    if few and len(counts) * judges * (judges - 1) / 2 * width**2 <= _MOST:
        matrix = agreement_coefficients.rating_matrix(ratings.item, ratings.rater, ratings.category)
        found["cohen"] = agreement_coefficients.cohen_kappa(matrix, "equal", options.level, options.seed)
        for name, weights in _WEIGHTS.items() if ratings.ordered else ():
            found[name] = agreement_coefficients.cohen_kappa(matrix, weights, options.level, options.seed)
    found["ac1"] = agreement_coefficients.gwet_ac1(counts, options.level, options.seed)
    if ratings.values is not None and few:
        matrix = agreement_coefficients.rating_matrix(ratings.item, ratings.rater, ratings.category)
        complete = ratings.values[matrix[np.all(matrix >= 0, axis=1)]]
        found["icc"] = agreement_coefficients.absolute_intraclass(complete, options.level, options.seed)
    return [Measure.of(name, estimate) for name, estimate in found.items()]


def _findings(compared: int, measures: list[Alpha | Measure]) -> tuple[Finding, ...]:
    """Report few items, and measures that are undefined or have no interval."""
    findings = []
    if compared < kinds.resampling.FEW_UNITS.thresholds["intervals"]:
        findings.append(kinds.resampling.FEW_UNITS.found(units=compared, unit="item"))
    undefined = [each.title for each in measures if each.value is None]
    if undefined:
        findings.append(kinds.judges.AGREEMENT_UNDEFINED.found(measures="; ".join(undefined)))
    bare = [each.title for each in measures if each.value is not None and each.low is None]
    if bare:
        reason = "is only one item" if compared == 1 else "are too many different ratings"
        findings.append(kinds.judges.NO_AGREEMENT_INTERVAL.found(measures="; ".join(bare), reason=reason))
    return tuple(findings)
