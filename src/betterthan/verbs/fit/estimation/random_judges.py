"""Judges as random effects: each judge's strengths vary around the common ones.

Deviations are normal with one standard deviation. It and the coefficients maximise Laplace's approximation of the
marginal likelihood. Joint maximisation would shrink them to 0 where judges gave few judgments: with 15 each, 95 %
intervals covered the truth in half of the cases.

Maximum likelihood takes the variance between J judges for (J − 1) / J of what it is. The covariance of the coefficients
allows for that, and tests of strengths have J − 1 degrees of freedom.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.models import solver

_STEPS, _HALVINGS = 60, 25
#: Standard deviations of log-strengths between which the search looks.
_LEAST, _MOST = 1e-3, 20.0
_SMALL = 1e-4


@dataclass(frozen=True)
class RandomJudges:
    """Random effects of judges: the standard deviation of their strengths, and each judge's shrunken estimates.

    `statistic` and `p` test whether judges differ at all (likelihood ratio; at the edge of what is possible, so half of
    a chi-square with one degree of freedom).
    """

    column: str
    sd: float
    low: float
    high: float
    log_likelihood: float
    statistic: float
    p: float
    deviations: Mapping[str, dict[str, float]]
    errors: Mapping[str, dict[str, float]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**self.__dict__, "deviations": dict(self.deviations), "errors": dict(self.errors)}

    def halved(self) -> "RandomJudges":
        """Return it on the scale of λ."""
        half = {name: {system: value / 2 for system, value in each.items()} for name, each in self.deviations.items()}
        errors = {name: {system: value / 2 for system, value in each.items()} for name, each in self.errors.items()}
        return replace(self, sd=self.sd / 2, low=self.low / 2, high=self.high / 2, deviations=half, errors=errors)

    def __str__(self) -> str:
        return (
            f"Strengths vary between values of {self.column} with a standard deviation of {self.sd:.3f} "
            f"({self.low:.3f} … {self.high:.3f}); likelihood ratio {self.statistic:.2f}, p = {self.p:.2g}"
        )


@dataclass(frozen=True)
class Mode:
    """Coefficients and deviations (judges × systems, centred by judge) for one standard deviation, and their
    likelihood.
    """

    point: FloatArray
    deviation: FloatArray
    covariance: FloatArray
    spread: FloatArray  # judges × systems: conditional variances of the deviations
    marginal: float


def fit_random(
    problem: solver.FitProblem, judge: IntArray, start: FloatArray, fixed_likelihood: float, level: float
) -> tuple[float, tuple[float, float], Mode, float]:
    """Return the standard deviation with its interval, the mode there, and the likelihood-ratio statistic.

    The covariance is the one for a standard deviation without the bias of maximum likelihood.
    """
    search = _Search(problem, judge, start)
    found: Any = scipy.optimize.minimize_scalar(
        lambda log: -search.best(float(np.exp(log))).marginal,
        bounds=(np.log(_LEAST), np.log(_MOST)),
        method="bounded",
        options={"xatol": 1e-4},
    )
    sd = float(np.exp(found.x))
    best = search.best(sd)
    statistic = max(2 * (best.marginal - fixed_likelihood), 0.0)
    reach = float(scipy.stats.chi2.ppf(level, 1)) / 2

    def short(log: float) -> float:
        return search.best(float(np.exp(log))).marginal - best.marginal + reach

    ends = []
    for edge in (_LEAST, _MOST):
        inside = short(float(np.log(edge))) > 0
        ends.append(
            edge if inside else float(np.exp(scipy.optimize.brentq(short, np.log(edge), np.log(sd), xtol=1e-3)))
        )
    unbiased = search.best(sd * float(np.sqrt(search.judges / (search.judges - 1))))
    best = replace(best, covariance=unbiased.covariance)
    return sd, (0.0 if ends[0] == _LEAST else ends[0], ends[1]), best, statistic


class _Search:
    """Finds the best coefficients for successive standard deviations, each from the last ones."""

    def __init__(self, problem: solver.FitProblem, judge: IntArray, start: FloatArray) -> None:
        self.problem, self.judge = problem, judge
        self.judges, self.systems = int(judge.max()) + 1, problem.design.systems
        self.point, self.deviation = start, np.zeros((self.judges, self.systems))
        self.known: dict[float, Mode] = {}

    @cached_property
    def columns(self) -> tuple[FloatArray, FloatArray]:
        return solver.columns_of(self.problem.design)

    def best(self, sd: float) -> Mode:
        if sd not in self.known:
            self.known[sd] = self._climb(sd)
        return self.known[sd]

    def _climb(self, sd: float) -> Mode:
        """Maximise the marginal likelihood over the coefficients, measured in their own standard errors."""
        first = self._at(self.point, sd)
        root = np.linalg.cholesky(first.mode.covariance)
        base = self.point

        def loss(moved: FloatArray) -> tuple[float, FloatArray]:
            there = self._at(base + root @ moved, sd)
            return -there.mode.marginal, -root.T @ there.slope

        found: Any = scipy.optimize.minimize(loss, np.zeros(len(base)), jac=True, method="BFGS", options={"gtol": 1e-4})
        self.point = base + root @ found.x
        return self._at(self.point, sd).mode

    def _at(self, point: FloatArray, sd: float) -> "_Place":
        """Find the deviations for these coefficients, the marginal likelihood, and its slope."""
        deviation, value, here = self._deviations(point, sd)
        inner, cross, outer = self._blocks(here, sd)
        inverse: FloatArray = np.linalg.inv(inner).astype(np.float64)
        moved = -inverse @ cross  # how deviations follow coefficients: judges × systems × coefficients
        schur = outer + np.einsum("jmk,jml->kl", cross, moved)
        marginal = value - float(np.sum(np.linalg.slogdet(inner * sd**2)[1])) / 2
        # Only differences between systems are identified. What all deviations of a judge share varies by sd² in any
        # case, and is no part of how far one system deviates from the others.
        spread = np.diagonal(inverse, axis1=1, axis2=2) - sd**2 / self.systems
        centred = deviation - deviation.mean(axis=1, keepdims=True)
        mode = Mode(point, centred, np.linalg.inv(schur), np.maximum(spread, 0.0), marginal)
        return _Place(mode, self._slope(here, inverse, moved))

    def _slope(self, here: solver.Point, inverse: FloatArray, moved: FloatArray) -> FloatArray:
        """Return the derivatives of the marginal likelihood by the coefficients."""
        design, judge = self.problem.design, self.judge
        left, right = design.left, design.right
        spread = inverse[judge, left, left] + inverse[judge, right, right] - 2 * inverse[judge, left, right]
        of_gap = -spread * self._bend(here, _SMALL, 0.0) / 2
        by_gap, by_width = self.columns
        follows = moved[judge, left] - moved[judge, right]
        slope = design.gradient(*here.slopes()) + of_gap @ (by_gap + follows)
        if design.sizes[2]:
            slope = slope - (spread * self._bend(here, 0.0, _SMALL) / 2) @ by_width
        return np.asarray(slope)

    def _bend(self, here: solver.Point, gap: float, width: float) -> FloatArray:
        """Return how the information about gaps changes with gap or width, by differences."""
        ends = [
            self.problem.link.curvature(self.problem.prepared, here.gap + sign * gap, here.width + sign * width)[0]
            for sign in (1, -1)
        ]
        change: FloatArray = (ends[0] - ends[1]) / (2 * (gap + width))
        return change

    def _deviations(self, point: FloatArray, sd: float) -> tuple[FloatArray, float, solver.Point]:
        """Maximise over deviations by Newton's method, judge by judge."""
        deviation = self.deviation
        value, here = self._penalised(point, deviation, sd)
        for _ in range(_STEPS):
            own = self._by_judge(here.slopes()[0]) - deviation / sd**2
            step = np.linalg.solve(self._inner(here, sd), own[:, :, None])[:, :, 0]
            gain = float(np.sum(own * step))
            if gain < 1e-10:
                break
            size = 1.0
            for _ in range(_HALVINGS):
                new, there = self._penalised(point, deviation + size * step, sd)
                if new >= value - 1e-12 * (1 + abs(value)):
                    break
                size /= 2
            deviation, value, here = deviation + size * step, new, there
        self.deviation = deviation
        return deviation, value, here

    def _penalised(self, point: FloatArray, deviation: FloatArray, sd: float) -> tuple[float, solver.Point]:
        design = self.problem.design
        more = deviation[self.judge, design.left] - deviation[self.judge, design.right]
        here = self.problem.at(point, more)
        return here.value - float(np.sum(deviation**2)) / (2 * sd**2), here

    def _by_judge(self, amount: FloatArray) -> FloatArray:
        """Add up something of the comparisons by judge and system: left gains, right loses."""
        design, size = self.problem.design, self.judges * self.systems
        left = np.bincount(self.judge * self.systems + design.left, amount, size)
        right = np.bincount(self.judge * self.systems + design.right, amount, size)
        return np.asarray(left - right).reshape(self.judges, self.systems)

    def _inner(self, here: solver.Point, sd: float) -> FloatArray:
        """Return the information about deviations, judge by judge."""
        design = self.problem.design
        information = self.problem.link.curvature(self.problem.prepared, here.gap, here.width)[0]
        where = (self.judge * self.systems + design.left) * self.systems + design.right
        met = np.bincount(where, information, self.judges * self.systems**2).reshape(self.judges, self.systems, -1)
        both: FloatArray = (met + met.transpose(0, 2, 1)).astype(np.float64)
        inner = -both
        place = np.arange(self.systems)
        inner[:, place, place] += both.sum(axis=2) + 1 / sd**2
        return inner

    def _blocks(self, here: solver.Point, sd: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the information: of deviations, of deviations with coefficients, of coefficients."""
        curvature = self.problem.link.curvature(self.problem.prepared, here.gap, here.width)
        by_gap, by_width = self.columns
        crossed = curvature[0][:, None] * by_gap
        if self.problem.design.sizes[2]:
            crossed = crossed + curvature[1][:, None] * by_width
        cross = np.stack([self._by_judge(column) for column in crossed.T], axis=2)
        return self._inner(here, sd), cross, self.problem.design.information(*curvature)


@dataclass(frozen=True)
class _Place:
    """The likelihood and its derivatives at one set of coefficients."""

    mode: Mode
    slope: FloatArray
