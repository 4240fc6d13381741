"""Fit a pattern model: strengths, dependence between answers, and missing answers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, PlanError, spelling
from betterthan.datasets import AnyDataSet
from betterthan.models import formulas, solver, standard_errors
from betterthan.options import FitOptions
from betterthan.verbs.fit.design.system_covariates import Objects
from betterthan.verbs.fit.design.unit_columns import dependent
from betterthan.verbs.fit.estimation.dependence import Dependence
from betterthan.verbs.fit.fitted_model import LogLinear
from betterthan.verbs.fit.patterns.class_fit import fit_classes
from betterthan.verbs.fit.patterns.pattern_answers import Answers, answers_of
from betterthan.verbs.fit.patterns.pattern_likelihood import Likelihood
from betterthan.verbs.fit.patterns.pattern_model import PatternModel, pattern_model
from betterthan.verbs.fit.patterns.pattern_summary import described

#: Differences of statistics that the linear program for separation takes.
_MOST_ROWS = 50_000
#: Directions that a likelihood with several maxima is started in, each both ways.
_SIDES = 3


def fit_patterns(data: AnyDataSet, table: Objects | None, options: FitOptions) -> LogLinear:
    """Fit strengths to whole patterns of answers."""
    _refuse(options)
    dependence = Dependence.of(data, options, data.columns)
    answers = answers_of(data, formulas.variables(options.subject), dependence.units)
    if options.classes:
        return fit_classes(answers, table, options)
    model = pattern_model(answers, table, options, None)
    solution = maximise_patterns(model, _starts(model, answers, table, options))
    dependence, errors = _errors(model, solution, dependence)
    return described(model, solution, errors, options.changed(unit=dependence.name))


def _refuse(options: FitOptions) -> None:
    for name in ("contrast", "position", "undecided", "terms", "random", "by"):
        if getattr(options, name):
            raise PlanError(
                f"{spelling.option(name)} is for single pairs; patterns take {spelling.option('subject')} and "
                f"{spelling.option('object')}",
                remedy="Leave it out.",
            )
    if options.ties not in {"davidson", "fixed"}:
        raise PlanError(
            f"patterns have ties as answers of their own, so {spelling.option('ties', options.ties)} has no meaning",
            remedy=f"Use {spelling.option('ties', 'davidson')} or {spelling.option('ties', 'fixed')}.",
        )


def _starts(model: PatternModel, answers: Answers, table: Objects | None, options: FitOptions) -> list[FloatArray]:
    """Start where nothing has an effect.

    If missingness depends on the answer, the likelihood has several maxima, and is flat where there is no effect. It is
    started on both sides, from the model without it.
    """
    size = model.likelihood.size
    if options.missing != "outcome":
        return [np.zeros(size)]
    simple = pattern_model(answers, table, replace(options, missing="systems"), None)
    found = np.nan_to_num(maximise_patterns(simple, [np.zeros(simple.likelihood.size)]).coefficients)
    rng, more = np.random.default_rng(0), size - simple.likelihood.size
    sides = [np.ones(more), *rng.normal(0.0, 1.0, (_SIDES, more))]
    return [np.append(found, sign * side) for side in sides for sign in (-1.0, 1.0)]


def maximise_patterns(model: PatternModel, starts: Sequence[FloatArray]) -> solver.FitSolution:
    """Maximise the likelihood over the parameters that can be distinguished, from every start, and keep the highest."""
    likelihood, weight, size = model.likelihood, model.weight, model.likelihood.size
    aliased, null = _aliased(likelihood, weight, starts)
    kept = np.flatnonzero(~aliased)
    small = replace(likelihood, maps=likelihood.maps[:, :, kept])
    tried = [
        solver.newton(
            lambda point: small.at(point, weight),
            start[kept],
            rounding=1e-15 * float(weight.sum()),
            reach=lambda point: _reach(small, point),
        )
        for start in starts
    ]
    found = max(tried, key=lambda each: each.value)
    coefficients, covariance = np.full(size, np.nan), np.full((size, size), np.nan)
    value, _, information = small.at(found.point, weight)
    coefficients[kept] = found.point
    covariance[np.ix_(kept, kept)] = solver.inverted(information)
    infinite = np.zeros(size, dtype=bool)
    if not found.converged or _reach(small, found.point) > solver.SUSPICIOUS:
        infinite[kept] = _growing(small) & (np.sqrt(np.abs(np.diag(covariance)[kept])) > solver.UNKNOWN)
    return solver.FitSolution(coefficients, covariance, aliased, infinite, null, value, found.steps, found.converged)


def _aliased(likelihood: Likelihood, weight: FloatArray, starts: Sequence[FloatArray]) -> tuple[BoolArray, FloatArray]:
    """Mark parameters that others already make up: by the information where nothing has an effect.

    Of several starts, by what derivatives of cells tell at the best of them: far from a maximum the information may be
    indefinite.
    """
    if len(starts) == 1:
        _, _, whole, lost = likelihood.moments(starts[0], weight)
        return solver.identifiable(whole - lost, np.diag(whole))
    squares = [scores.T @ scores for scores in (likelihood.scores(start) for start in starts)]
    return min((solver.identifiable(each, np.diag(each)) for each in squares), key=lambda found: int(found[0].sum()))


def _reach(likelihood: Likelihood, point: FloatArray) -> float:
    """Return how far apart strengths are at most, or how large another effect is."""
    moved = likelihood.maps @ point
    systems = likelihood.space.systems
    return float(max(np.ptp(moved[:, :systems], axis=1).max(), np.abs(moved[:, systems:]).max(initial=0.0)))


def _growing(likelihood: Likelihood) -> BoolArray:
    """Mark parameters along which the likelihood never stops growing.

    There is no maximum where parameters can move such that every observed pattern stays the likeliest. What is missing
    could have been anything, so a linear program says this of complete patterns only.
    """
    everything = np.ones(likelihood.size, dtype=bool)
    if not np.all(likelihood.cells.complete):
        return everything
    rows: list[FloatArray] = []
    distinct = np.unique(likelihood.statistics, axis=0)
    for kind, onto in enumerate(likelihood.maps):
        _, pattern, _ = likelihood.cells.of_kind(kind)
        seen = np.unique(likelihood.statistics[pattern], axis=0)
        same = (seen[1:] - seen[0]) @ onto
        rows += [(seen[0] - distinct) @ onto, same, -same]
    found: FloatArray = np.unique(np.round(np.concatenate(rows), 12), axis=0).astype(np.float64)
    return solver.growing(found) if len(found) <= _MOST_ROWS else everything


def _errors(
    model: PatternModel, solution: solver.FitSolution, dependence: Dependence
) -> tuple[Dependence, standard_errors.Errors]:
    """Allow for the dependence of patterns; every pattern is its own unit, whatever it describes."""
    answers, likelihood = model.answers, model.likelihood
    number = len(answers.weight)
    lacking = [unit for unit in dependence.units if unit not in answers.about]
    if lacking and dependence.asked:
        raise PlanError(
            f"the answers of one {answers.per} belong to several values of {lacking[0]!r}",
            remedy=f"Use another {spelling.option('unit')}: {spelling.option('unit', answers.per)}.",
        )
    units = tuple(unit for unit in dependence.units if unit not in lacking and answers.about[unit].compact[1] < number)
    kept = np.flatnonzero(~solution.aliased)
    small = replace(likelihood, maps=likelihood.maps[:, :, kept])
    point, row, weight = solution.coefficients[kept], likelihood.cells.row, answers.weight

    def informations(cluster: IntArray, clusters: int) -> FloatArray:
        each, found = small.informations(point), np.zeros((clusters, len(kept), len(kept)))
        mine = np.flatnonzero(cluster >= 0)
        np.add.at(found, cluster[mine], weight[mine, None, None] * each[row[mine]])
        return found

    return dependent(
        Dependence(units, dependence.asked),
        about=answers.about,
        weight=weight,
        solution=solution,
        scores=lambda: weight[:, None] * small.scores(point)[row],
        informations=informations,
    )
