"""Refitting of resampled judgments with covariates: together from one factorisation, or by one Newton step."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import controlled_judgments, sparse_matrices
from betterthan.models.covariates.controlled_model import ControlTask
from betterthan.models.likelihood.chord import chord
from betterthan.models.likelihood.links import Logistic
from betterthan.models.likelihood.newton import Steps, centred, maximise
from betterthan.models.likelihood.pair_problem import PairProblem
from betterthan.models.likelihood.pair_refitting import IN_BUCKETS, MORE_KNOWN
from betterthan.models.refitting import Refitting

if TYPE_CHECKING:
    from betterthan.models.covariates.controlled_model import ControlledBradleyTerry

#: From that many judgments on, a thousand refits take seconds; from that many, a minute.
_MANY, _VERY_MANY = 10_000, 200_000
#: Numbers of one array at a time.
_AT_ONCE = 1 << 18
_LINK = Logistic()


@dataclass(frozen=True, eq=False)
class ControlRefitting(Refitting):
    """Refits from the estimate, whose information is factored once."""

    statistic: controlled_judgments.ControlledJudgments
    model: "ControlledBradleyTerry"

    @cached_property
    def task(self) -> ControlTask:
        """The judgments as a problem of maximum likelihood."""
        return ControlTask.of(self.model, self.statistic)

    @cached_property
    def point(self) -> FloatArray:
        """Strengths and effects of the estimate."""
        return self.model.point(self.fit)

    @cached_property
    def steps(self) -> Steps:
        """What solves for Newton's steps, by the factored information at the estimate."""
        return self.task.curvature(self.point).solver(self.task.design, repeated=True)

    def over(self, units: Any) -> Self:
        """Return the same for other units: what was computed about the judgments stays."""
        found = super().over(units)
        vars(found).update({name: vars(self)[name] for name in ("task", "point", "_known") if name in vars(self)})
        return found

    def prepare(self) -> None:
        """Factor the information at the estimate."""
        _ = self.steps, self.task.problem, self.task.outcomes, self.task.start

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit for how often judgments occur (judgments × resamples), or move by gradients."""
        if self.statistic.units.summed_gradients:
            return self._one_step(resampled, rng)
        parts, degenerate = [], 0
        size = max(1, _AT_ONCE // max(len(resampled), 1))
        for begin in range(0, resampled.shape[1], size):
            strength, without = self._together(resampled[:, begin : begin + size], rng)
            parts.append(strength)
            degenerate += without
        return np.concatenate(parts, axis=1), degenerate

    def _one_step(self, gradients: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        problem, systems = self.task.problem, self.statistic.size
        step, _ = self.steps(gradients, np.zeros(gradients.shape[1]))
        strength = self.point[:systems, None] + step[:systems]
        return problem.finish(centred(strength, problem.components.label), rng), 0

    def _together(self, times: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Refit some resamples from the estimate."""
        task, problem, fit = self.task, self.task.problem, self.fit
        systems, label = self.statistic.size, problem.components.label
        offset = fit.strength - centred(fit.strength, label)
        inner = task.outcomes[:, :, None] * times[task.inside][None]
        by_pair = self._by_pair(times)
        broken = np.flatnonzero(problem.degenerate(by_pair[:, problem.inside]))
        for column in broken.tolist():  # what links systems no longer has no maximum to pull towards
            part = self._problem(by_pair[:, :, column])
            inner[:, self._outside(part), column] = 0.0
        found, last = chord(task.design, _LINK, self.steps, (self.point, 0.0), inner)
        strength = problem.place_by_chance(found[:systems] + offset[:, None], rng)
        for column in {*np.flatnonzero(~(last < 1e-6)).tolist(), *broken.tolist()}:
            part = self._problem(by_pair[:, :, column])
            known = self._alone(part, times[:, column])
            strength[:, column] = part.place_near(fit.strength, known, rng)
        return problem.finish(strength, rng), len(broken)

    def _by_pair(self, times: FloatArray) -> FloatArray:
        """Add up resampled wins of pairs (3 × pairs × resamples)."""
        won, lost = (self.task.rows_won[side][:, None] * times for side in (0, 1))
        first = self._turned
        sides = np.where(first, lost, won), np.where(first, won, lost)
        ahead, behind = (self._onto_pairs @ side for side in sides)
        return np.stack([ahead, np.zeros_like(ahead), behind])

    @cached_property
    def _turned(self) -> BoolArray:
        turned: BoolArray = (self.statistic.first > self.statistic.second)[:, None]
        return turned

    @cached_property
    def _onto_pairs(self) -> Any:
        """Pairs × judgments."""
        counts, one = self.statistic.counts, self.statistic
        low, high = np.minimum(one.first, one.second), np.maximum(one.first, one.second)
        pair = np.searchsorted(counts.first * one.size + counts.second, low * one.size + high)
        rows = np.arange(len(pair))
        return sparse_matrices.matrix_of(np.ones(len(pair)), pair, rows, (len(counts.first), len(pair)))

    def _problem(self, outcomes: FloatArray) -> PairProblem:
        return PairProblem.of(self.statistic.counts, outcomes, _LINK)

    def _outside(self, part: PairProblem) -> BoolArray:
        """Mark the judgments inside the estimate's components that are inside none of a resample's."""
        label, design = part.components.label, self.task.design
        apart: BoolArray = label[design.first] != label[design.second]
        return apart

    def _alone(self, part: PairProblem, times: FloatArray) -> FloatArray:
        """Refit one resample by Newton's method with its own information."""
        label, one = part.components.label, self.statistic
        there = np.flatnonzero((times > 0) & (label[one.first] == label[one.second]))
        some = replace(self.task.whole.rows(there), label=label, last={})
        outcomes = self.task.rows_outcomes[:, there] * times[there]
        return maximise(some, _LINK, outcomes, (self.point, 0.0)).strength[: self.statistic.size]

    @property
    def nearly_linear(self) -> bool:
        """Much evidence about every system leaves resamples near the estimate, and many judgments take long."""
        rows = len(self.statistic.first)
        if rows < _MANY or not np.all(self.fit.placed):
            return False
        return bool(np.min(self._known) >= (IN_BUCKETS if rows >= _VERY_MANY else MORE_KNOWN))

    @cached_property
    def _known(self) -> FloatArray:
        """The inverse variance of every strength around the mean of its component, for independent judgments."""
        systems = self.statistic.size
        variance = np.diag(self.task.bread(self.point))[:systems]
        weight = float(self.statistic.outcomes.sum()) / len(self.statistic.first)
        return 1.0 / np.maximum(variance * weight, 1e-300)

    @property
    def little_known(self) -> IntArray:
        """The systems that one step would not place as a refit does."""
        return np.flatnonzero(self._known < IN_BUCKETS)

    @property
    def work(self) -> float:
        """The number of judgments, where resamples are refitted."""
        rows = float(len(self.statistic.first))
        return 0.0 if self.nearly_linear else rows

    @property
    def terms(self) -> Any:
        """The gradients of single judgments, where one maximum holds all systems."""
        if not self.task.problem.components.connected:
            return None
        return self.task.gradients(self.point)
