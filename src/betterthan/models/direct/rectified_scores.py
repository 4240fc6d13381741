"""Strengths by the rectified score equation: a machine's judgments, corrected by people's outcomes of some."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import GoldJudgments, RowWeights

#: Steps of Newton's method, and how near to the solution is near enough.
_STEPS, _CLOSE = 100, 1e-10
#: Labels that happen to agree with the machine do not show that it never errs.
_UNSEEN = 0.5
#: Strengths further from their mean than this have no bound.
_ENDLESS = 30.0


@dataclass(frozen=True)
class RectifiedScores:
    """Bradley–Terry strengths at which λ · mean(machine, all) + mean(people − λ · machine, labelled) is zero.

    The means are of the gradients of the log-likelihood. With λ = 0 these are the strengths by people's outcomes alone;
    the best λ has the least variance of differences (Angelopoulos, Duchi & Zrnic 2023).
    """

    judgments: GoldJudgments

    @classmethod
    def of(cls, judgments: GoldJudgments) -> "RectifiedScores":
        """Return the strengths of judgments, which are solved for once whatever units they are drawn by."""
        return judgments.made("strengths", lambda: cls(judgments))

    @cached_property
    def _cells(self) -> "_Cells":
        return _Cells(self.judgments.cells)

    def solve(self, slope: float, start: FloatArray | None = None) -> tuple[FloatArray, int]:
        """Return the strengths for a λ, with the number of steps; NaN where there is no solution."""
        cells, size = self._cells, self.judgments.size
        left, right, weight = cells.of.left, cells.of.right, cells.weight(slope)
        won = slope * (cells.every - cells.labelled) * cells.of.judged + cells.labelled * cells.people
        strength: FloatArray = np.zeros(size) if start is None else start
        for step in range(1, _STEPS + 1):
            expected = cells.expected(strength)
            gap = won - weight * expected
            gradient = np.bincount(left, gap, size) - np.bincount(right, gap, size)
            information = cells.information(weight * expected * (1 - expected))
            move = np.linalg.lstsq(information, gradient, rcond=1e-10)[0]
            move *= min(1.0, 2.0 / max(float(np.max(np.abs(move))), 1e-300))
            strength = strength + move
            strength = np.subtract(strength, strength.mean())
            if np.max(np.abs(strength)) > _ENDLESS:
                break
            if np.max(np.abs(move)) < _CLOSE:
                return strength, step
        return np.full(size, np.nan), _STEPS

    @cached_property
    def slope(self) -> float:
        """The λ with the least variance of strengths: 0 where the machine's outcomes say nothing, at most 1."""
        strength, _ = self.solve(0.5)
        if np.any(np.isnan(strength)):
            return 0.0
        cells, bread = self._cells, self._bread(0.5, strength)
        rows = np.flatnonzero(cells.labelled)
        expected = cells.expected(strength)[rows]
        people, machine = cells.people[rows] - expected, cells.of.judged[rows] - expected
        moved = bread[cells.of.left[rows]] - bread[cells.of.right[rows]]  # how far a gradient of one moves strengths
        weight = cells.labelled[rows] * np.sum(moved**2, axis=1)
        spread = float(np.sum(weight * machine**2))
        return float(np.clip(np.sum(weight * people * machine) / spread, 0.0, 1.0)) if spread > 0 else 0.0

    def _bread(self, slope: float, strength: FloatArray) -> FloatArray:
        """Return the inverse of the derivative of the mean gradient, on strengths with mean 0."""
        expected = self._cells.expected(strength)
        information = self._cells.information(self._cells.weight(slope) * expected * (1 - expected))
        return np.asarray(np.linalg.pinv(information, rcond=1e-10, hermitian=True), dtype=np.float64)

    @cached_property
    def solved(self) -> tuple[FloatArray, int]:
        """The corrected strengths, NaN where there is no solution, and the number of steps."""
        return self.solve(self.slope)

    @property
    def strength(self) -> FloatArray:
        """The corrected strengths; NaN where there is no solution."""
        return self.solved[0]

    @cached_property
    def by_labels(self) -> FloatArray:
        """The strengths by people's outcomes alone; NaN where they do not bound them."""
        return self.solve(0.0)[0]

    @cached_property
    def by_judge(self) -> FloatArray:
        """The strengths by the machine's outcomes alone."""
        cells = self.judgments.cells
        return RectifiedScores(replace(cells, gold=cells.judged)).solve(0.0)[0]

    @cached_property
    def unseen(self) -> FloatArray:
        """What few labels may not show of the gradients' squares: half a squared step of every system.

        Labels that all agree with the machine do not show that it never errs.
        """
        rows, labels = _Cells(self.judgments), np.maximum(self.judgments.labels, 1)
        mean = (1 / labels[self.judgments.left] + 1 / labels[self.judgments.right]) / 2
        return rows.information(_UNSEEN * self.judgments.step**2 * mean * rows.labelled**2)

    def influences(self, slope: float, strength: FloatArray) -> tuple[Any, FloatArray]:
        """Return the gradients of judgments (judgments × systems), and the matrix that turns them into strengths.

        Residuals at an estimate are smaller than elsewhere, which a factor for the number of strengths makes up for.
        """
        rows = _Cells(self.judgments)
        number = self.judgments.effective
        factor = np.sqrt(number / max(number - self.judgments.size, 1.0))
        expected = rows.expected(strength)
        people, machine = rows.people - expected, self.judgments.judged - expected
        gap = slope * rows.every * machine + factor * rows.labelled * (people - slope * machine)
        return self.judgments.sided(gap), self._bread(slope, strength)


@dataclass(frozen=True)
class _Cells:
    """Judgments with their weights in the mean over all, and in the mean over labelled ones."""

    of: GoldJudgments

    @cached_property
    def every(self) -> FloatArray:
        share: FloatArray = self.of.amount / self.of.amount.sum()
        return share

    @cached_property
    def labelled(self) -> FloatArray:
        amount = self.of.amount * self.of.labelled
        share: FloatArray = amount / amount.sum()
        return share

    @cached_property
    def people(self) -> FloatArray:
        return np.nan_to_num(self.of.gold)

    def weight(self, slope: float) -> FloatArray:
        return slope * self.every + (1 - slope) * self.labelled

    def expected(self, strength: FloatArray) -> FloatArray:
        share: FloatArray = 1 / (1 + np.exp(strength[self.of.right] - strength[self.of.left]))
        return share

    def information(self, curvature: FloatArray) -> FloatArray:
        size = self.of.size
        between = np.bincount(self.of.left * size + self.of.right, curvature, size * size).reshape(size, size)
        between = between + between.T
        information: FloatArray = np.diag(between.sum(axis=1)) - between
        return information


def sandwich(found: RectifiedScores, slope: float, strength: FloatArray, units: RowWeights) -> FloatArray:
    """Return the covariance of strengths for a λ, over units of the judgments."""
    gradients, bread = found.influences(slope, strength)
    covariance: FloatArray = bread @ (units.meat(gradients) + found.unseen) @ bread
    return covariance
