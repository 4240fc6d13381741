"""Fit a log-linear model to judgments, or to rankings taken as pairs."""

from dataclasses import replace

import numpy as np

from betterthan.base import EvidenceError, FloatArray, PlanError, scipy, spelling
from betterthan.datasets import JudgedSet
from betterthan.evidence import TIE
from betterthan.models import formulas, solver, standard_errors
from betterthan.options import FitOptions
from betterthan.verbs.fit.design.comparisons import Comparisons, collect
from betterthan.verbs.fit.design.likelihood_assembly import Assembled, assemble, coefficients_of
from betterthan.verbs.fit.design.system_covariates import Objects
from betterthan.verbs.fit.design.term_names import POSITION
from betterthan.verbs.fit.estimation.dependence import Dependence
from betterthan.verbs.fit.estimation.random_judges import RandomJudges, fit_random
from betterthan.verbs.fit.fit_findings import few_clusters, findings_of
from betterthan.verbs.fit.fitted_model import LogLinear
from betterthan.verbs.fit.worth_table import worths

#: Larger tables stay in the order in which equal comparisons were put together.
_SORTED = 100_000


def fit_pairs(data: JudgedSet, table: Objects | None, options: FitOptions) -> LogLinear:
    """Fit strengths and whatever else the formulas have to judgments of pairs."""
    dependence = Dependence.of(data, options, data.judgments.table.columns)
    comparisons = _collected(data, options, table, dependence)
    untied = options.estimates_ties and not np.any(comparisons.outcomes[TIE])
    if untied:  # nobody was ever undecided: there is no effect to estimate
        options = options.changed(ties="drop", undecided=None)
    comparisons = comparisons.treated(options.ties)
    if not len(comparisons.left):
        raise EvidenceError(
            "nothing is left when ties are dropped",
            where=comparisons.name,
            remedy=f"Use {spelling.option('ties', 'davidson')} or {spelling.option('ties', 'half')}.",
        )
    rows = comparisons.rows
    levels = {unit: rows.units[unit].compact[1] for unit in dependence.units} if rows else {}
    dependence = dependence.with_levels(levels)
    assembled = assemble(comparisons, comparisons.outcomes, table, options)
    solution = solver.maximise(
        assembled.problem, intercept=assembled.strengths.subject.names[:1] == (formulas.INTERCEPT,)
    )
    random, chances = None, assembled.problem.at(np.nan_to_num(solution.coefficients)).chances()
    fitted = chances * comparisons.outcomes.sum(axis=0)
    if options.random and rows is not None:
        solution, random, fitted = _with_random(assembled, solution, rows, options)
        # Only strengths vary between judges: other terms are estimated within judges.
        varying = np.array(assembled.kinds) == "strength"
        errors = standard_errors.Errors(
            solution.covariance, freedom=np.where(varying, len(random.deviations) - 1.0, np.inf)
        )
    else:
        errors = _errors(assembled.problem, solution, comparisons, options.ties, dependence)
        options = options.changed(unit=dependence.name)
    names = assembled.names
    coefficients = coefficients_of(names, assembled.kinds, solution, errors, options.level)
    order = np.arange(len(comparisons.left))
    if len(order) < _SORTED:  # a table that is examined
        order = np.lexsort((comparisons.right, comparisons.left))
    observed, fitted = comparisons.outcomes[:, order], fitted[:, order]
    total = observed.sum(axis=0)
    cells = 3 if assembled.problem.link.width is not None else 2
    saturated = float(np.sum(scipy.special.rel_entr(observed, total)))
    known = [
        name
        for name in comparisons.columns
        if name in {*formulas.variables(options.subject), *formulas.variables(options.terms)}
    ]
    reference = assembled.strengths.reference
    return LogLinear(
        coefficients=assembled.strengths.with_reference(coefficients),
        errors=errors,
        names=names,
        kinds=assembled.kinds,
        null=solution.null,
        worths=worths(
            comparisons.systems,
            {name: comparisons.columns[name] for name in known},
            assembled.onto,
            solution,
            errors.covariance,
        ),
        systems=comparisons.systems,
        reference=comparisons.systems[reference] if reference is not None else None,
        left=comparisons.left[order],
        right=comparisons.right[order],
        observed=observed,
        fitted=fitted,
        log_likelihood=solution.log_likelihood,
        deviance=max(2 * float(np.sum(scipy.special.rel_entr(observed, fitted))), 0.0),
        null_deviance=2 * (saturated + float(total.sum() * np.log(cells))),
        df=len(total) * (cells - 1) - int(np.sum(~solution.aliased)),
        null_df=len(total) * (cells - 1),
        judgments=float(comparisons.number.sum()),
        weight=comparisons.weight,
        converged=solution.converged,
        iterations=solution.iterations,
        settings=options.changed(scale="log"),
        account=comparisons.account,
        findings=(
            *findings_of(comparisons.account, names, solution, "none" if untied else options.ties),
            *few_clusters({random.column: len(random.deviations)} if random else errors.sizes, len(names)),
        ),
        random=random,
        data=comparisons.data,
        predictor=assembled.predictor(_named(options, table), solution.coefficients),
    )


def _named(options: FitOptions, table: Objects | None) -> tuple[str, ...]:
    """Return the columns that formulas use, except those of systems."""
    undecided = options.undecided if options.undecided != "object" else None
    position = options.position if isinstance(options.position, str) else None
    every = [
        name
        for formula in (options.subject, options.terms, options.contrast, position, undecided)
        for name in formulas.variables(formula)
    ]
    return tuple(dict.fromkeys(name for name in every if table is None or name not in table.columns))


def _collected(data: JudgedSet, options: FitOptions, table: Objects | None, dependence: Dependence) -> Comparisons:
    """Read the columns that formulas use."""
    of_subjects = [
        *formulas.variables(options.subject),
        *(name for name in formulas.variables(options.terms) if table is None or name not in table.columns),
        *formulas.variables(options.position if isinstance(options.position, str) else None),
        *formulas.variables(options.undecided if options.undecided != "object" else None),
    ]
    crossed = [name for name in options.by if name != POSITION]
    sided = options.position is not False or POSITION in options.by
    return collect(
        data.judgments, list(dict.fromkeys(of_subjects)), options.contrast, crossed, dependence.units, sided=sided
    )


def _errors(
    problem: solver.FitProblem,
    solution: solver.FitSolution,
    comparisons: Comparisons,
    ties: str,
    dependence: Dependence,
) -> standard_errors.Errors:
    """Take errors from the model where judgments are independent and of one weight, else from the sandwich.

    A weight that all judgments share changes nothing: it is no more judgments.
    """
    if not dependence.units and comparisons.weight is not None:
        return standard_errors.Errors(solution.covariance * comparisons.weight)
    assert comparisons.rows is not None
    robust = standard_errors.clustered(problem, solution, comparisons.rows, ties, dependence.units)
    sizes = {unit: comparisons.rows.units[unit].compact[1] for unit in dependence.units}
    return standard_errors.Errors.of(solution, robust, sizes)


def _with_random(
    assembled: Assembled, solution: solver.FitSolution, rows: standard_errors.JudgedRows, options: FitOptions
) -> tuple[solver.FitSolution, RandomJudges, FloatArray]:
    """Let strengths vary between judges: coefficients with a covariance that allows for it, and fitted counts.

    Weights are divided by their mean: as many judgments as there are, however much each of them counts.
    """
    kept = np.flatnonzero(~solution.aliased)
    if not len(kept) or np.any(solution.infinite):
        raise PlanError(
            "random effects need at least one coefficient, and finite estimates of all",
            remedy=f"Fit without {spelling.option('random')} to see which have none, and leave those out.",
        )
    column = rows.units[str(options.random)]
    judges, _ = column.compact
    # One row for all judgments of a judge in a cell.
    pairs, place = np.unique(judges * assembled.problem.outcomes.shape[1] + rows.cell, return_inverse=True)
    judge, cell = np.divmod(pairs, assembled.problem.outcomes.shape[1])
    mean = float(np.average(rows.weight, weights=rows.times))
    counted = np.bincount(rows.outcome * len(pairs) + place.ravel(), rows.times * rows.weight / mean, 3 * len(pairs))
    outcomes = standard_errors.split_ties(counted.astype(np.float64).reshape(3, -1), options.ties)
    whole = assembled.problem
    problem = replace(whole, outcomes=outcomes, design=whole.design.rows(cell)).take(kept)
    sd, interval, mode, statistic = fit_random(
        problem, judge, solution.coefficients[kept], solution.log_likelihood / mean, options.level
    )
    coefficients, covariance = solution.coefficients.copy(), solution.covariance.copy()
    coefficients[kept] = mode.point
    covariance[np.ix_(kept, kept)] = mode.covariance
    names = [column.labels[code] for code in np.unique(column.codes)]
    systems = assembled.strengths.systems
    deviations, errors = (
        {name: dict(zip(systems, row.tolist(), strict=True)) for name, row in zip(names, rows, strict=True)}
        for rows in (mode.deviation, np.sqrt(mode.spread))
    )
    p = float(scipy.special.chdtrc(1, statistic)) / 2 if statistic > 0 else 1.0
    random = RandomJudges(str(options.random), sd, *interval, mode.marginal, statistic, p, deviations, errors)
    more = mode.deviation[judge, problem.design.left] - mode.deviation[judge, problem.design.right]
    expected = problem.at(mode.point, more).chances() * outcomes.sum(axis=0) * mean
    fitted = np.stack([np.bincount(cell, row, whole.outcomes.shape[1]).astype(np.float64) for row in expected])
    return (
        replace(solution, coefficients=coefficients, covariance=covariance, log_likelihood=mode.marginal),
        random,
        fitted,
    )
