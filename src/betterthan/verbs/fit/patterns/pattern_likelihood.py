"""The likelihood of patterns: log-linear in the parameters, summed over missing answers.

A pattern's logarithm is linear in the strengths of systems, the effect of being undecided, and the dependence between
comparisons that share a system. Where missing answers are part of the model, the table is crossed with the missingness,
as in prefmod. Each question is unanswered with odds e^α, times a factor for the answer that would have been given.
Given the pattern, questions are independent, so their sum has a closed form and only patterns are enumerated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.verbs.fit.patterns.pattern_answers import Answers
from betterthan.verbs.fit.patterns.pattern_space import Signs, Space


@dataclass(frozen=True)
class Questions:
    """Possible missing answers, a pair or a system of a ranking: the multipliers of α and β.

    `often` is questions × α. `outcome` (patterns × questions × β) is what the answer would have been.
    """

    often: FloatArray
    outcome: FloatArray


@dataclass(frozen=True)
class PatternCells:
    """Distinct patterns of each kind of subject, with what is missing in them: the rows of the table.

    `compatible` are the patterns that agree with the answers, `row` is the cell of every pattern that was given.
    """

    kind: IntArray
    compatible: Sequence[IntArray]
    signs: Signs
    missing: FloatArray
    row: IntArray

    @classmethod
    def of(cls, answers: Answers, kind: IntArray, space: Space) -> "PatternCells":
        """Put equal patterns of one kind of subject together."""
        keys = np.concatenate([kind[:, None], answers.missing, answers.signs], axis=1)
        _, first, row = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        signs = answers.signs[first]
        return cls(kind[first], space.compatible(signs), signs, answers.missing[first], row.ravel())

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def complete(self) -> BoolArray:
        """Which cells lack no answer."""
        return np.asarray(~np.any(self.missing > 0, axis=1))

    def of_kind(self, kind: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return the complete cells of a kind of subject, the pattern of each, and the other cells."""
        mine = self.kind == kind
        whole = np.flatnonzero(mine & self.complete)
        pattern = np.array([self.compatible[cell][0] for cell in whole.tolist()], dtype=np.int64)
        return whole, pattern, np.flatnonzero(mine & ~self.complete)


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of patterns as a function of parameters.

    `statistics` (patterns × statistics) are those that the model uses: the balance of every system, the number of
    undecided answers, and the products of answers that share a system. Those of `questions` follow. `maps` (kinds of
    subjects × statistics × parameters) map parameters to them.
    """

    space: Space
    statistics: FloatArray
    cells: PatternCells
    maps: FloatArray
    questions: Questions | None = None

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return int(self.maps.shape[2])

    @cached_property
    def missed(self) -> dict[int, FloatArray]:
        """The contributions of questions to the statistics of matching patterns, by cell with missing answers."""
        if self.questions is None:
            return {}
        found = {}
        for cell in np.flatnonzero(~self.cells.complete).tolist():
            rows = self.cells.compatible[cell]
            missing = np.broadcast_to(self.cells.missing[cell], (len(rows), self.cells.missing.shape[1]))
            found[cell] = _missed(self.questions, missing, rows)
        return found

    def at(self, point: FloatArray, weight: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and information, every cell with a weight.

        Missing answers can make the information indefinite far from the maximum; that of the complete table then leads
        upwards.
        """
        value, gradient, whole, lost = self.moments(point, weight)
        information = whole - lost
        return value, gradient, information if not np.any(lost) or _positive(information) else whole

    def moments(self, point: FloatArray, weight: FloatArray) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """Return log-likelihood, gradient, the information of the complete table, and what missing answers lose."""
        look = PatternPoint(self, point)
        gradient = np.zeros(self.size)
        whole, lost = np.zeros((2, self.size, self.size))
        for kind, onto in enumerate(self.maps):
            mine = np.flatnonzero(self.cells.kind == kind)
            gradient += (weight[mine] @ look.difference[mine]) @ onto
            whole += float(weight[mine].sum()) * (onto.T @ look.spread[kind] @ onto)
            for cell in set(mine.tolist()) & look.within.keys():
                lost += weight[cell] * (onto.T @ look.within[cell] @ onto)
        return float(weight @ look.log_chance), gradient, whole, lost

    def log_chances(self, point: FloatArray) -> FloatArray:
        """Return the log-chance of every cell."""
        return PatternPoint(self, point).log_chance

    def scores(self, point: FloatArray) -> FloatArray:
        """Return the derivatives of every cell (cells × parameters)."""
        found: FloatArray = np.empty((len(self.cells), self.size))
        look = PatternPoint(self, point)
        for kind, onto in enumerate(self.maps):
            mine = self.cells.kind == kind
            found[mine] = look.difference[mine] @ onto
        return found

    def informations(self, point: FloatArray) -> FloatArray:
        """Return the information of every cell (cells × parameters × parameters)."""
        look = PatternPoint(self, point)
        whole = [onto.T @ spread @ onto for onto, spread in zip(self.maps, look.spread, strict=True)]
        found = np.stack(whole)[self.cells.kind]
        for cell, within in look.within.items():
            onto = self.maps[self.cells.kind[cell]]
            found[cell] -= onto.T @ within @ onto
        return found

    def chance(self, values: FloatArray) -> FloatArray:
        """Return the chance of every pattern, whatever is missing, where statistics have these coefficients."""
        found: FloatArray = scipy.special.softmax(self.logs(values)[1])
        return found

    def logs(self, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Return the log-weight of every pattern where nothing is missing, and whatever is, and log-odds of missing."""
        base, questions = self.statistics.shape[1], self.questions
        alone = self.statistics @ values[:base]
        if questions is None:
            return alone, alone, None
        often = questions.often.shape[1]
        odds = questions.often @ values[base : base + often] + questions.outcome @ values[base + often :]
        return alone, alone + np.logaddexp(0.0, odds).sum(axis=1), odds


class PatternPoint:
    """The likelihood at one point, in terms of statistics.

    By cell: `log_chance`, and the mean `difference` of its statistics from that of all. By kind of subject: the
    `spread` of all statistics. `within` is the spread that is left in a cell with missing answers.
    """

    def __init__(self, likelihood: Likelihood, point: FloatArray) -> None:
        self._likelihood, cells = likelihood, likelihood.cells
        self.log_chance = np.empty(len(cells))
        self.difference = np.empty((len(cells), likelihood.maps.shape[1]))
        self.spread: list[FloatArray] = []
        self.within: dict[int, FloatArray] = {}
        for kind, onto in enumerate(likelihood.maps):
            self._of_kind(kind, onto @ point)

    def _of_kind(self, kind: int, values: FloatArray) -> None:
        statistics, questions, cells = self._likelihood.statistics, self._likelihood.questions, self._likelihood.cells
        base = statistics.shape[1]
        log_pattern, log_whole, odds = self._likelihood.logs(values)
        total = scipy.special.logsumexp(log_whole)
        weight = np.exp(log_whole - total)
        if questions is None or odds is None:
            mean, spread = _spread(statistics, weight)
        else:
            chance = scipy.special.expit(odds)
            mean, spread = _spread(np.concatenate([statistics, _missed(questions, chance)], axis=1), weight)
            # What is missing varies even where the pattern is known.
            spread[base:, base:] += _varying(questions, weight[:, None] * chance * (1 - chance))
        whole, pattern, partial = cells.of_kind(kind)
        self.log_chance[whole] = log_pattern[pattern] - total
        self.difference[whole] = -mean
        self.difference[whole, :base] += statistics[pattern]
        for cell in partial.tolist():
            rows, logs = cells.compatible[cell], log_pattern[cells.compatible[cell]]
            here = statistics[rows]
            if odds is not None:
                logs = logs + odds[rows] @ cells.missing[cell]
                here = np.concatenate([here, self._likelihood.missed[cell]], axis=1)
            part = scipy.special.logsumexp(logs)
            middle, self.within[cell] = _spread(here, np.exp(logs - part))
            self.log_chance[cell], self.difference[cell] = part - total, middle - mean
        self.spread.append(spread)


def _missed(questions: Questions, missing: FloatArray, rows: IntArray | slice = slice(None)) -> FloatArray:
    """Return the statistics of missing answers (patterns × those of questions), by how far each is missing."""
    by_outcome = (missing[:, None] @ questions.outcome[rows])[:, 0]
    return np.concatenate([missing @ questions.often, by_outcome], axis=1)


def _varying(questions: Questions, amount: FloatArray) -> FloatArray:
    """Return how much statistics of missing answers vary, questions by questions (amounts: patterns × questions)."""
    often = np.broadcast_to(questions.often, (*amount.shape, questions.often.shape[1]))
    rows = np.concatenate([often, questions.outcome], axis=2).reshape(amount.size, -1)
    varying: FloatArray = rows.T @ (amount.reshape(-1, 1) * rows)
    return varying


def _spread(statistics: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and covariance of statistics under weights that sum to 1."""
    mean = weight @ statistics
    centred = statistics - mean
    return mean, centred.T @ (weight[:, None] * centred)


def _positive(matrix: FloatArray) -> bool:
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    try:
        np.linalg.cholesky(matrix * scale * scale[:, None])
    except np.linalg.LinAlgError:
        return False
    return bool(np.all(np.diag(matrix) > 0))
