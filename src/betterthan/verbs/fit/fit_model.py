"""Fit a log-linear Bradley–Terry model from evidence and formulas."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from betterthan.base import EvidenceError, PlanError, parallel, spelling
from betterthan.datasets import JudgedSet, data_sets
from betterthan.findings import kinds
from betterthan.models import formulas
from betterthan.options import FitOptions, takes
from betterthan.verbs.fit.design.system_covariates import Objects, read_objects
from betterthan.verbs.fit.estimation.pairwise_model import fit_pairs
from betterthan.verbs.fit.estimation.ranking_model import fit_rankings
from betterthan.verbs.fit.fitted_model import LogLinear
from betterthan.verbs.fit.likelihood_ratio import lr_test
from betterthan.verbs.fit.patterns.pattern_fit import fit_patterns
from betterthan.verbs.rank import board_findings as support

_OF_JUDGMENTS: Mapping[str, Callable[[JudgedSet, Objects | None, FitOptions], LogLinear]] = {
    "bradley-terry": fit_pairs,
    "plackett-luce": fit_rankings,
}


@takes(FitOptions)
def fit(evidence: Any, options: FitOptions) -> LogLinear:
    """Fit a log-linear Bradley–Terry model with ties, judges and covariates.

    `ties`: `davidson` estimates how often judges are undecided, `fixed` keeps ties with that effect at 0, `drop` leaves
    them out, `half` splits them, `rao-kupper` is a threshold. `subject` is a formula of what is known about who judged
    (`~ judge`, `~ C(age) * sex`): every system has effects of it. `object` is a table of what is known about systems,
    with their names in the first column. It replaces the systems' own effects, unless `residual` keeps them. `terms` is
    a formula of columns of `object` and `subject` (`~ size + size:judge`). `contrast` is a formula of what differs
    between the two sides (`~ length_diff`). `position` is the left side's advantage, or a formula for it. `undecided`
    is a formula for the tie effect, or `object` for one per system. `by` crosses the table further for the deviance.
    `unit` is the unit of dependence (item, judge, ranking, item+judge, a column, or row for none). By default it is
    that of the data, and standard errors allow for it. `random` lets strengths vary between judges (or another column).
    Rankings are taken as pairs, or whole with `model="plackett-luce"`. `anova` tests every term of the model by leaving
    it out.

    `model="patterns"` takes all answers of a judge at once, of rankings, judgments or ratings. `dependence` then lets
    answers about the same system depend on each other. Systems that a ranking lacks are missing, or below all that it
    has with `unranked="last"`. `missing` says how missing answers are treated. `ignorable` sums
    over them, and `separate` gives incomplete patterns strengths of their own. `systems` models how often systems are
    missing, and `outcome` lets that depend on what the answer would have been.

    >>> model = fit([("owl", "yak", "a")] * 6 + [("owl", "yak", "tie")] * 2 + [("owl", "yak", "b")] * 3)
    >>> round(model["owl"].estimate, 4), round(model["undecided"].estimate, 4)
    (0.6931, -0.752)
    """
    sets = data_sets(evidence)
    data = sets.only("a log-linear model")
    table = read_objects(options.object) if options.object is not None else None
    data = data.described(_named(options, table), unranked=options.unranked)
    if options.model == "patterns":
        work = partial(fit_patterns, data)
    elif isinstance(data, JudgedSet):
        least = kinds.resampling.FEW_CLUSTERS.thresholds["fixed"]
        clustered = data if options.unit is not None else data.without_few_units(least)
        work = partial(_OF_JUDGMENTS[options.model], clustered)
    else:
        raise EvidenceError(
            "a log-linear model is fitted to judgments or rankings, but these are scores",
            remedy=f"Convert them first: {spelling.conversion('judgments')}. Or use "
            f"{spelling.option('model', 'patterns')}.",
        )
    pairs = options.model == "bradley-terry"
    if not data.pairwise and options.position is not False and pairs:
        raise PlanError("rankings have no sides, so there is no effect of position", remedy="Leave it out.")
    options = options.changed(object=f"{' + '.join(table.names)} ({table.digest})" if table else None)
    with parallel.one_blas_thread():
        found = _tested(work, table, options)
    findings = (*support.left_out(sets), *found.findings)
    reading = sets.reading
    if reading is not None:
        named = [*_named(options, table), *formulas.variables(options.contrast)]
        unread = [name for name in dict.fromkeys(named) if name.split(".")[0] in reading.ignored]
        reading = reading.using("covariates", unread)
    return replace(found, findings=findings, reading=reading).scaled(options.scale)


def _named(options: FitOptions, table: Objects | None) -> list[str]:
    """Return the columns that formulas and units name, except those of systems."""
    undecided = options.undecided if options.undecided != "object" else None
    names = [*options.by, *(options.unit or "").split("+"), options.unit or "", options.random or ""]
    names += [name for formula in (options.subject, options.terms, undecided) for name in formulas.variables(formula)]
    of_systems = () if table is None else table.columns
    return [name for name in dict.fromkeys(names) if name and name not in of_systems]


def _tested(
    work: Callable[[Objects | None, FitOptions], LogLinear], table: Objects | None, options: FitOptions
) -> LogLinear:
    """Fit, and where asked test every term by leaving it out."""
    full = work(table, options)
    tests = []
    for term, smaller in _without(options) if options.anova else ():
        small = work(table, smaller)
        if small.parameters < full.parameters:  # what adds nothing has nothing to be tested
            tests.append(replace(lr_test(small, full), term=term))
    return replace(full, tests=tuple(tests))


def _without(options: FitOptions) -> Iterator[tuple[str, FitOptions]]:
    """Return each term that can be left out, and the options without it."""
    for part in ("subject", "terms", "contrast", "position", "undecided"):
        formula = getattr(options, part)
        if not isinstance(formula, str) or formula == "object":
            continue
        for term, rest in formulas.without_each(formula):
            # A formula's intercept stays: one effect of the side, or of ties. A table without terms would be whole.
            change: dict[str, Any] = {part: True if part == "position" and rest is None else rest}
            if part != "terms" or rest is not None:
                yield f"{part}: {term}", replace(options, **change)
    if options.position is True:
        yield "position", replace(options, position=False)
    if options.undecided == "object":
        yield "undecided: object", replace(options, undecided=None)
    if options.undecided is None and options.ties == "davidson" and options.model != "plackett-luce":
        yield "undecided", replace(options, ties="fixed")
    if options.dependence:
        yield "dependence", replace(options, dependence=False)
