"""Plackett–Luce with covariates, fitted to whole rankings."""

import numpy as np

from betterthan.base import EvidenceError, FloatArray, PlanError, spelling
from betterthan.datasets import JudgedSet, RankedSet
from betterthan.evidence import Rankings
from betterthan.models import formulas, links, solver, standard_errors
from betterthan.options import FitOptions
from betterthan.verbs.fit.design.likelihood_assembly import Strengths, coefficients_of
from betterthan.verbs.fit.design.system_covariates import Objects
from betterthan.verbs.fit.design.term_names import TIE, UNDECIDED
from betterthan.verbs.fit.design.unit_columns import covariates_of, dependent
from betterthan.verbs.fit.estimation.dependence import Dependence
from betterthan.verbs.fit.estimation.ranking_stages import Stages
from betterthan.verbs.fit.fit_findings import few_clusters, findings_of
from betterthan.verbs.fit.fitted_model import LogLinear
from betterthan.verbs.fit.outcome_chances import PairPredictor
from betterthan.verbs.fit.worth_table import worths

#: Whole rankings are what they are fitted to: a ranking as a unit of its own depends on no other.
_RANKING = "ranking"


def fit_rankings(data: JudgedSet, table: Objects | None, options: FitOptions) -> LogLinear:
    """Fit strengths with subject and object covariates; what belongs to pairs of sides is refused."""
    if not isinstance(data, RankedSet):
        raise EvidenceError(
            f"plackett-luce takes rankings, but this evidence is {data.kind}",
            remedy=f"Use {spelling.option('model', 'bradley-terry')}.",
        )
    evidence = data.rankings
    if options.ties != FitOptions().ties:
        raise PlanError(
            "plackett-luce has parameters of its own for ties",
            remedy=f"Leave out {spelling.option('ties', options.ties)}.",
        )
    for name in ("contrast", "position", "undecided", "terms", "random", "by"):
        if getattr(options, name):
            raise PlanError(
                f"{spelling.option(name)} is for pairs; plackett-luce takes {spelling.option('subject')} and "
                f"{spelling.option('object')}",
                remedy="Leave it out.",
            )
    named = formulas.variables(options.subject)
    more = () if evidence.table is None else evidence.table.columns
    columns = covariates_of(evidence.about, evidence.covariates, named, more, evidence.name)
    subject = (
        formulas.evaluate(options.subject, columns, len(evidence.weight))
        if options.subject
        else formulas.ones(len(evidence.weight))
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
        data=data.digest,
        predictor=_predictor(strengths, stages, solution, tuple(columns)),
    )


def _predictor(
    strengths: Strengths, stages: Stages, solution: solver.FitSolution, needs: tuple[str, ...]
) -> PairPredictor:
    """Return the chances of a ranking of two systems: that of a tie depends on δ of two."""
    tied = stages.orders[:1] == (2,)
    size = strengths.basis.shape[1]
    none = formulas.nothing(0)
    return PairPredictor(
        needs,
        links.DavidsonLink() if tied else links.Logistic(),
        None,
        solution.coefficients[: size + tied],
        len(strengths.systems),
        strengths.basis,
        strengths.subject,
        None,
        none,
        none,
        formulas.Terms((UNDECIDED,), np.ones((0, 1))) if tied else none,
    )


def _design(evidence: Rankings, subject: formulas.Terms, basis: FloatArray) -> FloatArray:
    """Return the map from coefficients to the strength of every entry."""
    size, rows = len(evidence.systems), subject.matrix[evidence.ranking]
    design = np.zeros((len(evidence.system), basis.shape[1]))
    for column in range(len(subject.names)):
        design += rows[:, [column]] * basis[column * size + evidence.system]
    return design


def maximise_rankings(stages: Stages) -> solver.FitSolution:
    """Maximise the likelihood of the choices over the coefficients that can be distinguished."""
    columns, size = stages.design.shape[1], stages.size
    # Choices only compare what is in one ranking: what is the same for all of it says nothing.
    aliased, null = solver.identifiable(stages.at(np.zeros(size))[2], (stages.design**2).sum(axis=0))
    kept = np.flatnonzero(~aliased)
    small = stages.take(kept[kept < columns])
    found = solver.newton(small.at, np.zeros(len(kept)), rounding=1e-15 * float(stages.weight.sum()), reach=small.reach)
    covariance, coefficients = np.full((size, size), np.nan), np.full(size, np.nan)
    covariance[np.ix_(kept, kept)] = solver.inverted(small.at(found.point)[2])
    coefficients[kept] = found.point
    infinite = np.zeros(size, dtype=bool)
    if (not found.converged or small.reach(found.point) > solver.SUSPICIOUS) and small.entry.size <= solver.MOST_CELLS:
        # A direction may also hold coefficients that need not grow: those are known all the same.
        error = np.sqrt(np.abs(np.diag(covariance)[kept])) * np.append(
            np.ptp(small.design, axis=0), [1] * len(stages.orders)
        )
        infinite[kept] = solver.growing(small.preferred()) & (error > solver.UNKNOWN)
    return solver.FitSolution(
        coefficients, covariance, aliased, infinite, null, found.value, found.steps, found.converged
    )


def _dependent(
    data: JudgedSet, evidence: Rankings, stages: Stages, solution: solver.FitSolution, options: FitOptions
) -> tuple[Dependence, standard_errors.Errors]:
    """Allow for the dependence of rankings; the likelihood takes single rankings as independent."""
    about = {**evidence.covariates, **evidence.about}
    dependence = Dependence.of(data, options, about)
    if dependence.units == (_RANKING,):
        dependence = Dependence((), dependence.asked)
    kept = np.flatnonzero(~solution.aliased)
    point, small = solution.coefficients[kept], stages.take(kept[kept < stages.design.shape[1]])
    return dependent(
        dependence,
        about=about,
        weight=evidence.weight,
        solution=solution,
        scores=lambda: small.scores(point),
        informations=lambda cluster, clusters: small.informations(point, cluster, clusters),
    )
