"""Newton's method for likelihoods of pairs, dense or sparse, one problem or a thousand resamples at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, ModelError, scipy
from betterthan.datasets import sparse_matrices
from betterthan.models.likelihood.links import Link, Prepared

#: Up to this many systems a dense factorisation is fast and small, twice as many if it serves a thousand resamples.
#: Beyond, conjugate gradients converge in some tens of rounds, unless few pairs per system make long chains.
DENSE_LIMIT = 2000
_FEW_PAIRS = 3
_ROUNDS = 3000
#: Density of a matrix from which on dense storage is used.
_FULL = 0.1
#: Up to this many systems the inverse of a factor is as fast as SciPy's solver, which takes longer to load than to use.
_SMALL = 200
TOLERANCE = 1e-8
#: Relative changes of a likelihood up to this are rounding.
_ROUNDING = 1e-14

Solve = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class PairDesign:
    """The compared pairs inside components, and the component of each system."""

    first: IntArray
    second: IntArray
    label: IntArray
    incidence: Any

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.label)

    def gap(self, strength: FloatArray) -> FloatArray:
        """Return every pair's difference of strengths."""
        difference: FloatArray = strength[self.first]
        difference -= strength[self.second]
        return difference

    def onto(self, by_gap: FloatArray) -> FloatArray:
        """Return the derivatives by the strengths from those by the gaps (pairs × anything)."""
        found: FloatArray = self.incidence @ by_gap
        return found

    def amounts(self, of_pairs: FloatArray) -> FloatArray:
        """Add up for every system what its pairs have."""
        found: FloatArray = np.abs(self.incidence) @ of_pairs
        return found

    def centred(self, strength: FloatArray) -> FloatArray:
        """Subtract the mean of every component (systems × anything)."""
        return centred(strength, self.label)

    def information(self, of_gaps: FloatArray) -> FloatArray:
        """Return the dense information about the strengths, made definite, from that about the gaps."""
        return _dense(self, of_gaps)

    @property
    def constant(self) -> FloatArray:
        """The projection on strengths that are equal within every component, which makes the information definite."""
        return same_component(self)


@dataclass(frozen=True)
class PairSolution:
    """Strengths, centred within every component, and the width of a tie where the link has one."""

    strength: FloatArray
    width: float
    iterations: int
    converged: bool


@dataclass(frozen=True)
class Curvature:
    """The information matrix at a point: per pair about its gap, bordered by that about the tie width."""

    gap: FloatArray
    border: FloatArray | None  # per system
    corner: float

    @classmethod
    def at(
        cls, design: PairDesign, link: Link, prepared: Prepared, strength: FloatArray, width: float, *, prior: float
    ) -> "Curvature":
        """Compute it; `prior` is the precision of a normal prior of the width."""
        gap_gap, gap_width, width_width = link.curvature(prepared, design.gap(strength), width)
        if link.width is None:
            return cls(gap_gap, None, 0.0)
        return cls(gap_gap, design.incidence @ gap_width, float(np.sum(width_width)) + prior)

    def solver(self, design: PairDesign, *, repeated: bool = False) -> "Steps":
        """Return the function from gradients to steps."""
        inner = solver(design, self.gap, repeated=repeated)
        if self.border is None:
            return lambda by_strength, by_width: (inner(by_strength), 0.0 * by_width)
        border, slope = self.border, inner(self.border)
        rest = max(self.corner - float(border @ slope), 1e-12 * self.corner)

        def steps(by_strength: FloatArray, by_width: FloatArray) -> tuple[FloatArray, FloatArray]:
            plain = inner(by_strength)
            wider: FloatArray = (by_width - border @ plain) / rest
            return plain - np.multiply.outer(slope, wider), wider

        return steps

    def covariance(self, design: PairDesign) -> FloatArray:
        """Return the inverse, systems first (centred in every component), the width last where there is one."""
        plain = inverse(design, self.gap)
        if self.border is None:
            return plain
        slope = np.append(plain @ self.border, -1.0)
        full = np.pad(plain, (0, 1))
        return full + np.outer(slope, slope) / max(self.corner - float(self.border @ slope[:-1]), 1e-12 * self.corner)


#: From the gradients by strengths (systems × anything) and by width (anything) to the steps of both.
Steps = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


def maximise(
    design: PairDesign,
    link: Link,
    outcomes: FloatArray,
    start: tuple[FloatArray, float] | None = None,
    *,
    prior: float = 0.0,
) -> PairSolution:
    """Find the strengths (and the width) that make the outcomes (3 × pairs) most likely, component by component."""
    prepared = link.prepare(outcomes)
    strength, width = (np.zeros(design.size), link.width or 0.0) if start is None else start
    strength = design.centred(strength)
    most = float(np.max(design.amounts(outcomes.sum(axis=0)), initial=0.0))
    # Relative for weights below one; beyond a million comparisons of one system rounding alone exceeds 1e-8.
    tolerance = TOLERANCE * max(min(most, 1.0), most / 1e6)

    def value_at(strength: FloatArray, width: float) -> float:
        return link.value(prepared, design.gap(strength), width) - prior * width**2 / 2

    def slope_at(strength: FloatArray, width: float) -> tuple[FloatArray, FloatArray, float]:
        by_gap, by_width = link.gradient(prepared, design.gap(strength), width)
        gradient, wider = design.onto(by_gap), np.asarray(np.sum(by_width) - prior * width)
        size = max(float(np.max(np.abs(gradient), initial=0.0)), abs(float(wider)) if link.width is not None else 0.0)
        return gradient, wider, size

    value = value_at(strength, width)
    for iteration in range(1, 201):
        gradient, wider, size = slope_at(strength, width)
        curvature = Curvature.at(design, link, prepared, strength, width, prior=prior)
        step, step_width = curvature.solver(design)(gradient, wider)
        if size <= tolerance:  # the current step doubles the number of correct digits
            last = design.centred(strength + step)
            good = np.all(np.abs(last - strength) < 1.0) and value_at(last, width + float(step_width)) > -np.inf
            return (
                PairSolution(last, width + float(step_width), iteration, True)
                if good
                else PairSolution(strength, width, iteration, True)
            )
        # Newton leaps where the likelihood is flat: bound the change of any difference, then halve until it grows.
        leap = max(float(np.max(np.abs(design.gap(step)), initial=0.0)), 2 * abs(float(step_width)))
        scale = min(1.0, 5.0 / max(leap, 1e-300))
        # A gain below the rounding of the likelihood cannot be seen in it, however short the step.
        gain = float(gradient @ step) + float(wider) * float(step_width)
        for _ in range(40 if gain > _ROUNDING * abs(value) else 1):
            trial, trial_width = design.centred(strength + scale * step), width + scale * float(step_width)
            new = value_at(trial, trial_width)
            if new > value:
                break
            scale /= 2
        else:  # of a likelihood as large as this, rounding hides the last steps; the gradient still shows them
            scale = min(1.0, 5.0 / max(leap, 1e-300))
            trial, trial_width = design.centred(strength + scale * step), width + scale * float(step_width)
            new = value_at(trial, trial_width)
            if not slope_at(trial, trial_width)[2] < size:
                return PairSolution(strength, width, iteration, bool(size <= 1e4 * tolerance))
        strength, width, value = trial, trial_width, new
    return PairSolution(strength, width, 200, False)


def solver(design: PairDesign, information: FloatArray, *, repeated: bool = False) -> Solve:
    """Return a function that solves H x = g on vectors that sum to zero in every component.

    `repeated` says that it serves many resamples, so that steps need not be exact.
    """
    if design.size <= DENSE_LIMIT * (2 if repeated else 1):
        return factor(design.information(information))
    laplacian = _laplacian(design, information)
    accuracy = 1e-4 if repeated else 1e-12
    few = len(information) <= _FEW_PAIRS * design.size

    def solve(gradient: FloatArray) -> FloatArray:
        found, done = conjugate_gradients(laplacian, gradient, accuracy, _ROUNDS if few else 10 * design.size)
        # Along chains conjugate gradients take as many rounds as there are systems; a chain is quickly factored.
        return centred(found, design.label) if done or not few else grounded(laplacian, design.label)(gradient)

    return solve


def inverse(design: PairDesign, information: FloatArray) -> FloatArray:
    """Return the generalised inverse of the information, centred in every component."""
    full = factor(design.information(information))(np.eye(design.size))
    result: FloatArray = full - design.constant / _scale(information)  # the part that only fixed the centre
    return (result + result.T) / 2


def centred(strength: FloatArray, label: IntArray) -> FloatArray:
    """Subtract the mean of every component (systems × anything)."""
    if not label.any():
        mean: FloatArray = strength.mean(axis=0)
        return strength - mean
    count = int(label.max()) + 1
    members = sparse_matrices.matrix_of(np.ones(len(label)), label, np.arange(len(label)), (count, len(label)))
    sizes = np.bincount(label).reshape(-1, *([1] * (strength.ndim - 1)))
    means: FloatArray = members @ strength / sizes
    return strength - means[label]


def _dense(design: PairDesign, information: FloatArray, *, constant: bool = True) -> FloatArray:
    """Return the Laplacian plus, per component, the projection on the constant, which makes it definite."""
    size = design.size
    matrix = same_component(design) * _scale(information) if constant else np.zeros((size, size))
    matrix[design.first, design.second] -= information
    matrix[design.second, design.first] -= information
    diagonal = np.bincount(design.first, information, size) + np.bincount(design.second, information, size)
    matrix[np.diag_indices(size)] += diagonal
    return matrix


def _laplacian(design: PairDesign, information: FloatArray) -> Any:
    """Return the Laplacian: sparse, or with its zeros where there are few of them."""
    size = design.size
    if len(information) > _FULL * size**2:
        return _dense(design, information, constant=False)
    own = np.bincount(design.first, information, size) + np.bincount(design.second, information, size)
    every = np.arange(size)
    rows = np.concatenate([design.first, design.second, every])
    columns = np.concatenate([design.second, design.first, every])
    return scipy.sparse.csr_array(
        (np.concatenate([-information, -information, own]), (rows, columns)), shape=(size, size)
    )


def same_component(design: PairDesign) -> FloatArray:
    """Return systems × systems: the weight of one system in the mean of the other's component."""
    same: FloatArray = (design.label[:, None] == design.label[None, :]) / np.bincount(design.label)[design.label]
    return same


def _scale(information: FloatArray) -> float:
    """Return the magnitude of a pair's information, so that the projection is on the same scale."""
    return float(np.mean(information)) if len(information) and np.mean(information) > 0 else 1.0


def factor(matrix: FloatArray) -> Solve:
    """Factor a matrix that may be singular to working precision: then the smallest diagonal that helps is added."""
    jitter = 0.0
    while True:
        try:
            return _factor(matrix + jitter * np.eye(len(matrix)) if jitter else matrix)
        except np.linalg.LinAlgError:
            size = float(np.trace(matrix)) / len(matrix)
            if not jitter < size:  # also when it is not a number
                raise ModelError(
                    "the strengths cannot be computed, because counts or weights differ too much in size."
                ) from None
            jitter = max(10 * jitter, 1e-14 * size)


def _factor(matrix: FloatArray) -> Solve:
    if len(matrix) > _SMALL:
        factored = scipy.linalg.cho_factor(matrix, check_finite=False)
        return lambda gradient: scipy.linalg.cho_solve(factored, gradient, check_finite=False)
    inverse = np.linalg.inv(np.linalg.cholesky(matrix))
    return lambda gradient: inverse.T @ (inverse @ gradient)


def grounded(laplacian: Any, label: IntArray) -> Solve:
    """Factor a sparse Laplacian after fixing the first system of every component at zero."""
    free = np.ones(len(label), dtype=bool)
    free[np.unique(label, return_index=True)[1]] = False
    size = float(np.mean(laplacian.diagonal()))
    # The least that keeps a difference without information from dividing by zero.
    inner = laplacian[free][:, free] + scipy.sparse.diags_array(np.full(int(free.sum()), 1e-14 * size))
    factored = scipy.sparse.linalg.splu(inner.tocsc(), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})

    def solve(gradient: FloatArray) -> FloatArray:
        solution = np.zeros_like(gradient)
        solution[free] = factored.solve(gradient[free])
        return centred(solution, label)

    return solve


def conjugate_gradients(laplacian: Any, gradient: FloatArray, accuracy: float, rounds: int) -> tuple[FloatArray, bool]:
    """Solve for all columns together, preconditioned by the diagonal; also say whether all are done.

    A column that is done stands still.
    """
    columns = gradient.reshape(len(gradient), -1)
    scale = 1.0 / np.maximum(laplacian.diagonal(), 1e-300)[:, None]
    solution = np.zeros_like(columns)
    residual = columns.copy()
    target = accuracy * np.linalg.norm(residual, axis=0)
    direction = scale * residual
    product = np.sum(residual * direction, axis=0)
    active = target > 0
    for _ in range(rounds):
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
    return solution.reshape(gradient.shape), not np.any(active)
