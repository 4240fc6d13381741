"""TrueSkill's beliefs, updated with incoming judgments."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import DataSet, Games
from betterthan.models import TrueSkill, compiled, skill
from betterthan.verbs.collect.judged_evidence import order_wanted


class Beliefs(NamedTuple):
    """Mean and variance of every system; the variance of a performance, the drift's, and the margin of ties."""

    mean: FloatArray
    variance: FloatArray
    beta2: float
    tau2: float
    margin: float

    @classmethod
    def start(cls, size: int, preset: Any, judgments: int) -> Self:
        """Start without information; with the WMT preset the variance of a performance grows with the planned
        judgments.
        """
        settings = TrueSkill(preset=preset).settings(max(judgments, 1))
        mean, variance = np.full(size, settings.mu), np.full(size, settings.sigma**2)
        return cls(mean, variance, settings.beta**2, settings.tau**2, settings.margin)

    def after(self, left: Any, right: Any, outcome: Any, weight: Any = None) -> Self:
        """Return the beliefs after judgments, in their order (0 the left side won, 1 tie, 2 the right side won)."""
        weight = np.ones(len(left)) if weight is None else weight
        steps = skill.PAIR_STEPS * len(left)
        *columns, mean, variance = compiled.prepared(
            steps, left, right, outcome, weight, self.mean.copy(), self.variance.copy()
        )
        loop: Any = compiled.quick(skill.play_pairs, steps)
        loop(*columns, mean, variance, self.beta2, self.tau2, self.margin)
        return self._replace(mean=np.asarray(mean), variance=np.asarray(variance))


def trueskill_rating(data: DataSet | None, size: int) -> Callable[[str], Beliefs]:
    """Return the function that gives the beliefs from judgments, in their order where they have one, by preset."""

    @cache
    def rate(preset: str) -> Beliefs:
        games = None if data is None else data.statistic(Games, order_wanted(data))
        if games is None:
            return Beliefs.start(size, preset, 1)
        start = Beliefs.start(size, preset, len(games.left))
        return start.after(games.left, games.right, games.outcome, games.weight)

    return rate
