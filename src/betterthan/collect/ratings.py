"""TrueSkill's beliefs while judgments come in."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.collect.judged import order_wanted
from betterthan.datasets.dataset import DataSet
from betterthan.models.ordered.compiled import prepared, quick
from betterthan.models.ordered.skill import PAIR_STEPS, play_pairs
from betterthan.models.trueskill import TrueSkill
from betterthan.reduce.games import Games


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

    def after(self, left: Any, right: Any, outcome: Any, weight: Any = None) -> Self:
        """Return the beliefs after judgments, in their order (0 the left side won, 1 tie, 2 the right side won)."""
        weight = np.ones(len(left)) if weight is None else weight
        steps = PAIR_STEPS * len(left)
        *columns, mean, variance = prepared(steps, left, right, outcome, weight, self.mean.copy(), self.variance.copy())
        loop: Any = quick(play_pairs, steps)
        loop(*columns, mean, variance, self.beta2, self.tau2, self.margin)
        return self._replace(mean=np.asarray(mean), variance=np.asarray(variance))


def rating(data: DataSet | None, size: int) -> Callable[[str], Ratings]:
    """Return the function that gives the beliefs from judgments, in their order where they have one, by preset."""

    @cache
    def rate(preset: str) -> Ratings:
        games = None if data is None else data.statistic(Games, order_wanted(data))
        if games is None:
            return Ratings.start(size, preset, 1)
        start = Ratings.start(size, preset, len(games.left))
        return start.after(games.left, games.right, games.outcome, games.weight)

    return rate
