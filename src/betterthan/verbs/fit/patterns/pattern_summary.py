"""Summary of a fitted pattern model: coefficients, worths, deviance and the table of patterns."""

import numpy as np

from betterthan.base import scipy
from betterthan.models import solver, standard_errors
from betterthan.options import FitOptions
from betterthan.verbs.fit.design.likelihood_assembly import coefficients_of
from betterthan.verbs.fit.fit_findings import few_clusters, findings_of
from betterthan.verbs.fit.fitted_model import LogLinear
from betterthan.verbs.fit.patterns.pattern_model import PatternModel, blocks, possible
from betterthan.verbs.fit.patterns.pattern_predictor import predictor_of
from betterthan.verbs.fit.patterns.pattern_table import PatternTable
from betterthan.verbs.fit.worth_table import worths


def described(
    model: PatternModel, solution: solver.FitSolution, errors: standard_errors.Errors, options: FitOptions
) -> LogLinear:
    """Return the result."""
    answers, likelihood, weight = model.answers, model.likelihood, model.weight
    space, cells, strengths = likelihood.space, likelihood.cells, model.strengths
    patterns = PatternTable.of(model)
    masks, block = blocks(model)
    # Where missing answers are part of the model, what is missing is part of the table too.
    apart = cells.kind if likelihood.questions is not None else cells.kind * len(masks) + block
    present, group = np.unique(apart, return_inverse=True)
    totals = np.bincount(group.ravel(), weight)
    saturated = float(np.sum(scipy.special.rel_entr(weight, totals[group.ravel()])))
    sizes = [possible(answers, mask) for mask in masks]
    cells_of = (
        [sum(sizes)] * len(present)
        if likelihood.questions is not None
        else [sizes[int(place) % len(masks)] for place in present]
    )
    freedom = sum(cells_of) - len(present)
    null = float(weight @ likelihood.log_chances(np.zeros(likelihood.size)))
    deviance = 2 * (saturated - solution.log_likelihood)
    alike = bool(np.all(answers.weight == answers.weight[0]))
    names = model.names
    observed, fitted = patterns.counts(model, np.nan_to_num(solution.coefficients))
    none = np.empty(0, dtype=np.int64)
    untied = answers.shown is None and not space.kind.endswith("ties")
    return LogLinear(
        coefficients=strengths.with_reference(coefficients_of(names, model.kinds, solution, errors, options.level)),
        errors=errors,
        names=names,
        kinds=model.kinds,
        null=solution.null,
        worths=worths(answers.systems, model.columns, strengths.onto(), solution, errors.covariance),
        systems=answers.systems,
        reference=answers.systems[strengths.reference] if strengths.reference is not None else None,
        left=none,
        right=none,
        observed=observed,
        fitted=fitted,
        log_likelihood=solution.log_likelihood,
        deviance=max(deviance, 0.0),
        null_deviance=2 * (saturated - null),
        df=freedom - int(np.sum(~solution.aliased)),
        null_df=freedom,
        judgments=float(len(answers.weight)),
        weight=float(answers.weight[0]) if alike else None,
        converged=solution.converged,
        iterations=solution.iterations,
        settings=options.changed(scale="log"),
        account=answers.account,
        findings=(
            *findings_of(answers.account, names, solution, "none" if untied and options.ties == "davidson" else None),
            *few_clusters(errors.sizes, len(names)),
        ),
        data=answers.data,
        predictor=predictor_of(model, solution.coefficients, None),
        patterns=patterns,
    )
