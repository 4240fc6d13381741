"""Strengths by the rectified score equation: a machine's judgments, corrected by people's outcomes of some."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import GoldJudgments

#: Steps of Newton's method, and how near to the solution is near enough.
_STEPS, _CLOSE = 100, 1e-10
#: Strengths further from their mean than this have no bound.
_ENDLESS = 30.0


@dataclass(frozen=True)
class RectifiedScores:
    """Bradley–Terry strengths at which λ · mean(machine, all) + mean(people − λ · machine, labelled) is zero.

    The means are of the gradients of the log-likelihood. With λ = 0 these are the strengths by people's outcomes alone;
    the best λ has the least variance of differences (Angelopoulos, Duchi & Zrnic 2023).
    """

    judgments: GoldJudgments

    @cached_property
    def _share(self) -> tuple[FloatArray, FloatArray]:
        """The weights of judgments in the mean over all, and in the mean over labelled ones."""
        amount, labelled = self.judgments.amount, self.judgments.amount * self.judgments.labelled
        return amount / amount.sum(), labelled / labelled.sum()

    @cached_property
    def _people(self) -> FloatArray:
        return np.nan_to_num(self.judgments.gold)

    def solve(self, slope: float, start: FloatArray | None = None) -> tuple[FloatArray, int]:
        """Return the strengths for a λ, with the number of steps; NaN where there is no solution."""
        every, labelled = self._share
        weight = slope * every + (1 - slope) * labelled
        won = slope * (every - labelled) * self.judgments.judged + labelled * self._people
        left, right, size = self.judgments.left, self.judgments.right, self.judgments.size
        strength: FloatArray = np.zeros(size) if start is None else start
        for step in range(1, _STEPS + 1):
            expected = 1 / (1 + np.exp(strength[right] - strength[left]))
            gap = won - weight * expected
            gradient = np.bincount(left, gap, size) - np.bincount(right, gap, size)
            move = np.linalg.lstsq(self._information(weight * expected * (1 - expected)), gradient, rcond=1e-10)[0]
            move *= min(1.0, 2.0 / max(float(np.max(np.abs(move))), 1e-300))
            strength = strength + move
            strength = np.subtract(strength, strength.mean())
            if np.max(np.abs(strength)) > _ENDLESS:
                break
            if np.max(np.abs(move)) < _CLOSE:
                return strength, step
        return np.full(size, np.nan), _STEPS

    def _information(self, curvature: FloatArray) -> FloatArray:
        left, right, size = self.judgments.left, self.judgments.right, self.judgments.size
        between = np.bincount(left * size + right, curvature, size * size).reshape(size, size)
        between = between + between.T
        information: FloatArray = np.diag(between.sum(axis=1)) - between
        return information

    @cached_property
    def slope(self) -> float:
        """The λ with the least variance of strengths: 0 where the machine's outcomes say nothing, at most 1."""
        strength, _ = self.solve(0.5)
        if np.any(np.isnan(strength)):
            return 0.0
        bread = self._bread(0.5, strength)
        _, labelled = self._share
        rows = np.flatnonzero(self.judgments.labelled)
        people, machine = (self._gradients(won, strength)[rows] for won in (self._people, self.judgments.judged))
        x = self.judgments.sided(np.ones(len(labelled)))[rows]
        norms = np.asarray((x @ bread) ** 2).sum(axis=1)  # how far a gradient of one moves all strengths
        weight = labelled[rows] * norms
        spread = float(np.sum(weight * machine**2))
        return float(np.clip(np.sum(weight * people * machine) / spread, 0.0, 1.0)) if spread > 0 else 0.0

    def _gradients(self, won: FloatArray, strength: FloatArray) -> FloatArray:
        expected = 1 / (1 + np.exp(strength[self.judgments.right] - strength[self.judgments.left]))
        gap: FloatArray = won - expected
        return gap

    def _bread(self, slope: float, strength: FloatArray) -> FloatArray:
        """Return the inverse of the derivative of the mean gradient, on strengths with mean 0."""
        every, labelled = self._share
        weight = slope * every + (1 - slope) * labelled
        expected = 1 / (1 + np.exp(strength[self.judgments.right] - strength[self.judgments.left]))
        information = self._information(weight * expected * (1 - expected))
        return np.asarray(np.linalg.pinv(information, rcond=1e-10, hermitian=True), dtype=np.float64)

    @cached_property
    def strength(self) -> FloatArray:
        """The corrected strengths; NaN where there is no solution."""
        return self.solve(self.slope)[0]

    @property
    def by_labels(self) -> FloatArray:
        """The strengths by people's outcomes alone; NaN where they do not bound them."""
        return self.solve(0.0)[0]

    @property
    def by_judge(self) -> FloatArray:
        """The strengths by the machine's outcomes alone."""
        return RectifiedScores(_as_gold(self.judgments)).solve(0.0)[0]

    def influences(self, slope: float, strength: FloatArray) -> tuple[Any, FloatArray]:
        """Return the gradients of judgments (judgments × systems), and the matrix that turns them into strengths.

        Residuals at an estimate are smaller than elsewhere, which a factor for the number of strengths makes up for.
        """
        every, labelled = self._share
        number = float(self.judgments.amount @ self.judgments.labelled)
        factor = np.sqrt(number / max(number - (self.judgments.size - 1), 1.0))
        people, machine = (self._gradients(won, strength) for won in (self._people, self.judgments.judged))
        gap = slope * every * machine + factor * labelled * (people - slope * machine)
        return self.judgments.sided(gap), self._bread(slope, strength)


def sandwich(found: RectifiedScores, slope: float, strength: FloatArray) -> FloatArray:
    """Return the covariance of strengths for a λ, over the units of the judgments."""
    gradients, bread = found.influences(slope, strength)
    covariance: FloatArray = bread @ found.judgments.units.meat(gradients) @ bread
    return covariance


def _as_gold(judgments: GoldJudgments) -> GoldJudgments:
    return replace(judgments, gold=judgments.judged)
