"""Mean: the average score."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import RatingMatrix, ScoreMatrix, SortedColumns
from betterthan.models.base import Fit, draw_normal, register_model
from betterthan.models.direct.counts import share
from betterthan.models.direct.scores import FromScores


@register_model
@dataclass(frozen=True, kw_only=True)
class Mean(FromScores):
    """The mean score of every system; `trim=0.1` leaves out a tenth of its scores at each end.

    Assumes that differences of scores mean the same everywhere on the scale, and that no outliers decide. Consumes
    scores; the score is in their unit. It has no likelihood.

    Peyrard et al. (2021), Better than average: paired evaluation of NLP systems, ACL.
    """

    trim: float = 0.0

    name: ClassVar[str] = "mean"
    score: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        registry.number("trim", self.trim, least=0, most=0.49)

    def averager(self, values: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """Sum and count, or cut both ends of every column off."""
        if self.trim:
            columns = SortedColumns(values)
            return lambda times: columns.trimmed(times, self.trim)
        present = (~np.isnan(values)).astype(float).T
        filled = np.nan_to_num(values).T
        return lambda times: share(filled @ times, present @ times)

    def rated(self, ratings: RatingMatrix) -> Callable[[FloatArray], FloatArray]:
        """Sum and count what judges said; a trimmed mean has no part of a single rating."""
        if self.trim:
            found: Callable[[FloatArray], FloatArray] = super().rated(ratings)
            return found
        return lambda times: share(ratings.weighted.T @ times, ratings.share.T @ times)

    def draw(
        self, fit: Fit, scores: ScoreMatrix, *, clustered: bool, draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Draw from the joint normal distribution of the means over the same items."""
        if self.trim:
            return super().draw(fit, scores, clustered=clustered, draws=draws, rng=rng)
        present = ~np.isnan(scores.values)
        gaps, size = np.where(present, scores.values - fit.strength, 0.0), np.maximum(present.sum(axis=0), 1)
        if scores.ratings is not None:
            covariance = scores.units.meat(scores.ratings.gradients(fit.strength))
        elif clustered and scores.units.factors:
            covariance = scores.units.meat(gaps / size)
        else:
            gaps = gaps / np.sqrt(size * np.maximum(size - 1, 1))
            covariance = gaps.T @ gaps
        return fit.strength[:, None] + draw_normal(covariance, draws, rng)
