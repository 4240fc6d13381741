"""Newton's method for pairwise logistic likelihoods, dense or sparse, one problem or a thousand resamples at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse, special
from scipy.sparse import linalg as sparse_linalg

from betterthan.engine.table import FloatArray, IntArray
from betterthan.errors import ModelError

#: Up to this many systems a dense factorisation is fast and small, twice as many if it serves a thousand resamples.
#: Beyond, pairs decide: a few per system make a sparse factorisation cheap, many make conjugate gradients converge.
DENSE_LIMIT = 2000
_FEW_PAIRS = 3
TOLERANCE = 1e-8

Solve = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Design:
    """Which pairs met (only those inside one component count), and which systems belong together."""

    first: IntArray
    second: IntArray
    label: IntArray
    incidence: Any

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.label)


@dataclass(frozen=True)
class Solution:
    """Strengths, centred within every component."""

    strength: FloatArray
    iterations: int
    converged: bool


def maximise(design: Design, won: FloatArray, total: FloatArray, start: FloatArray | None = None) -> Solution:
    """Find the strengths that make Σ won·log σ(gap) + (total−won)·log σ(−gap) largest, component by component."""
    strength = np.zeros(design.size) if start is None else centred(start, design.label)
    most = float(np.max(np.abs(design.incidence) @ total, initial=0.0))
    # Relative for weights below one; beyond a million comparisons of one system rounding alone exceeds 1e-8.
    tolerance = TOLERANCE * max(min(most, 1.0), most / 1e6)
    value = _likelihood(design, won, total, strength)
    for iteration in range(1, 201):
        chance = special.expit(strength[design.first] - strength[design.second])
        gradient = design.incidence @ (won - total * chance)
        step = solver(design, total * chance * (1 - chance))(gradient)
        if np.max(np.abs(gradient), initial=0.0) <= tolerance:  # the step in hand makes twice as many digits right
            last = centred(strength + step, design.label)
            return Solution(last if np.all(np.abs(last - strength) < 1.0) else strength, iteration, True)
        # Newton leaps where the likelihood is flat: bound the change of any difference, then halve until it grows.
        leap = float(np.max(np.abs(step[design.first] - step[design.second]), initial=0.0))
        step = step * min(1.0, 5.0 / max(leap, 1e-300))
        for _ in range(40):
            trial = centred(strength + step, design.label)
            new = _likelihood(design, won, total, trial)
            if new > value:
                break
            step = step / 2
        else:  # no progress is possible in floating point
            return Solution(strength, iteration, bool(np.max(np.abs(gradient)) <= 1e4 * tolerance))
        strength, value = trial, new
    return Solution(strength, 200, False)


def chord(
    design: Design, solve: Solve, start: FloatArray, won: FloatArray, total: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Refit many resamples at once with the factorisation of the estimate: strengths, and each one's last step.

    `won` and `total` are pairs × resamples. The Hessian stays that of the estimate, so an iteration is one product;
    resamples that are too far from it for that show a large last step and need Newton's method of their own.
    """
    strength = np.repeat(start[:, None], won.shape[1], axis=1)
    last = np.full(won.shape[1], np.inf)
    active = np.arange(won.shape[1])
    for _ in range(60):
        part = strength[:, active]
        chance = special.expit(part[design.first] - part[design.second])
        chance *= total
        step = solve(design.incidence @ (won - chance))
        size = np.max(np.abs(step), axis=0)
        strength[:, active] = part + step * (4.0 / np.maximum(size, 4.0))
        last[active] = size
        going = size >= 2e-8  # far below what a draw can tell
        if not np.any(going):
            break
        if 2 * np.sum(going) <= len(active):  # most are done: go on with the rest alone
            active, won, total = active[going], won[:, going], total[:, going]
    return centred(strength, design.label), last


def solver(design: Design, information: FloatArray, *, repeated: bool = False) -> Solve:
    """Return a function that solves H x = g on vectors that sum to zero in every component.

    `repeated` says that it serves many resamples, in steps of which none has to be exact.
    """
    if design.size <= DENSE_LIMIT * (2 if repeated else 1):
        factor = _factor(_dense(design, information))
        return lambda gradient: linalg.cho_solve(factor, gradient, check_finite=False)
    laplacian = (design.incidence @ sparse.diags_array(information) @ design.incidence.T).tocsr()
    if len(information) <= _FEW_PAIRS * design.size:
        return _grounded(laplacian, design.label)
    accuracy = 1e-4 if repeated else 1e-12
    return lambda gradient: centred(_conjugate_gradients(laplacian, gradient, accuracy), design.label)


def inverse(design: Design, information: FloatArray) -> FloatArray:
    """Return the generalised inverse of the information, centred in every component."""
    matrix = _dense(design, information)
    full = linalg.cho_solve(_factor(matrix), np.eye(design.size), check_finite=False)
    result: FloatArray = full - _same_component(design) / _scale(information)  # the part that only fixed the centre
    return (result + result.T) / 2


def centred(strength: FloatArray, label: IntArray) -> FloatArray:
    """Subtract the mean of every component (systems × anything)."""
    if not label.any():
        mean: FloatArray = strength.mean(axis=0)
        return strength - mean
    members = sparse.csr_array((np.ones(len(label)), (label, np.arange(len(label)))))
    sizes = np.bincount(label).reshape(-1, *([1] * (strength.ndim - 1)))
    means: FloatArray = np.asarray(members @ strength) / sizes
    return strength - means[label]


def _dense(design: Design, information: FloatArray) -> FloatArray:
    """Return the Laplacian plus, per component, the projection on the constant, which makes it definite."""
    size = design.size
    matrix = _same_component(design) * _scale(information)
    matrix[design.first, design.second] -= information
    matrix[design.second, design.first] -= information
    diagonal = np.bincount(design.first, information, size) + np.bincount(design.second, information, size)
    matrix[np.diag_indices(size)] += diagonal
    return matrix


def _same_component(design: Design) -> FloatArray:
    same: FloatArray = (design.label[:, None] == design.label[None, :]) / np.bincount(design.label)[design.label]
    return same


def _scale(information: FloatArray) -> float:
    """Return the size of what a pair tells: the projection must neither drown nor drown in it."""
    return float(np.mean(information)) if len(information) and np.mean(information) > 0 else 1.0


def _factor(matrix: FloatArray) -> Any:
    """Factor a matrix that may be singular to working precision: then the smallest diagonal that helps is added."""
    jitter = 0.0
    while True:
        try:
            return linalg.cho_factor(matrix + jitter * np.eye(len(matrix)) if jitter else matrix, check_finite=False)
        except linalg.LinAlgError:
            size = float(np.trace(matrix)) / len(matrix)
            if not jitter < size:  # also when it is not a number
                raise ModelError(
                    "the strengths cannot be computed: the counts or weights differ too much in size."
                ) from None
            jitter = max(10 * jitter, 1e-14 * size)


def _grounded(laplacian: Any, label: IntArray) -> Solve:
    """Factor a sparse Laplacian after fixing the first system of every component at zero."""
    free = np.ones(len(label), dtype=bool)
    free[np.unique(label, return_index=True)[1]] = False
    size = float(np.mean(laplacian.diagonal()))
    # The least that keeps a difference without information from dividing by zero.
    inner = laplacian[free][:, free] + sparse.diags_array(np.full(int(free.sum()), 1e-14 * size))
    factor = sparse_linalg.splu(inner.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})

    def solve(gradient: FloatArray) -> FloatArray:
        solution = np.zeros_like(gradient)
        solution[free] = factor.solve(gradient[free])
        return centred(solution, label)

    return solve


def _conjugate_gradients(laplacian: Any, gradient: FloatArray, accuracy: float) -> FloatArray:
    """Solve for all columns together, preconditioned by the diagonal; a column that is done stands still."""
    columns = gradient.reshape(len(gradient), -1)
    scale = 1.0 / np.maximum(laplacian.diagonal(), 1e-300)[:, None]
    solution = np.zeros_like(columns)
    residual = columns.copy()
    target = accuracy * np.linalg.norm(residual, axis=0)
    direction = scale * residual
    product = np.sum(residual * direction, axis=0)
    active = target > 0
    for _ in range(10 * len(columns)):
        if not np.any(active):
            break
        image = laplacian @ direction
        curvature = np.sum(direction * image, axis=0)
        active &= curvature > 0  # a direction without curvature is rounding
        length = np.divide(product, curvature, out=np.zeros_like(product), where=active)
        solution += length * direction
        residual -= length * image
        active &= np.linalg.norm(residual, axis=0) > target
        scaled = scale * residual
        new = np.sum(residual * scaled, axis=0)
        direction = scaled + np.divide(new, product, out=np.zeros_like(product), where=active) * direction
        product = new
    return solution.reshape(gradient.shape)


def _likelihood(design: Design, won: FloatArray, total: FloatArray, strength: FloatArray) -> float:
    gap = strength[design.first] - strength[design.second]
    # log σ(gap) − gap = log σ(−gap): one logaddexp serves both sides, and neither tail overflows.
    return float(np.sum((won - total) * gap - total * np.logaddexp(0.0, -gap)))
