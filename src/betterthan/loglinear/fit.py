"""From evidence and formulas to a fitted log-linear Bradley–Terry model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy import special, stats
from threadpoolctl import threadpool_limits

from betterthan.arrays import FloatArray, IntArray
from betterthan.errors import EvidenceError, PlanError
from betterthan.evidence.outcomes import TIE
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.read import as_evidence
from betterthan.loglinear.assemble import Assembled, assemble, coefficients_of
from betterthan.loglinear.choices import ESTIMATED, POSITION, Choices, Ties
from betterthan.loglinear.comparisons import Comparisons, collect
from betterthan.loglinear.doubts import few_clusters, findings_of
from betterthan.loglinear.formulas import INTERCEPT, variables
from betterthan.loglinear.objects import Objects, read_objects
from betterthan.loglinear.plackett_luce import fit_rankings
from betterthan.loglinear.random_judges import RandomJudges, fit_random
from betterthan.loglinear.ratio import LikelihoodRatio, lr_test
from betterthan.loglinear.result import LogLinear
from betterthan.loglinear.solve import Solution, clustered, maximise
from betterthan.loglinear.worths import worths
from betterthan.spelling import option

#: Larger tables stay in the order in which equal comparisons were put together.
_SORTED = 100_000


def fit(
    evidence: Any,
    *,
    ties: Ties = "davidson",
    subject: str | None = None,
    object: Any = None,  # noqa: A002 (the literature's word)
    terms: str | None = None,
    residual: bool = False,
    contrast: str | None = None,
    position: bool | str = False,
    undecided: str | None = None,
    by: str | Sequence[str] = (),
    reference: str | None = None,
    cluster: str | None = None,
    random: str | None = None,
    model: Literal["bradley-terry", "plackett-luce"] = "bradley-terry",
    anova: bool = False,
    level: float = 0.95,
) -> LogLinear:
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
    evidence = as_evidence(evidence)
    if model not in {"bradley-terry", "plackett-luce"}:
        raise PlanError(f"model must be bradley-terry or plackett-luce, got {model!r}.")
    if cluster is None and random is None and isinstance(evidence, Rankings) and model == "bradley-terry":
        cluster = "ranking"  # pairs of one ranking are not independent
    if isinstance(evidence, Rankings) and position is not False and model == "bradley-terry":
        raise PlanError("rankings have no sides, so there is no effect of position", remedy="Leave it out.")
    table = read_objects(object) if object is not None else None
    choices = Choices(
        ties=ties, subject=subject, object=" + ".join(table.names) if table else None, terms=terms, residual=residual,
        contrast=contrast, position=position, undecided=undecided, by=(by,) if isinstance(by, str) else tuple(by),
        reference=reference, cluster=cluster, random=random, level=level,
    )  # fmt: skip
    # One BLAS thread: small solves gain nothing from more, and lose a lot on a busy machine.
    with threadpool_limits(1):
        if model == "plackett-luce":
            whole = fit_rankings(evidence, table, choices)
            if not anova or choices.subject is None:
                return whole
            ratio = lr_test(fit_rankings(evidence, table, replace(choices, subject=None)), whole)
            return replace(whole, tests=(replace(ratio, name="Without subject: likelihood ratio"),))
        fitted = _fitted(_collected(evidence, choices, table), choices, table)
        return replace(fitted, tests=_without_each(evidence, table, choices, fitted)) if anova else fitted


def _without_each(
    evidence: Any, table: Objects | None, choices: Choices, full: LogLinear
) -> tuple[LikelihoodRatio, ...]:
    """Test every part of the model by leaving it out."""
    tests = []
    for part, without in (("subject", None), ("contrast", None), ("position", False), ("undecided", None)):
        if getattr(choices, part) != without:
            left_out: Any = {part: without}
            small = _fitted(
                _collected(evidence, replace(choices, **left_out), table), replace(choices, **left_out), table
            )
            if small.parameters < full.parameters:  # what adds nothing has nothing to be tested
                ratio = _wald(full, small) if choices.cluster else lr_test(small, full)
                tests.append(
                    replace(ratio, name=f"Without {part}: {'Wald' if choices.cluster else 'likelihood ratio'}")
                )
    return tuple(tests)


def _wald(full: LogLinear, small: LogLinear) -> LikelihoodRatio:
    """Test the terms that a smaller model lacks by their covariance, which knows what hangs together."""
    more = np.array([
        name not in small.names and full.covariance[place, place] > 0 for place, name in enumerate(full.names)
    ])  # fmt: skip
    values = np.array([full[name].estimate or 0.0 for name in full.names])[more]
    statistic = float(values @ np.linalg.solve(full.covariance[np.ix_(more, more)], values))
    return LikelihoodRatio(statistic, len(values), float(stats.chi2.sf(statistic, len(values))))


def _collected(evidence: Any, choices: Choices, table: Objects | None) -> Comparisons:
    """Read the columns that formulas speak of."""
    of_subjects = [
        *variables(choices.subject),
        *(name for name in variables(choices.terms) if table is None or name not in table.columns),
        *variables(choices.position if isinstance(choices.position, str) else None),
        *variables(choices.undecided if choices.undecided != "object" else None),
    ]
    crossed = [name for name in choices.by if name != POSITION]
    sided = choices.position is not False or POSITION in choices.by
    return collect(
        evidence, list(dict.fromkeys(of_subjects)), choices.contrast, crossed,
        choices.cluster or choices.random, sided=sided,
    )  # fmt: skip


def _fitted(comparisons: Comparisons, choices: Choices, table: Objects | None) -> LogLinear:
    untied = choices.ties in ESTIMATED and not np.any(comparisons.outcomes[TIE])
    if untied:  # nobody was ever undecided: there is no effect to estimate
        choices = replace(choices, ties="drop", undecided=None)
    outcomes = _treated(comparisons.outcomes, choices.ties)
    used = np.flatnonzero(outcomes.sum(axis=0) > 0)
    if not len(used):
        raise EvidenceError(
            "nothing is left when ties are dropped",
            where=comparisons.name,
            remedy=f"Use {option('ties', 'davidson')} or {option('ties', 'half')}.",
        )
    comparisons = comparisons.take(used)
    outcomes = outcomes if len(used) == outcomes.shape[1] else outcomes[:, used]
    assembled = assemble(comparisons, outcomes, table, choices)
    problem, names = assembled.problem, assembled.names
    solution = maximise(problem, intercept=assembled.strengths.subject.names[:1] == (INTERCEPT,))
    fixed = solution.log_likelihood
    solution, random = _dependent(assembled, solution, comparisons, choices)
    coefficients = coefficients_of(names, assembled.kinds, solution, choices.level)
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
    known = [name for name in comparisons.columns if name in {*variables(choices.subject), *variables(choices.terms)}]
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
        level=choices.level,
        facts=choices.facts(),
        account=comparisons.account,
        findings=(
            *findings_of(comparisons.account, names, solution, "none" if untied else choices.ties),
            *few_clusters(choices.cluster, comparisons.clusters, len(names)),
        ),
        random=random,
        data=comparisons.data,
    )


def _dependent(
    assembled: Assembled, solution: Solution, comparisons: Comparisons, choices: Choices
) -> tuple[Solution, RandomJudges | None]:
    """Allow for what hangs together: by the covariance, or by effects of its own."""
    if comparisons.cluster is None:
        return solution, None
    if len(np.unique(comparisons.cluster)) < 2:
        what = choices.cluster or choices.random
        raise PlanError(
            f"there is only one {what}, and clustered errors need at least two", remedy="Choose another column."
        )
    if choices.random:
        return _with_random(assembled, solution, comparisons, choices)
    covariance = clustered(assembled.problem, solution, comparisons.cluster)
    return replace(solution, covariance=covariance), None


def _with_random(
    assembled: Assembled, solution: Solution, comparisons: Comparisons, choices: Choices
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
        assembled.problem.take(kept), cluster, solution.coefficients[kept], solution.log_likelihood, choices.level
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
    random = RandomJudges(str(choices.random), sd, *interval, mode.marginal, statistic, p, deviations, errors)
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
