"""Models that average scores; one function serves the estimate and all resamples."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import RatingMatrix, ScoreMatrix
from betterthan.findings import Finding, Level, kinds, marked
from betterthan.models.base import Fit, ModelBase
from betterthan.models.direct.counts import kept_where_unknown
from betterthan.models.refitting import Refitting


class FromScores(ModelBase):
    """A model without a likelihood whose strengths are a function of weighted items."""

    accepts: tuple[str, ...] = ("scores",)
    consumes: tuple[type, ...] = (ScoreMatrix,)

    @abstractmethod
    def averager(self, values: FloatArray) -> Any:
        """Prepare scores; return the function from times (items × resamples) to averages (systems × resamples).

        An average is NaN where no item of a system is left.
        """

    def rated(self, ratings: RatingMatrix) -> Any:
        """Prepare ratings of several judges; return the function from times (rows × resamples) to averages.

        Items are averaged over the judges that were drawn, as often as they were.
        """

        of_items = self.averager(next(ratings.averaged(np.ones((len(ratings.item), 1))))[0])

        def average(times: FloatArray) -> FloatArray:
            if (drawn := ratings.of_whole_items(times)) is not None:  # the means stay as they are
                return np.asarray(of_items(drawn))
            found = [self.averager(values)(weight[:, None])[:, 0] for values, weight in ratings.averaged(times)]
            return np.stack(found, axis=1)

        return average

    def fit(self, scores: ScoreMatrix) -> Fit:
        """Average the scores of every system; one without any is in the middle, apart from the others."""
        strength = self.averager(scores.values)(np.ones((len(scores.values), 1)))[:, 0]
        unknown = np.isnan(strength)
        single = np.sum(~np.isnan(scores.values), axis=0) < 2
        return Fit.plain(
            scores.systems,
            np.where(unknown, np.mean(strength[~unknown]), strength),
            estimable=~unknown,
            apart=unknown,
            open_low=single,  # one score says nothing about how scores vary
            open_high=single,
            lower_is_better=scores.lower_is_better,
            findings=self.findings(scores),
        )

    def findings(self, scores: ScoreMatrix) -> tuple[Finding, ...]:
        """Report missing scores."""
        return missing_scores(scores.values, scores.systems)

    def refitter(self, fit: Fit, scores: ScoreMatrix) -> "ScoresRefitting":
        """Average again over resampled items."""
        return ScoresRefitting(fit, scores, self)


@dataclass(frozen=True, eq=False)
class ScoresRefitting(Refitting):
    """Averages again over resampled items; a system of which none is left stays where it was."""

    statistic: ScoreMatrix
    model: FromScores

    @cached_property
    def average(self) -> Any:
        """The function from times (items × resamples) to averages (systems × resamples)."""
        scores = self.statistic
        return self.model.averager(scores.values) if scores.ratings is None else self.model.rated(scores.ratings)

    def prepare(self) -> None:
        """Prepare the scores."""
        _ = self.average

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Average items that occur so often (items × resamples)."""
        del rng
        return kept_where_unknown(self.average(resampled), self.fit)


def missing_scores(values: FloatArray, systems: tuple[str, ...]) -> tuple[Finding, ...]:
    """Report where systems were scored on different items; items without any score are ignored."""
    missing = np.isnan(values)
    missing = missing[~np.all(missing, axis=1)]
    if not np.any(missing):
        return ()
    lacking, complete = marked(systems, np.any(missing, axis=0)), np.sum(~np.any(missing, axis=1))
    share = float(np.mean(missing))
    level: Level = "warning" if share > kinds.scores.MISSING_SCORES.thresholds["many"] else "info"
    found = kinds.scores.MISSING_SCORES.found(
        level=level, share=share, systems=lacking, complete=complete, items=len(missing)
    )
    return (found,)
