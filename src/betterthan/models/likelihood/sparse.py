"""Refit one resample of many systems with few opponents each.

Where systems have few judgments, resamples are too far from the estimate for its factorisation, and each needs a
separate Newton iteration. Steps need not be exact: a draw moves by a whole standard error, and a thousandth of that is
far below the resolution of a thousand draws.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.datasets import PairCounts
from betterthan.models.likelihood.links import Link
from betterthan.models.likelihood.newton import DENSE_LIMIT, grounded

#: Up to this many systems dense matrices are as fast, whatever the evidence.
_FEW_SYSTEMS = 500
#: Fewer judgments per system than this leave resamples far from the estimate.
_FEW_JUDGMENTS = 100
#: Share of all pairs up to which a matrix is sparse enough.
_SPARSE = 0.1
#: A step shorter than this is the last, and how exactly steps are found: both leave errors of some millionths. The way
#: there, step by step of at most this length, need not be straight.
_LAST, _ACCURACY = 1e-3, 3e-3
_LONG, _ROUGH = 0.3, 0.05
_STEPS, _ROUNDS = 60, 1000


def refits_alone(counts: PairCounts) -> bool:
    """Whether a resample of this evidence is refitted alone, rather than with others by one factorisation."""
    size, pairs = counts.size, len(counts.first)
    if size <= _FEW_SYSTEMS or 2 * pairs > _SPARSE * size**2:
        return False
    return size > 2 * DENSE_LIMIT or float(counts.outcomes.sum()) < _FEW_JUDGMENTS * size


def maximise_near(
    pairs: "Pairs", link: Link, outcomes: FloatArray, start: tuple[FloatArray, float]
) -> FloatArray | None:
    """Find strengths near the start, up to the centre of every component; None where that does not succeed."""
    prepared = link.prepare(outcomes)
    strength: FloatArray
    strength, width = start
    longest = 1.0
    for _ in range(_STEPS):
        gap = strength[pairs.first] - strength[pairs.second]
        by_gap, by_width = link.gradient(prepared, gap, width)
        gap_gap, gap_width, width_width = link.curvature(prepared, gap, width)
        solve = pairs.solver(gap_gap, _ROUGH if longest > _LONG else _ACCURACY)
        step, wider = solve(pairs.to_systems(by_gap)), 0.0
        if link.width is not None:
            border = pairs.to_systems(gap_width)
            slope = solve(border)
            rest = max(float(width_width.sum() - border @ slope), 1e-12 * float(width_width.sum()))
            wider = float(by_width.sum() - border @ step) / rest
            step = step - slope * wider
        longest = max(float(np.max(np.abs(step), initial=0.0)), abs(wider))
        if not np.isfinite(longest):
            return None
        # The curvature of a logistic changes by a factor e at most within one unit: such steps lead nearer.
        strength, width = strength + np.clip(step, -1.0, 1.0), width + min(max(wider, -1.0), 1.0)
        if longest < _LAST:
            return strength
    return None


@dataclass(frozen=True)
class Pairs:
    """The pairs of one resample inside components."""

    first: IntArray
    second: IntArray
    label: IntArray  # the component of every system

    def to_systems(self, values: FloatArray) -> FloatArray:
        """Add up for every system what its pairs say about it."""
        size = len(self.label)
        of_first: FloatArray = np.bincount(self.first, values, size).astype(float)
        of_first -= np.bincount(self.second, values, size)
        return of_first

    @cached_property
    def _places(self) -> tuple[Any, IntArray]:
        """Return the comparison graph as a matrix, and the pair of each of its values."""
        rows, columns = np.concatenate([self.first, self.second]), np.concatenate([self.second, self.first])
        number, size = len(self.first), len(self.label)
        met = scipy.sparse.csr_array((np.arange(2 * number), (rows, columns)), shape=(size, size))
        return met, met.data % max(number, 1)

    def solver(self, information: FloatArray, accuracy: float) -> Any:
        """Return the function from a gradient to a step, which need not be exact."""
        met, pair = self._places
        weights = scipy.sparse.csr_array((information[pair], met.indices, met.indptr), shape=met.shape)
        diagonal = weights @ np.ones(len(self.label))

        def solve(gradient: FloatArray) -> FloatArray:
            step = _conjugate_gradients(weights, diagonal, gradient, accuracy)
            if step is None:  # a long chain: many steps of conjugate gradients, but little to factor
                step = grounded(scipy.sparse.diags_array(diagonal).tocsr() - weights, self.label)(gradient)
            return step

        return solve


def _conjugate_gradients(
    weights: Any, diagonal: FloatArray, gradient: FloatArray, accuracy: float
) -> FloatArray | None:
    """Solve (diagonal − weights) x = gradient, preconditioned by the diagonal; None where that takes too long."""
    scale = 1.0 / np.maximum(diagonal, 1e-300)
    solution, residual = np.zeros_like(gradient), gradient.copy()
    direction = scaled = scale * residual
    product = float(residual @ scaled)
    target = accuracy**2 * product
    for _ in range(_ROUNDS):
        if not product > target:
            return solution
        image = diagonal * direction - weights @ direction
        curvature = float(direction @ image)
        if not curvature > 0:  # a direction without curvature is rounding
            return solution
        solution += product / curvature * direction
        residual -= product / curvature * image
        scaled = scale * residual
        new = float(residual @ scaled)
        direction = scaled + new / product * direction
        product = new
    return None
