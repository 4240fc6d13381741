"""Maximum likelihood of a design by Newton's method, with collinear and diverging terms removed."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.models.covariates.design_matrix import PredictorDesign
from betterthan.models.likelihood import links

_STEPS, _HALVINGS = 100, 30
#: Strengths move apart by this much at most in one step where steps are bounded.
_LEAP = 4.0
#: From that many comparisons on, a good start is worth its while.
_MANY = 100_000
#: Comparisons in a block: their numbers fit into a processor's own memory.
_BLOCK = 40_000
#: A column that others leave less of than this, relative to its size, says nothing new.
_ALIASED = 1e-9
#: Gaps beyond this are what a likelihood without a maximum leads to; then, and only then, it is looked into.
SUSPICIOUS = 12.0
#: Coefficients that grow without end have standard errors beyond this.
UNKNOWN = 10.0
#: More cells than this are too many for the linear program that finds diverging terms.
MOST_CELLS = 200_000


@dataclass(frozen=True)
class FitSolution:
    """Coefficients with their covariance; those of aliased terms are NaN, and `infinite` ones have no maximum.

    `null` are directions that the evidence says nothing about (coefficients × directions).
    """

    coefficients: FloatArray
    covariance: FloatArray
    aliased: BoolArray
    infinite: BoolArray
    null: FloatArray
    log_likelihood: float
    iterations: int
    converged: bool

    def transformed(self, back: FloatArray) -> "FitSolution":
        """Return the solution for other coefficients: `back` times these."""
        known = ~self.aliased
        coefficients = np.where(known, back @ np.nan_to_num(self.coefficients), np.nan)
        covariance = back @ np.nan_to_num(self.covariance) @ back.T
        covariance = np.where(known[:, None] & known, covariance, np.nan)
        return replace(self, coefficients=coefficients, covariance=covariance, null=back @ self.null)


@dataclass(frozen=True)
class FitProblem:
    """Outcomes (3 × comparisons), the link of gap and width, and their design matrices.

    A width that is not estimated is the `offset`.
    """

    link: links.Link
    outcomes: FloatArray
    design: PredictorDesign
    offset: float | None = None

    @cached_property
    def prepared(self) -> Any:
        """The link's derivatives at the outcomes."""
        return self.link.prepare(self.outcomes)

    def take(self, kept: IntArray) -> "FitProblem":
        """Keep some coefficients only."""
        return replace(self, design=self.design.take(kept))

    def at(self, point: FloatArray, more: FloatArray | float = 0.0) -> "Point":
        """Check the likelihood with these coefficients, and with `more` added to the gaps."""
        gap, width = self.design.apply(point)
        return Point(self, gap + more, width if self.offset is None else self.offset)


@dataclass(frozen=True)
class Point:
    """The likelihood and its derivatives at one point; gaps and widths are computed once for all of them."""

    problem: FitProblem
    gap: FloatArray
    width: FloatArray | float

    @property
    def value(self) -> float:
        """The log-likelihood."""
        return self.problem.link.value(self.problem.prepared, self.gap, self.width)

    def slopes(self) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives by gap and width, per comparison."""
        return self.problem.link.gradient(self.problem.prepared, self.gap, self.width)

    def information(self) -> FloatArray:
        """Return the negative second derivatives by the coefficients."""
        curvature = self.problem.link.curvature(self.problem.prepared, self.gap, self.width)
        return self.problem.design.information(*curvature)

    def chances(self) -> FloatArray:
        """Return the chances of all outcomes (3 × comparisons)."""
        return np.stack(self.problem.link.chances(self.gap, self.width))


def maximise(problem: FitProblem, *, intercept: bool) -> FitSolution:
    """Maximise the likelihood over the coefficients that can be distinguished.

    `intercept` says that the subject's first column is one: the others are then centred for the work.
    """
    design, back = problem.design.centred(intercept)
    return _maximise(replace(problem, design=design)).transformed(back)


def _maximise(problem: FitProblem) -> FitSolution:
    design = problem.design
    size = sum(design.sizes)
    start = np.zeros(size)
    if design.sizes[2] and problem.link.width is not None:
        start[size - design.sizes[2] :] = _start(design.width, problem.link.width)
    aliased, null = _aliased(problem, start)
    if len(design.left) > _MANY:
        start = _from_pairs(problem, start, aliased)
    kept = np.flatnonzero(~aliased)
    small = problem.take(kept)
    found = _newton(small, start[kept])
    covariance = np.full((size, size), np.nan)
    last = small.at(found.point)
    # Over millions of comparisons the last step changes what is known by less than anybody prints.
    covariance[np.ix_(kept, kept)] = found.inverse if len(design.left) > _MANY else inverted(last.information())
    coefficients = np.full(size, np.nan)
    coefficients[kept] = found.point
    infinite = np.zeros(size, dtype=bool)
    reached = [np.abs(part).max(initial=0.0) for part in (last.gap, np.asarray(last.width))]
    if not found.converged or max(reached) > SUSPICIOUS:
        # A direction may also hold coefficients that need not grow: those are known all the same.
        infinite[kept] = _growing(small) & (np.sqrt(np.abs(np.diag(covariance)[kept])) > UNKNOWN)
    return FitSolution(coefficients, covariance, aliased, infinite, null, found.value, found.steps, found.converged)


def _from_pairs(problem: FitProblem, start: FloatArray, aliased: BoolArray) -> FloatArray:
    """Start from the strengths that pairs alone give: two steps less over millions of comparisons."""
    design = problem.design
    number = design.basis.shape[1] // design.subject.shape[1]
    kept = np.flatnonzero(~aliased[:number])
    pair = design.left * design.systems + design.right
    won, tied, lost = (np.bincount(pair, row, design.systems**2) for row in problem.outcomes)
    met = np.flatnonzero(won + tied + lost > 0)
    outcomes = np.stack([won + tied / 2, 0 * tied, lost + tied / 2])[:, met]
    left, right = np.divmod(met, design.systems)
    nothing = np.empty((len(met), 0))
    basis = design.basis[: design.systems, kept]
    coarse = PredictorDesign(left, right, design.systems, np.ones((len(met), 1)), basis, nothing, nothing)
    found = _newton(FitProblem(links.Logistic(), outcomes, coarse), np.zeros(len(kept)))
    if found.converged and float(np.abs(found.point).max(initial=0.0)) < SUSPICIOUS:
        start = start.copy()
        start[kept] = found.point
    return start


def _newton(problem: FitProblem, start: FloatArray) -> "Maximum":
    # Adding up many judgments rounds more than the likelihood of few, far from even ones, is large.
    with _Summed(problem) as summed:
        return newton(summed.at, start, rounding=1e-15 * float(problem.outcomes.sum()))


@dataclass(frozen=True)
class Maximum:
    """A maximum of a likelihood: the inverse information, the number of steps, and whether they converged."""

    point: FloatArray
    inverse: FloatArray
    value: float
    steps: int
    converged: bool


def newton(
    at: Callable[[FloatArray], tuple[float, FloatArray, FloatArray]],
    start: FloatArray,
    *,
    rounding: float,
    reach: Callable[[FloatArray], float] | None = None,
) -> Maximum:
    """Maximise by Newton's method a function that returns log-likelihood, gradient and information.

    `reach` says how far a step moves strengths apart: Newton leaps where the likelihood is flat, so it is bounded.
    """
    place = start
    value, gradient, information = at(place)
    for number in range(1, _STEPS + 1):
        inverse = inverted(information)
        step = inverse @ gradient
        if float(gradient @ step) < 1e-14 * (1 + abs(value)) + rounding:  # within rounding of the maximum
            # One more full step makes the last digits good.
            return Maximum(place + step, inverse, value, number, True)
        size = 1.0 if reach is None else min(1.0, _LEAP / max(reach(step), 1e-300))
        for _ in range(_HALVINGS):
            new, gradient, information = at(place + size * step)
            if new >= value - 1e-12 * (1 + abs(value)) - 100 * rounding:
                break
            size /= 2
        else:
            return Maximum(place, inverse, value, number, False)
        place, value = place + size * step, new
    return Maximum(place, inverted(information), value, _STEPS, False)


class _Summed:
    """A likelihood as the sum over blocks of comparisons that fit into the processor's cache, one thread each."""

    def __init__(self, problem: FitProblem) -> None:
        rows, size = len(problem.design.left), max(_BLOCK, 10 * problem.design.systems**2)
        if rows <= _MANY:
            size = max(rows, 1)
        places = [slice(start, start + size) for start in range(0, rows, size)]
        self.blocks = [
            replace(problem, outcomes=problem.outcomes[:, place], design=problem.design.rows(place)) for place in places
        ]
        self.pool = ThreadPoolExecutor(os.cpu_count() or 1) if len(places) > 1 else None

    def __enter__(self) -> "_Summed":
        return self

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.shutdown()

    def at(self, place: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and information."""

        def part(block: FitProblem) -> tuple[float, FloatArray, FloatArray]:
            point = block.at(place)
            return point.value, block.design.gradient(*point.slopes()), point.information()

        parts = list(self.pool.map(part, self.blocks) if self.pool is not None else map(part, self.blocks))
        value, gradient, information = parts[0]
        for one, two, three in parts[1:]:
            value, gradient, information = value + one, gradient + two, information + three
        return value, gradient, information


def inverted(matrix: FloatArray) -> FloatArray:
    """Invert an information matrix whose columns may have very different units."""
    if not len(matrix):
        return matrix
    scale = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-300))
    scaled = matrix * scale * scale[:, None]
    try:
        inverse: Any = scipy.linalg.cho_solve(scipy.linalg.cho_factor(scaled), np.eye(len(matrix)))
    except np.linalg.LinAlgError:
        inverse = np.linalg.pinv(scaled, hermitian=True)
    result: FloatArray = inverse * scale * scale[:, None]
    return result


def _start(width: FloatArray, value: float) -> FloatArray:
    """Return coefficients that make all widths about a value."""
    found: FloatArray = np.linalg.lstsq(width.T @ width, width.T @ np.full(len(width), value), rcond=None)[0]
    return found


def _aliased(problem: FitProblem, start: FloatArray) -> tuple[BoolArray, FloatArray]:
    # Equal outcomes everywhere: what is identified by the design alone, for any outcomes.
    even = np.broadcast_to(problem.outcomes.sum(axis=0) / 3, problem.outcomes.shape)
    point = replace(problem, outcomes=even).at(start)
    curvature = problem.link.curvature(problem.link.prepare(even), point.gap, point.width)
    return identifiable(problem.design.information(*curvature), problem.design.extent(curvature[0]))


def identifiable(matrix: FloatArray, extent: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Mark columns of an information matrix that those before them already make up, as R does: the later one goes.

    Also return the directions without information. A column that cancels out, by its `extent`, has none.
    """
    size = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    whole = np.append(extent, size[len(extent) :] ** 2)  # other columns have nothing in them that could cancel out
    nothing = size**2 <= 1e-13 * np.maximum(whole, 1e-300)
    unit = np.where(nothing, 1.0, size)
    scaled = np.where(nothing[:, None] | nothing, 0.0, matrix / unit / unit[:, None])
    values, vectors = np.linalg.eigh(scaled) if len(scaled) else (np.empty(0), np.empty((0, 0)))
    null = vectors[:, values < _ALIASED] / unit[:, None]
    aliased = nothing.copy()
    left_over = scaled.copy()
    for column in range(len(scaled)):
        if aliased[column]:
            continue
        left = left_over[column, column]
        if left < _ALIASED:
            aliased[column] = True
            continue
        row = left_over[column, column + 1 :] / left
        left_over[column + 1 :, column + 1 :] -= left * np.outer(row, row)
    return aliased, null


def _growing(problem: FitProblem) -> BoolArray:
    """Mark coefficients along which the likelihood never stops growing.

    There is no maximum if coefficients can move so that no observed outcome becomes less likely against any other
    outcome of its comparison, and some become more likely. A linear program finds such a direction.
    """
    design, outcomes, ties = problem.design, problem.outcomes, problem.link.width is not None
    if 3 * len(design.left) > MOST_CELLS:
        return np.zeros(sum(design.sizes), dtype=bool)
    gap, width = columns_of(design)
    utility = {0: gap / 2, 1: width, 2: -gap / 2} if ties else {0: gap / 2, 2: -gap / 2}
    better: list[FloatArray] = []
    for seen, of_seen in utility.items():
        for other, of_other in utility.items():
            if seen != other:
                better.append((of_seen - of_other)[outcomes[seen] > 0])
    return growing(np.unique(np.round(np.concatenate(better), 12), axis=0))


def growing(rows: FloatArray) -> BoolArray:
    """Mark coefficients that can move such that none of these rows shrinks, and some grow."""
    size = rows.shape[1]
    rows = rows / np.maximum(np.abs(rows).max(axis=0, initial=0.0), 1e-12)
    steps = np.zeros(len(rows))
    found: Any = scipy.optimize.linprog(
        -rows.sum(axis=0), A_ub=-rows, b_ub=steps, bounds=[(-1, 1)] * size, method="highs"
    )
    if found.status == 0 and -found.fun > 1e-6:
        return np.asarray(np.abs(found.x) > 1e-6)
    return np.zeros(size, dtype=bool)


def columns_of(design: PredictorDesign) -> tuple[FloatArray, FloatArray]:
    """Return gap and width as dense comparisons × coefficients."""
    size = sum(design.sizes)
    columns = [design.apply(unit) for unit in np.eye(size)]
    return np.stack([gap for gap, _ in columns], axis=1), np.stack([width for _, width in columns], axis=1)
