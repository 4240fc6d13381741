"""From evidence and formulas to a fitted log-linear Bradley–Terry model."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import special, stats

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import data_sets
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.outcomes import TIE
from betterthan.leaderboard import support
from betterthan.loglinear.assemble import Assembled, assemble, coefficients_of
from betterthan.loglinear.comparisons import Comparisons, collect
from betterthan.loglinear.doubts import few_clusters, findings_of
from betterthan.loglinear.formulas import INTERCEPT, variables
from betterthan.loglinear.objects import Objects, read_objects
from betterthan.loglinear.plackett_luce import fit_rankings
from betterthan.loglinear.random_judges import RandomJudges, fit_random
from betterthan.loglinear.ratio import LikelihoodRatio, lr_test
from betterthan.loglinear.result import LogLinear
from betterthan.loglinear.solve import Solution, clustered, maximise
from betterthan.loglinear.terms import POSITION
from betterthan.loglinear.worths import worths
from betterthan.options.fit import ESTIMATED, FitOptions
from betterthan.options.verb import takes
from betterthan.parallel import one_blas_thread
from betterthan.spelling import conversion, option

#: Larger tables stay in the order in which equal comparisons were put together.
_SORTED = 100_000


@takes(FitOptions)
def fit(evidence: Any, options: FitOptions) -> LogLinear:
    """Fit a log-linear Bradley–Terry model with ties, judges and covariates.

    `ties`: `davidson` estimates how often judges are undecided, `fixed` keeps ties with that effect at 0, `drop` leaves
    them out, `half` splits them, `rao-kupper` is a threshold. `subject` is a formula of what is known about who judged
    (`~ judge`, `~ C(age) * sex`): every system has effects of it. `object` is a table of what is known about systems
    (first column their names), which then replaces their own effects (unless `residual`); `terms` is a formula of its
    columns and subjects' (`~ size + size:judge`). `contrast` is a formula of what differs between the two sides
    (`~ length_diff`), `position` the left side's advantage (or a formula for it), `undecided` a formula for the tie
    effect, or `object` for one per system. `by` crosses the table further for the deviance, `cluster` allows for
    dependence (a column, or item, judge, ranking), `random` lets strengths vary between judges (or another column).
    Rankings are taken as pairs, with the ranking as the cluster, or whole with `model="plackett-luce"`. `anova` tests
    every part of the model by leaving it out.

    >>> model = fit([("owl", "yak", "a")] * 6 + [("owl", "yak", "tie")] * 2 + [("owl", "yak", "b")] * 3)
    >>> round(model["owl"].estimate, 4), round(model["undecided"].estimate, 4)
    (0.6931, -0.752)
    """
    sets = data_sets(evidence)
    data = sets.only("a log-linear model")
    if data.kind == "scores":
        raise EvidenceError(
            "a log-linear model is fitted to judgments or rankings, but these are scores",
            remedy=f"Convert them first: {conversion('judgments')}.",
        )
    pairs = options.model == "bradley-terry"
    if options.unit is None and options.random is None and data.rankings is not None and pairs:
        options = options.changed(unit="ranking")  # pairs of one ranking are not independent
    if data.rankings is not None and options.position is not False and pairs:
        raise PlanError("rankings have no sides, so there is no effect of position", remedy="Leave it out.")
    table = read_objects(options.object) if options.object is not None else None
    options = options.changed(object=f"{' + '.join(table.names)} ({table.digest})" if table else None)
    with one_blas_thread():
        found = _from_pairs(data, options, table) if pairs else _from_rankings(data, options, table)
    findings = (*support.left_out(sets), *found.findings)
    return replace(found, findings=findings).scaled(options.scale)


def _from_pairs(data: DataSet, options: FitOptions, table: Objects | None) -> LogLinear:
    fitted = _fitted(_collected(data, options, table), options, table)
    return replace(fitted, tests=_without_each(data, table, options, fitted)) if options.anova else fitted


def _from_rankings(data: DataSet, options: FitOptions, table: Objects | None) -> LogLinear:
    whole = fit_rankings(data, table, options)
    if not options.anova or options.subject is None:
        return whole
    ratio = lr_test(fit_rankings(data, table, options.changed(subject=None)), whole)
    return replace(whole, tests=(replace(ratio, name="Without subject: likelihood ratio"),))


def _without_each(
    data: DataSet, table: Objects | None, options: FitOptions, full: LogLinear
) -> tuple[LikelihoodRatio, ...]:
    """Test every part of the model by leaving it out."""
    tests = []
    for part, without in (("subject", None), ("contrast", None), ("position", False), ("undecided", None)):
        if getattr(options, part) != without:
            fewer = options.changed(**{part: without})
            small = _fitted(_collected(data, fewer, table), fewer, table)
            if small.parameters < full.parameters:  # what adds nothing has nothing to be tested
                ratio = _wald(full, small) if options.unit else lr_test(small, full)
                tests.append(replace(ratio, name=f"Without {part}: {'Wald' if options.unit else 'likelihood ratio'}"))
    return tuple(tests)


def _wald(full: LogLinear, small: LogLinear) -> LikelihoodRatio:
    """Test the terms that a smaller model lacks by their covariance, which knows what hangs together."""
    more = np.array([
        name not in small.names and full.covariance[place, place] > 0 for place, name in enumerate(full.names)
    ])  # fmt: skip
    values = np.array([full[name].estimate or 0.0 for name in full.names])[more]
    statistic = float(values @ np.linalg.solve(full.covariance[np.ix_(more, more)], values))
    return LikelihoodRatio(statistic, len(values), float(stats.chi2.sf(statistic, len(values))))


def _collected(data: DataSet, options: FitOptions, table: Objects | None) -> Comparisons:
    """Read the columns that formulas speak of."""
    of_subjects = [
        *variables(options.subject),
        *(name for name in variables(options.terms) if table is None or name not in table.columns),
        *variables(options.position if isinstance(options.position, str) else None),
        *variables(options.undecided if options.undecided != "object" else None),
    ]
    crossed = [name for name in options.by if name != POSITION]
    sided = options.position is not False or POSITION in options.by
    assert data.judgments is not None  # rankings have theirs too
    return collect(
        data.judgments, list(dict.fromkeys(of_subjects)), options.contrast, crossed,
        options.unit or options.random, sided=sided,
    )  # fmt: skip


def _fitted(comparisons: Comparisons, options: FitOptions, table: Objects | None) -> LogLinear:
    untied = options.ties in ESTIMATED and not np.any(comparisons.outcomes[TIE])
    if untied:  # nobody was ever undecided: there is no effect to estimate
        options = options.changed(ties="drop", undecided=None)
    outcomes = _treated(comparisons.outcomes, options.ties)
    used = np.flatnonzero(outcomes.sum(axis=0) > 0)
    if not len(used):
        raise EvidenceError(
            "nothing is left when ties are dropped",
            where=comparisons.name,
            remedy=f"Use {option('ties', 'davidson')} or {option('ties', 'half')}.",
        )
    comparisons = comparisons.take(used)
    outcomes = outcomes if len(used) == outcomes.shape[1] else outcomes[:, used]
    assembled = assemble(comparisons, outcomes, table, options)
    problem, names = assembled.problem, assembled.names
    solution = maximise(problem, intercept=assembled.strengths.subject.names[:1] == (INTERCEPT,))
    fixed = solution.log_likelihood
    solution, random = _dependent(assembled, solution, comparisons, options)
    coefficients = coefficients_of(names, assembled.kinds, solution, options.level)
    fitted = problem.at(np.nan_to_num(solution.coefficients)).chances() * outcomes.sum(axis=0)
    observed, first = outcomes, np.arange(len(used))
    if comparisons.cluster is not None:  # clusters are told apart for errors, not for the deviance
        observed, fitted = _by_cell(outcomes, comparisons.cell), _by_cell(fitted, comparisons.cell)
        first = np.unique(comparisons.cell, return_index=True)[1]
    if len(first) < _SORTED:  # a table that is looked at
        order = np.lexsort((comparisons.right[first], comparisons.left[first]))
        first, observed, fitted = first[order], observed[:, order], fitted[:, order]
    total = observed.sum(axis=0)
    cells = 3 if problem.link.width is not None else 2
    saturated = float(np.sum(special.rel_entr(observed, total)))
    known = [name for name in comparisons.columns if name in {*variables(options.subject), *variables(options.terms)}]
    reference = assembled.strengths.reference
    return LogLinear(
        coefficients=assembled.strengths.with_reference(coefficients),
        covariance=solution.covariance,
        names=names,
        kinds=assembled.kinds,
        null=solution.null,
        worths=worths(
            comparisons.systems, {name: comparisons.columns[name] for name in known}, assembled.onto, solution
        ),
        systems=comparisons.systems,
        reference=comparisons.systems[reference] if reference is not None else None,
        left=comparisons.left[first],
        right=comparisons.right[first],
        observed=observed,
        fitted=fitted,
        log_likelihood=solution.log_likelihood,
        deviance=max(2 * (saturated - fixed), 0.0),
        null_deviance=2 * (saturated + float(total.sum() * np.log(cells))),
        df=len(total) * (cells - 1) - int(np.sum(~solution.aliased)),
        null_df=len(total) * (cells - 1),
        judgments=float(outcomes.sum()),
        converged=solution.converged,
        iterations=solution.iterations,
        settings=options.changed(scale="log"),
        account=comparisons.account,
        findings=(
            *findings_of(comparisons.account, names, solution, "none" if untied else options.ties),
            *few_clusters(options.unit, comparisons.clusters, len(names)),
        ),
        random=random,
        data=comparisons.data,
    )


def _dependent(
    assembled: Assembled, solution: Solution, comparisons: Comparisons, options: FitOptions
) -> tuple[Solution, RandomJudges | None]:
    """Allow for what hangs together: by the covariance, or by effects of its own."""
    if comparisons.cluster is None:
        return solution, None
    if len(np.unique(comparisons.cluster)) < 2:
        what = options.unit or options.random
        raise PlanError(
            f"there is only one {what}, and clustered errors need at least two", remedy="Choose another column."
        )
    if options.random:
        return _with_random(assembled, solution, comparisons, options)
    covariance = clustered(assembled.problem, solution, comparisons.cluster)
    return replace(solution, covariance=covariance), None


def _with_random(
    assembled: Assembled, solution: Solution, comparisons: Comparisons, options: FitOptions
) -> tuple[Solution, RandomJudges]:
    """Let strengths vary between judges; coefficients and their covariance then allow for it."""
    kept = np.flatnonzero(~solution.aliased)
    if not len(kept) or np.any(solution.infinite):
        raise PlanError(
            "random effects need at least one coefficient, and finite estimates of all",
            remedy=f"Fit without {option('random')} to see which have none, and leave those out.",
        )
    cluster = comparisons.cluster if comparisons.cluster is not None else np.empty(0, dtype=np.int64)
    sd, interval, mode, statistic = fit_random(
        assembled.problem.take(kept), cluster, solution.coefficients[kept], solution.log_likelihood, options.level
    )
    coefficients, covariance = solution.coefficients.copy(), solution.covariance.copy()
    coefficients[kept] = mode.point
    covariance[np.ix_(kept, kept)] = mode.covariance
    names = comparisons.clusters
    deviations, errors = (
        {name: dict(zip(comparisons.systems, row.tolist(), strict=True)) for name, row in zip(names, rows, strict=True)}
        for rows in (mode.deviation - mode.deviation.mean(axis=1, keepdims=True), np.sqrt(mode.spread))
    )
    p = float(stats.chi2.sf(statistic, 1)) / 2 if statistic > 0 else 1.0
    random = RandomJudges(str(options.random), sd, *interval, mode.marginal, statistic, p, deviations, errors)
    return replace(solution, coefficients=coefficients, covariance=covariance, log_likelihood=mode.marginal), random


def _treated(outcomes: FloatArray, ties: str) -> FloatArray:
    won, tied, lost = outcomes
    if ties == "drop":
        return np.stack([won, 0 * tied, lost])
    if ties == "half":
        return np.stack([won + tied / 2, 0 * tied, lost + tied / 2])
    return outcomes


def _by_cell(values: FloatArray, cell: IntArray) -> FloatArray:
    return np.stack([np.bincount(cell, row).astype(np.float64) for row in values])
