"""Mean: the average score."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import RatingMatrix, ScoreMatrix, SortedColumns
from betterthan.findings import Finding, kinds, marked
from betterthan.models.base import Fit, draw_normal, register_model
from betterthan.models.direct.additive import AdditiveFit, Influences
from betterthan.models.direct.counts import share
from betterthan.models.direct.scores import FromScores

_SEPARATELY = "Rank each group separately, score common items, or use {option:model=mean(missing=ignore)}."


@register_model
@dataclass(frozen=True, kw_only=True)
class Mean(FromScores):
    """The mean score of every system; `trim=0.1` leaves out a tenth of its scores at each end.

    Assumes that differences of scores mean the same everywhere on the scale, and that no outliers decide. Consumes
    scores; the score is in their unit. Where scores are missing, it is the mean expected over all items, by an additive
    fit of items and systems. `missing="ignore"` takes the scores there are, as a trimmed mean does. It has no
    likelihood.

    Peyrard et al. (2021), Better than average: paired evaluation of NLP systems, ACL.
    """

    trim: float = 0.0
    missing: Literal["adjust", "ignore"] = "adjust"

    name: ClassVar[str] = "mean"
    score: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        registry.number("trim", self.trim, least=0, most=0.49)
        registry.one_of("missing", self.missing, "adjust", "ignore")

    def adjusts(self, values: FloatArray) -> bool:
        """Whether some systems lack scores of items that others have, and means are adjusted for it."""
        missing = np.isnan(values)
        return self.missing == "adjust" and not self.trim and bool(np.any(missing[~np.all(missing, axis=1)]))

    def fit(self, scores: ScoreMatrix) -> Fit:
        """Average the scores; where some are missing, systems that no common items link are apart."""
        fit = super().fit(scores)
        return replace(fit, apart=AdditiveFit(scores.values).apart) if self.adjusts(scores.values) else fit

    def findings(self, scores: ScoreMatrix) -> tuple[Finding, ...]:
        """Report missing scores: that means are adjusted for them, or that they are not."""
        if not self.adjusts(scores.values):
            return super().findings(scores)
        missing, apart = np.isnan(scores.values), AdditiveFit(scores.values).apart
        missing = missing[~np.all(missing, axis=1)]
        lacking = marked(scores.systems, np.any(missing, axis=0))
        found = [kinds.scores.ADJUSTED_MEANS.found(share=float(np.mean(missing)), systems=lacking)]
        if np.any(apart):
            found.append(kinds.comparisons.ISLANDS.found(systems=marked(scores.systems, apart), hint=_SEPARATELY))
        return tuple(found)

    def averager(self, values: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """Sum and count, or cut both ends of every column off; adjusted means move by the influences of items."""
        if self.trim:
            columns = SortedColumns(values)
            return lambda times: columns.trimmed(times, self.trim)
        if self.adjusts(values):
            return _moved(AdditiveFit(values).influences)
        present = (~np.isnan(values)).astype(float).T
        filled = np.nan_to_num(values).T
        return lambda times: share(filled @ times, present @ times)

    def rated(self, ratings: RatingMatrix) -> Callable[[FloatArray], FloatArray]:
        """Sum and count what judges said; a trimmed mean has no part of a single rating."""
        if self.trim:
            found: Callable[[FloatArray], FloatArray] = super().rated(ratings)
            return found
        values = _of_items(ratings)
        if self.adjusts(values):
            return _moved(AdditiveFit(values).of_ratings(ratings))
        return lambda times: share(ratings.weighted.T @ times, ratings.share.T @ times)

    def influences(self, scores: ScoreMatrix) -> Influences:
        """Return what every row (an item, or a judge's ratings of it) adds to the means."""
        ratings = scores.ratings
        if ratings is None:
            return (
                AdditiveFit(scores.values).influences
                if self.adjusts(scores.values)
                else Influences.plain(scores.values)
            )
        values = _of_items(ratings)
        return AdditiveFit(values).of_ratings(ratings) if self.adjusts(values) else Influences.rated(ratings)

    def draw(
        self, fit: Fit, scores: ScoreMatrix, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the joint normal distribution of the means over the same items."""
        if self.trim:
            return super().draw(fit, scores, clustered=clustered, draws=draws, rng=rng)
        found = self.influences(scores)
        if scores.ratings is not None or (clustered and scores.units.factors):
            covariance = scores.units.meat(found.parts)
        else:
            gaps = found.parts / np.sqrt(np.maximum(1 - found.sizes, 0.5))
            covariance = gaps.T @ gaps
        return fit.strength[:, None] + draw_normal(covariance, draws, rng)


def _moved(found: Influences) -> Callable[[FloatArray], FloatArray]:
    """Return the function from weights of rows to means, to first order."""
    return lambda times: found.mean[:, None] + share(found.parts.T @ times, found.sizes.T @ times)


def _of_items(ratings: RatingMatrix) -> FloatArray:
    """Return the mean rating of every item (items × systems), in the items' own order."""
    total, number = (ratings.by_item(part) for part in (ratings.total, ratings.number))
    values: FloatArray = share(total, number)
    return values
