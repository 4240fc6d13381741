"""Covariates and dependent errors for models of rankings and patterns."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray, PlanError, scipy, spelling
from betterthan.datasets import cluster_robust
from betterthan.engine import MISSING, Coded
from betterthan.models import solver, standard_errors
from betterthan.verbs.fit.design.comparisons import typed
from betterthan.verbs.fit.estimation.dependence import Dependence


def column_of(about: Mapping[str, Coded], name: str, more: Sequence[str] = ()) -> Coded:
    """Return the columns of every ranking or pattern, or refuse a name that is missing; `more` could be named, too."""
    if name not in about:
        raise PlanError(
            f"these rankings have no {name!r}",
            allowed=", ".join(dict.fromkeys([*about, *more])),
            remedy=f"Name a column of their table, or one that has a role: {spelling.option('judge')} or "
            f"{spelling.option('item')}.",
        )
    return about[name]


def covariates_of(
    about: Mapping[str, Coded], further: Mapping[str, Coded], names: Sequence[str], more: Sequence[str], where: str
) -> dict[str, Coded | FloatArray]:
    """Return columns for a formula: what has a role is a name, of further columns numbers are numbers.

    `more` are all columns that could be named.
    """
    found: dict[str, Coded | FloatArray] = {}
    for name in names:
        column = _known(column_of({**further, **about}, name, more), name, where)
        found[name] = column if name in about else typed(column)
    return found


def _known(column: Coded, name: str, where: str) -> Coded:
    """Return a column for a formula, which needs a value everywhere."""
    if np.any(column.codes == MISSING):
        raise EvidenceError(
            f"some rankings have no {name}",
            where=where,
            remedy=f"Fill it in, or leave them out with {spelling.option('where')}.",
        )
    return column


def dependent(
    dependence: Dependence,
    *,
    about: Mapping[str, Coded],
    weight: FloatArray,
    solution: solver.FitSolution,
    scores: Callable[[], FloatArray],
    informations: Callable[[IntArray, int], FloatArray],
) -> tuple[Dependence, standard_errors.Errors]:
    """Return errors by the model where rankings are independent and of one weight, else the sandwich.

    `scores` are the derivatives of every ranking by the parameters that are not aliased, with its weight;
    `informations` adds up the information of clusters, of which −1 is none.
    """
    columns = {unit: column_of(about, unit) for unit in dependence.units}
    dependence = dependence.with_levels({unit: column.compact[1] for unit, column in columns.items()})
    if not dependence.units and np.all(weight == weight[0]):
        return dependence, standard_errors.Errors(solution.covariance * float(weight[0]))
    kept, each = np.flatnonzero(~solution.aliased), scores()
    number = len(each)

    def way(cluster: IntArray, clusters: int) -> cluster_robust.Clusters:
        onto = scipy.sparse.csr_array((np.ones(number), (cluster, np.arange(number))), shape=(clusters, number))
        which = cluster_robust.small_sample_correction(
            np.bincount(cluster, weight, clusters).astype(np.float64), len(kept)
        )
        place = np.full(clusters, -1)
        place[which] = np.arange(len(which))
        return cluster_robust.Clusters(onto @ each, informations(place[cluster], len(which)), which)

    factors = [columns[unit].compact for unit in dependence.units] or [(np.arange(number), number)]
    robust = cluster_robust.Robust.crossed(solution.covariance[np.ix_(kept, kept)], factors, way)
    return dependence, standard_errors.Errors.of(
        solution, robust, {unit: columns[unit].compact[1] for unit in dependence.units}
    )
