"""Draws of a mean over several tasks: independent tasks add their errors, metrics of one data set share their draws.

A task is what was sampled independently of the others: a data set, with one metric or several. Tasks are fixed, so that
only what varies within them counts, or a sample of other tasks, so that the variation between them counts too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from betterthan.base import FloatArray, IntArray, arrays
from betterthan.datasets import effective_units
from betterthan.inference import EstimateErrors, clustered_error
from betterthan.uncertainty.decisions import Decisions, decide
from betterthan.uncertainty.draws import USUAL_LEVEL, Draws, StrengthErrors, spans

#: Ranks of draws are closer to the estimated ranks than those of another sample. Of many equal systems, whose draws
#: and estimates vary alike, ranks correlate by (6/π)·arcsin(ρ/2). Deviations this much wider make the mean squared
#: change of a rank as large as the variance of ranks in samples; of few systems larger. Clear differences stay.
_WIDER = float(np.sqrt(1 + np.sqrt(3)))


@dataclass(frozen=True)
class TaskDraws:
    """The weighted sum of metrics of one task: values of systems, deviations (draws × systems) and errors.

    Several `errors` are those of parts whose correlation is not known: they count as perfectly correlated.
    """

    value: FloatArray
    away: FloatArray
    errors: tuple[StrengthErrors, ...]
    freedom: float
    unit: str
    units: int

    @classmethod
    def of_strengths(
        cls, draws: Draws, centre: FloatArray, blocks: Sequence[IntArray], weights: Sequence[float]
    ) -> "TaskDraws":
        """Add up strengths of one sample of draws; a block has the columns of the systems on one metric."""
        away = (draws.strength - centre) / draws.stretch[:, None]
        errors = draws.errors
        assert isinstance(errors, StrengthErrors)  # those of a model, not of tasks
        covariances = tuple(
            _with_variances(
                np.sum(
                    [
                        one * two * each[np.ix_(rows, columns)]
                        for one, rows in zip(weights, blocks, strict=True)
                        for two, columns in zip(weights, blocks, strict=True)
                    ],
                    axis=0,
                )
            )
            for each in errors.covariances
        )
        freedom = tuple(
            np.min([each[np.ix_(rows, columns)] for rows in blocks for columns in blocks], axis=0)
            if isinstance(each, np.ndarray)
            else each
            for each in errors.freedom
        )
        return cls(
            _summed(centre, blocks, weights),
            _summed(away, blocks, weights),
            (StrengthErrors(covariances, freedom, errors.nested),),
            draws.freedom,
            draws.unit,
            draws.units,
        )

    @classmethod
    def of_ranks(
        cls, draws: Draws, centre: FloatArray, blocks: Sequence[IntArray], own: IntArray, weights: Sequence[float]
    ) -> "TaskDraws":
        """Add up minus the ranks of strengths of one sample of draws, among all systems of each block.

        `own` are the places of the systems of interest within a block, which has a row for every metric.
        """
        wide = (draws.strength - centre) / draws.stretch[:, None] * _WIDER
        value, away = np.zeros(own.shape[1]), np.zeros((len(wide), own.shape[1]))
        for columns, places, weight in zip(blocks, own, weights, strict=True):
            known = centre[columns]
            rank = spans(known[None], draws.resolution)[0][0]
            value -= weight * rank[places]
            away -= weight * (spans(known + wide[:, columns], draws.resolution)[0] - rank)[:, places]
        errors = StrengthErrors.of_one(away.T, draws.freedom)
        return cls(value, away, (errors,), draws.freedom, draws.unit, draws.units)

    def plus(self, other: "TaskDraws") -> "TaskDraws":
        """Add a part of the same task whose correlation with this one is not known."""
        rows = min(len(self.away), len(other.away))
        return TaskDraws(
            self.value + other.value,
            self.away[:rows] + other.away[:rows],
            (*self.errors, *other.errors),
            min(self.freedom, other.freedom),
            self.unit,
            min(self.units, other.units),
        )


def _summed(values: FloatArray, blocks: Sequence[IntArray], weights: Sequence[float]) -> FloatArray:
    total: FloatArray = np.sum(
        [weight * values[..., columns] for weight, columns in zip(weights, blocks, strict=True)], axis=0
    )
    return total


def _with_variances(covariance: FloatArray) -> FloatArray:
    """Return a covariance whose variances rounding did not make negative, where metrics cancel out."""
    np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
    return covariance


@dataclass(frozen=True)
class TaskErrors:
    """The errors of sums over independent tasks, and of a mean over a sample of tasks where their `weights` are given.

    On these tasks alone variances add up, with Satterthwaite's degrees of freedom. Random tasks vary between each
    other, which includes what varies within them; the more cautious of both errors counts.
    """

    tasks: tuple[TaskDraws, ...]
    weights: FloatArray | None = None  # of random tasks, with sum 1

    @property
    def freedom(self) -> tuple[FloatArray | float, ...]:
        """None: every task has its own."""
        return ()

    @cached_property
    def singles(self) -> EstimateErrors:
        """The errors of every value."""
        within = [[each.singles for each in task.errors] for task in self.tasks]
        return self._total(within, self._values)

    def differences(self, first: IntArray, second: IntArray) -> EstimateErrors:
        """Return the errors of differences of values."""
        within = [[each.differences(first, second) for each in task.errors] for task in self.tasks]
        return self._total(within, self._values[:, first] - self._values[:, second])

    @property
    def _values(self) -> FloatArray:
        """What every task adds (tasks × systems)."""
        return np.stack([task.value for task in self.tasks])

    def _total(self, within: Sequence[Sequence[EstimateErrors]], added: FloatArray) -> EstimateErrors:
        """Add up the errors of tasks; `added` is what every task adds to the estimates (tasks × estimates)."""
        variances, freedoms = [], []
        for parts in within:
            found = [each.widest(USUAL_LEVEL) for each in parts]
            variances.append(np.sum([np.sqrt(np.maximum(each, 0.0)) for each, _ in found], axis=0) ** 2)
            freedoms.append(np.maximum(np.min([each for _, each in found], axis=0), 1.0))
        variance, freedom = _satterthwaite(np.array(variances), np.array(freedoms))
        if self.weights is None:
            return EstimateErrors((variance,), (freedom,))
        weights = np.repeat(self.weights[:, None], added.shape[1], axis=1)
        error, between = clustered_error(added, weights)
        return EstimateErrors((error**2, variance), (between, np.minimum(freedom, between)))


def _satterthwaite(variances: FloatArray, freedoms: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sum of independent variances (tasks × estimates), and its degrees of freedom."""
    total, squares = variances.sum(axis=0), np.sum(variances**2 / freedoms, axis=0)
    freedom = np.divide(total**2, squares, out=freedoms.min(axis=0), where=squares > 0)
    return total, freedom


def over_tasks(tasks: Sequence[TaskDraws], *, random: Sequence[float] | None, seed: int) -> Draws:
    """Return the draws of sums over tasks; the weights of `random` tasks have the sum 1.

    Draws of tasks are put together in an order of their own each, because different data sets vary independently.
    """
    rng = np.random.default_rng([seed, 1])
    number, weights = min(len(task.away) for task in tasks), None if random is None else np.array(random, dtype=float)
    value = np.sum([task.value for task in tasks], axis=0)
    away = np.zeros((number, len(value)))
    for task in tasks:
        away += task.away[rng.permutation(len(task.away))[:number]]
    errors = TaskErrors(tuple(tasks), weights)
    variance, freedom = errors.singles.widest(USUAL_LEVEL)
    if weights is not None:  # deviations of tasks from their mean, with random signs and sizes
        away += rng.normal(size=(number, len(tasks))) @ (np.stack([t.value for t in tasks]) - np.outer(weights, value))
        spread = np.sqrt(np.mean(away**2, axis=0))
        away *= np.divide(np.sqrt(variance), spread, out=np.ones_like(spread), where=spread > 0)
    usual = arrays.median(freedom)
    stretch = np.sqrt(usual / rng.chisquare(usual, number)) if np.isfinite(usual) else np.ones(number)
    units = len(tasks) if weights is not None else sum(task.units for task in tasks)
    unit = "task" if weights is not None else "+".join(dict.fromkeys(task.unit for task in tasks))
    return Draws(
        value + away * stretch[:, None],
        "tasks",
        unit,
        units,
        np.zeros(len(value), dtype=bool),
        errors,
        stretch,
        usual,
        (effective_units.UnitNumber(unit, units, float(units)),),
        resolution=1e-12 * max(1.0, float(np.abs(value).max(initial=0.0))),
    )


def decide_over_tasks(
    strength: FloatArray, tasks: Sequence[TaskDraws], level: float, *, random: Sequence[float] | None, seed: int
) -> tuple[Draws, Decisions]:
    """Return the draws of overall strengths, and the decisions about all pairs of systems."""
    draws = over_tasks(tasks, random=random, seed=seed)
    return draws, decide(strength, draws, level, np.ones(len(strength), dtype=bool))
