"""TrueSkill's beliefs while judgments come in."""

from typing import Any, NamedTuple, Self

import numpy as np

from betterthan.engine.table import FloatArray
from betterthan.models.ordered.compiled import prepared, quick
from betterthan.models.ordered.skill import PAIR_STEPS, play_pairs
from betterthan.models.trueskill import TrueSkill


class Ratings(NamedTuple):
    """Mean and variance of every system; the variance of a performance, the drift's, and the margin of ties."""

    mean: FloatArray
    variance: FloatArray
    beta2: float
    tau2: float
    margin: float

    @classmethod
    def start(cls, size: int, preset: Any, judgments: int) -> Self:
        """Know nothing yet; with the WMT preset the variance of a performance grows with the judgments planned."""
        settings = TrueSkill(preset=preset).settings(max(judgments, 1))
        mean, variance = np.full(size, settings.mu), np.full(size, settings.sigma**2)
        return cls(mean, variance, settings.beta**2, settings.tau**2, settings.margin)

    def after(self, left: Any, right: Any, outcome: Any) -> Self:
        """Return the beliefs after judgments, in their order (0 the left side won, 1 tie, 2 the right side won)."""
        steps = PAIR_STEPS * len(left)
        *columns, mean, variance = prepared(
            steps, left, right, outcome, np.ones(len(left)), self.mean.copy(), self.variance.copy()
        )
        loop: Any = quick(play_pairs, steps)
        loop(*columns, mean, variance, self.beta2, self.tau2, self.margin)
        return self._replace(mean=np.asarray(mean), variance=np.asarray(variance))
