"""Plackett–Luce with covariates, fitted to whole rankings."""

import hashlib

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.datasets.dataset import DataSet
from betterthan.engine.table import Coded
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.rankings import Rankings
from betterthan.loglinear.assemble import Strengths, coefficients_of
from betterthan.loglinear.dependence import Dependence
from betterthan.loglinear.doubts import few_clusters, findings_of
from betterthan.loglinear.errors import Errors
from betterthan.loglinear.formulas import Terms, evaluate, nothing, ones, variables
from betterthan.loglinear.objects import Objects
from betterthan.loglinear.predict import PairPredictor
from betterthan.loglinear.rankings import Stages
from betterthan.loglinear.result import LogLinear
from betterthan.loglinear.solve import (
    MOST_CELLS,
    SUSPICIOUS,
    UNKNOWN,
    Solution,
    growing,
    inverted,
    newton,
    told_apart,
)
from betterthan.loglinear.terms import TIE, UNDECIDED
from betterthan.loglinear.whole import dependent, known_of
from betterthan.loglinear.worths import worths
from betterthan.models.likelihood.links import DavidsonLink, Logistic
from betterthan.options.fit import FitOptions
from betterthan.spelling import option

#: Whole rankings are what they are fitted to: a ranking as a unit of its own depends on no other.
_RANKING = "ranking"


def fit_rankings(data: DataSet, table: Objects | None, options: FitOptions) -> LogLinear:
    """Fit strengths with subject and object covariates; what belongs to pairs of sides is refused."""
    evidence = data.rankings
    if evidence is None:
        raise EvidenceError(
            f"plackett-luce takes rankings, but this evidence is {data.kind}",
            remedy=f"Use {option('model', 'bradley-terry')}.",
        )
    if options.ties != FitOptions().ties:
        raise PlanError(
            "plackett-luce has parameters of its own for ties", remedy=f"Leave out {option('ties', options.ties)}."
        )
    for name in ("contrast", "position", "undecided", "terms", "random", "by"):
        if getattr(options, name):
            raise PlanError(
                f"{option(name)} is for pairs; plackett-luce takes {option('subject')} and {option('object')}",
                remedy="Leave it out.",
            )
    columns: dict[str, Coded | FloatArray] = {
        name: known_of(evidence.about, name, evidence.name) for name in variables(options.subject)
    }
    subject = (
        evaluate(options.subject, columns, len(evidence.weight)) if options.subject else ones(len(evidence.weight))
    )
    strengths = Strengths.of(evidence.systems, subject, table, options)
    stages = Stages.of(evidence, _design(evidence, subject, strengths.basis))
    solution = maximise_rankings(stages)
    names = (*strengths.names, *(f"{TIE}{order}" for order in stages.orders))
    kinds = ("strength",) * len(strengths.names) + ("width",) * len(stages.orders)
    dependence, errors = _dependent(data, evidence, stages, solution, options)
    weight = float(evidence.weight[0]) if np.all(evidence.weight == evidence.weight[0]) else None
    alternatives = stages.alternatives()
    freedom = round(float(np.sum(alternatives - 1)))
    nothing = np.empty((3, 0))
    return LogLinear(
        coefficients=strengths.with_reference(coefficients_of(names, kinds, solution, errors, options.level)),
        errors=errors,
        names=names,
        kinds=kinds,
        null=solution.null,
        worths=worths(evidence.systems, columns, strengths.onto(), solution, errors.covariance),
        systems=evidence.systems,
        reference=evidence.systems[strengths.reference] if strengths.reference is not None else None,
        left=np.empty(0, dtype=np.int64),
        right=np.empty(0, dtype=np.int64),
        observed=nothing,
        fitted=nothing,
        log_likelihood=solution.log_likelihood,
        deviance=-2 * solution.log_likelihood,
        null_deviance=float(2 * stages.weight @ np.log(alternatives).sum(axis=1)),
        df=freedom - int(np.sum(~solution.aliased)),
        null_df=freedom,
        judgments=float(len(evidence.weight)),
        weight=weight,
        converged=solution.converged,
        iterations=solution.iterations,
        settings=options.changed(scale="log", unit=dependence.name),
        account=evidence.account,
        findings=(*findings_of(evidence.account, names, solution, None), *few_clusters(errors.sizes, len(names))),
        data=_digest(evidence),
        predictor=_predictor(strengths, stages, solution, tuple(columns)),
    )


def _predictor(strengths: Strengths, stages: Stages, solution: Solution, needs: tuple[str, ...]) -> PairPredictor:
    """Return the chances of a ranking of two systems: that of a tie depends on δ of two."""
    tied = stages.orders[:1] == (2,)
    size = strengths.basis.shape[1]
    none = nothing(0)
    return PairPredictor(
        needs, DavidsonLink() if tied else Logistic(), None, solution.coefficients[: size + tied],
        len(strengths.systems), strengths.basis, strengths.subject, None, none, none,
        Terms((UNDECIDED,), np.ones((0, 1))) if tied else none,
    )  # fmt: skip


def _design(evidence: Rankings, subject: Terms, basis: FloatArray) -> FloatArray:
    """Return what coefficients make of the strength of every entry."""
    size, rows = len(evidence.systems), subject.matrix[evidence.ranking]
    design = np.zeros((len(evidence.system), basis.shape[1]))
    for column in range(len(subject.names)):
        design += rows[:, [column]] * basis[column * size + evidence.system]
    return design


def _digest(evidence: Rankings) -> str:
    """Return a fingerprint of the rankings, each by itself, whatever the order of its entries."""
    text = hashlib.sha256("\0".join(evidence.systems).encode(errors="surrogatepass"))
    order = np.lexsort((evidence.system, evidence.rank, evidence.ranking))
    for column in (evidence.ranking[order], evidence.system[order], evidence.rank[order], evidence.weight):
        text.update(np.ascontiguousarray(column).tobytes())
    return text.hexdigest()[:12]


def maximise_rankings(stages: Stages) -> Solution:
    """Maximise the likelihood of the choices over the coefficients that can be told apart."""
    columns, size = stages.design.shape[1], stages.size
    # Choices only compare what is in one ranking: what is the same for all of it says nothing.
    aliased, null = told_apart(stages.at(np.zeros(size))[2], (stages.design**2).sum(axis=0))
    kept = np.flatnonzero(~aliased)
    small = stages.take(kept[kept < columns])
    found = newton(small.at, np.zeros(len(kept)), rounding=1e-15 * float(stages.weight.sum()), reach=small.reach)
    covariance, coefficients = np.full((size, size), np.nan), np.full(size, np.nan)
    covariance[np.ix_(kept, kept)] = inverted(small.at(found.point)[2])
    coefficients[kept] = found.point
    infinite = np.zeros(size, dtype=bool)
    if (not found.converged or small.reach(found.point) > SUSPICIOUS) and small.entry.size <= MOST_CELLS:
        # A direction may also hold coefficients that need not grow: those are known all the same.
        error = np.sqrt(np.abs(np.diag(covariance)[kept])) * np.append(
            np.ptp(small.design, axis=0), [1] * len(stages.orders)
        )
        infinite[kept] = growing(small.preferred()) & (error > UNKNOWN)
    return Solution(
        coefficients, covariance, aliased, infinite, null, found.value, found.steps, found.converged
    )  # fmt: skip


def _dependent(
    data: DataSet, evidence: Rankings, stages: Stages, solution: Solution, options: FitOptions
) -> tuple[Dependence, Errors]:
    """Allow for the dependence of rankings; one ranking by itself is what the likelihood takes as independent."""
    dependence = Dependence.of(data, options, evidence.about)
    if dependence.units == (_RANKING,):
        dependence = Dependence((), dependence.asked)
    kept = np.flatnonzero(~solution.aliased)
    point, small = solution.coefficients[kept], stages.take(kept[kept < stages.design.shape[1]])
    return dependent(
        dependence, about=evidence.about, weight=evidence.weight, solution=solution,
        scores=lambda: small.scores(point),
        informations=lambda cluster, clusters: small.informations(point, cluster, clusters),
    )  # fmt: skip
