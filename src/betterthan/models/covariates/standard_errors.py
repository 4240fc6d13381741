"""Standard errors of coefficients: model-based, or cluster-robust."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import cluster_robust
from betterthan.engine import Coded
from betterthan.models.covariates.solver import FitProblem, FitSolution


@dataclass(frozen=True)
class JudgedRows:
    """Judgments by unit: the cell of each, its outcome, its count, and its weight.

    `units` say what each belongs to.
    """

    cell: IntArray
    outcome: IntArray
    times: FloatArray
    weight: FloatArray
    units: Mapping[str, Coded]

    def take(self, rows: IntArray) -> "JudgedRows":
        """Keep some."""
        units = {name: column.take(rows) for name, column in self.units.items()}
        return JudgedRows(self.cell[rows], self.outcome[rows], self.times[rows], self.weight[rows], units)


@dataclass(frozen=True)
class Errors:
    """The covariance of all coefficients (NaN for aliased ones), and errors of functions of them.

    `robust` is None where the model alone says how sure they are: their errors are then normal, or with random effects
    Student's with `freedom` for every coefficient. `sizes` are the units that errors are based on, and how many there
    are of each.
    """

    covariance: FloatArray
    robust: cluster_robust.Robust | None = None
    kept: IntArray | None = None  # coefficients that are not aliased
    scale: FloatArray | None = None  # what coefficients were multiplied by
    sizes: Mapping[str, int] | None = None
    freedom: FloatArray | None = None

    @classmethod
    def of(cls, solution: FitSolution, robust: cluster_robust.Robust, sizes: Mapping[str, int]) -> "Errors":
        """Take the covariance from the sandwich."""
        kept = np.flatnonzero(~solution.aliased)
        covariance = np.full_like(solution.covariance, np.nan)
        covariance[np.ix_(kept, kept)] = robust.covariance
        return cls(covariance, robust, kept, np.ones(len(covariance)), dict(sizes))

    def scaled(self, factors: FloatArray) -> "Errors":
        """Return the errors of coefficients multiplied by factors."""
        scale = factors if self.scale is None else self.scale * factors
        return replace(self, covariance=self.covariance * np.outer(factors, factors), scale=scale)

    def error(self, contrasts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return standard errors and degrees of freedom of contrasts (contrasts × coefficients).

        Degrees of freedom are infinite for errors by the model, the fewest of the coefficients involved with random
        effects, and NaN where units do not tell.
        """
        if self.robust is None or self.kept is None or self.scale is None:
            spread = np.einsum("kp,pq,kq->k", contrasts, np.nan_to_num(self.covariance), contrasts)
            freedom = np.full(contrasts.shape[1], np.inf) if self.freedom is None else self.freedom
            return np.sqrt(np.maximum(spread, 0.0)), np.min(
                np.where(contrasts != 0, freedom, np.inf), axis=1, initial=np.inf
            )
        return self.robust.error((contrasts * self.scale)[:, self.kept])


def clustered(
    problem: FitProblem, solution: FitSolution, rows: JudgedRows, ties: str, units: Sequence[str]
) -> cluster_robust.Robust:
    """Return the covariance that allows for dependence within units; without any, rows of unequal weight are units."""
    kept = np.flatnonzero(~solution.aliased)
    small = problem.take(kept)
    point = small.at(solution.coefficients[kept])
    link, cells = problem.link, problem.outcomes.shape[1]
    # What one judgment adds, by its outcome: there are fewer cells than judgments.
    each = [link.prepare(np.repeat(column[:, None], cells, axis=1)) for column in split_ties(np.eye(3), ties).T]
    slopes = [link.gradient(one, point.gap, point.width) for one in each]
    bends = [link.curvature(one, point.gap, point.width) for one in each]
    where = rows.outcome * cells + rows.cell
    by_gap, by_width = (_picked(parts, where) for parts in zip(*slopes, strict=True))
    curvature = [_picked(parts, where) for parts in zip(*bends, strict=True)]
    design = small.design.rows(rows.cell)

    def way(cluster: IntArray, clusters: int) -> cluster_robust.Clusters:
        amount = rows.weight * rows.times if units else rows.weight
        times = None if units else rows.times
        scores = design.scores(amount * by_gap, _times(amount, by_width), cluster, clusters)
        sizes = np.bincount(cluster, amount, clusters).astype(np.float64)
        which = cluster_robust.small_sample_correction(sizes, max(len(kept), design.basis.shape[0]))
        place = np.full(clusters, -1)
        place[which] = np.arange(len(which))
        theirs = np.flatnonzero(place[cluster] >= 0)
        bends = [_times(amount, bend)[theirs] if len(bend) else bend for bend in curvature]
        information = design.rows(theirs).informations(bends, place[cluster[theirs]], len(which))
        return cluster_robust.Clusters(scores, information, which, times)

    factors = [rows.units[unit].compact for unit in units] or [(np.arange(len(rows.cell)), len(rows.cell))]
    return cluster_robust.Robust.crossed(solution.covariance[np.ix_(kept, kept)], factors, way)


def _picked(parts: Sequence[FloatArray], where: IntArray) -> FloatArray:
    """Return something of judgments from that of outcomes and cells; links without ties have none of the width."""
    return np.concatenate(parts)[where] if len(parts[0]) else np.empty(0)


def _times(amount: FloatArray, values: FloatArray) -> FloatArray:
    return amount * values if len(values) else values


def split_ties(outcomes: FloatArray, ties: str) -> FloatArray:
    """Drop ties (3 × anything), or split them between the sides, where they are not an outcome of their own."""
    won, tied, lost = outcomes
    if ties == "drop":
        return np.stack([won, 0 * tied, lost])
    if ties == "half":
        return np.stack([won + tied / 2, 0 * tied, lost + tied / 2])
    return outcomes
