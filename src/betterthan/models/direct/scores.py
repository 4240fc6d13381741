"""Models that average scores: one function serves the estimate and all resamples."""

from abc import abstractmethod
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.findings import Finding, Level, marked
from betterthan.findings.scores import MISSING_SCORES
from betterthan.models.base import Fit, ModelBase, Refit
from betterthan.reduce.ratings import Ratings
from betterthan.reduce.scores import ScoreMatrix


class FromScores(ModelBase):
    """A model without a likelihood whose strengths are a function of weighted instances."""

    accepts: tuple[str, ...] = ("scores",)
    consumes: tuple[type, ...] = (ScoreMatrix,)

    @abstractmethod
    def averager(self, values: FloatArray) -> Any:
        """Prepare scores; return the function from times (instances × resamples) to averages (systems × resamples).

        An average is NaN where no instance of a system is left.
        """

    def rated(self, ratings: Ratings) -> Any:
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
        """Average the scores of every system; one without any stands in the middle, apart from the others."""
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
            findings=missing_scores(scores.values, scores.systems),
        )

    def refitter(self, fit: Fit, scores: ScoreMatrix) -> Refit:
        """Average again over resampled instances; a system of which none is left stays where it was."""
        average = self.averager(scores.values) if scores.ratings is None else self.rated(scores.ratings)

        def refit(times: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            del rng
            strength = average(times)
            unknown = np.isnan(strength)
            lost = np.any(unknown & fit.estimable[:, None], axis=0)
            return np.where(unknown, fit.strength[:, None], strength), int(np.sum(lost))

        return refit


def missing_scores(values: FloatArray, systems: tuple[str, ...]) -> tuple[Finding, ...]:
    """Report where systems were scored on different items; an item that nobody scored is not one of them."""
    missing = np.isnan(values)
    missing = missing[~np.all(missing, axis=1)]
    if not np.any(missing):
        return ()
    lacking, complete = marked(systems, np.any(missing, axis=0)), np.sum(~np.any(missing, axis=1))
    share = float(np.mean(missing))
    level: Level = "warning" if share > MISSING_SCORES.thresholds["many"] else "info"
    found = MISSING_SCORES.found(level=level, share=share, systems=lacking, complete=complete, instances=len(missing))
    return (found,)
