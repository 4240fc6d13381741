"""Models that average scores: one function serves the estimate and all resamples."""

from abc import abstractmethod
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.findings import Finding, marked
from betterthan.findings.scores import MISSING_SCORES
from betterthan.models.base import Fit, ModelBase, Refit
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

    def fit(self, scores: ScoreMatrix) -> Fit:
        """Average the scores of every system."""
        strength = self.averager(scores.values)(np.ones((len(scores.values), 1)))[:, 0]
        single = np.sum(~np.isnan(scores.values), axis=0) < 2
        return Fit.plain(
            scores.systems,
            strength,
            open_low=single,  # one score says nothing about how scores vary
            open_high=single,
            lower_is_better=scores.lower_is_better,
            findings=missing_scores(scores),
        )

    def refitter(self, fit: Fit, scores: ScoreMatrix) -> Refit:
        """Average again over resampled instances; a system of which none is left stays where it was."""
        average = self.averager(scores.values)

        def refit(times: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
            del rng
            strength = average(times)
            lost = np.isnan(strength)
            return np.where(lost, fit.strength[:, None], strength), int(np.sum(np.any(lost, axis=0)))

        return refit


def missing_scores(scores: ScoreMatrix) -> tuple[Finding, ...]:
    """Warn where systems were scored on different instances."""
    missing = np.isnan(scores.values)
    if not np.any(missing):
        return ()
    systems, complete = marked(scores.systems, np.any(missing, axis=0)), np.sum(~np.any(missing, axis=1))
    share = np.mean(missing)
    return (MISSING_SCORES.found(share=share, systems=systems, complete=complete, instances=len(missing)),)
