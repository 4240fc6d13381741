"""From evidence to what is doubtful about it, and to advice."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import data_sets
from betterthan.diagnosis import (
    duplicates,
    extremes,
    few_units,
    graph,
    identical,
    influence,
    instance_types,
    lack_of_fit,
    mechanisms,
    missing,
    order,
    outliers,
    pairing,
    position,
    ratings,
    ties,
    triples,
)
from betterthan.diagnosis.advice import Advice, advise_from
from betterthan.diagnosis.case import Case
from betterthan.diagnosis.diagnosis import Diagnosis, Section
from betterthan.diagnosis.judges.judges import judges
from betterthan.errors import PlanError
from betterthan.findings import Finding
from betterthan.leaderboard import names, support
from betterthan.options.diagnose import DiagnoseOptions
from betterthan.options.verb import takes
from betterthan.parallel import one_blas_thread
from betterthan.plugins import loaded
from betterthan.progress import Progress, part_of, silent
from betterthan.spelling import option

Check = Callable[[Case], list[Finding]]
#: Every check of ours, in the order in which a reader wants to know.
_OWN: tuple[Check, ...] = (
    few_units.check, missing.check, graph.check, identical.check, duplicates.check, mechanisms.check, outliers.check,
    extremes.check, instance_types.check, pairing.check, ties.check, lack_of_fit.check, triples.check, position.check,
    order.check, influence.check, ratings.check,
)  # fmt: skip


@cache
def checks() -> tuple[Check, ...]:
    """Return every check, those of other packages (entry points `betterthan.checks`) last."""
    return (*_OWN, *loaded("betterthan.checks"))


@takes(DiagnoseOptions)
def diagnose(evidence: Any, options: DiagnoseOptions) -> Diagnosis:
    """Check evidence for problems, measure how far judges agree, and say which model to report.

    `measure` says whether quality is `clear` or `hard` to define, which only people know. `unit` is the unit of
    dependence (item, judge …), `tolerance` the difference of scores up to which systems tie. `chance="symmetric"` makes
    alpha and kappas take both sides of a comparison for equally likely.

    >>> diagnose({"owl": [3, 5, 4, 6, 7], "yak": [2, 1, 4, 3, 2], "elk": [1, 2, 2, 9, 1]}).advice.mechanism
    'mean'
    """
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance)
    _refuse_without_effect(options, sets.kind)
    left_out = support.left_out(sets)
    sections = [
        _section(data, left_out, options, part_of(options.progress, place, len(sets)))
        for place, data in enumerate(sets)
    ]
    findings = tuple(dict.fromkeys(finding for section in sections for finding in section.findings))
    data = "+".join(section.evidence.digest for section in sections)
    settled = options.changed(unit=sets.sets[0].unit, tolerance=sets.sets[0].tolerance, progress=silent)
    return Diagnosis(settings=settled, data=data, findings=findings, sections=tuple(sections),
                     reading=sets.reading)  # fmt: skip


def _refuse_without_effect(options: DiagnoseOptions, kind: str) -> None:
    """Refuse what cannot change a diagnosis of such evidence."""
    if options.measure is not None and kind != "scores":
        raise PlanError(
            f"{option('measure', options.measure)} is for scores: {kind} need no measure of quality",
            remedy="Leave it out.",
        )
    if options.chance != "observed" and kind == "scores":
        raise PlanError(
            f"{option('chance', options.chance)} is for judgments: scores have no sides", remedy="Leave it out."
        )


@takes(DiagnoseOptions)
def advise(evidence: Any, options: DiagnoseOptions) -> Advice:
    """Say which model to report for this evidence, why, and what would change the advice.

    >>> print(advise({"owl": [3, 5, 4, 6, 7], "yak": [2, 1, 4, 3, 2], "elk": [1, 2, 2, 9, 1]}).mechanism)
    mean
    """
    return diagnose(evidence, **vars(options)).advice


def _section(given: DataSet, left_out: list[Finding], options: DiagnoseOptions, progress: Progress) -> Section:
    data = given if given.scores is None else given.by_one_unit(options.unit, "a diagnosis of scores")
    case = Case(data, options.seed)
    findings = [*left_out, *support.refused(data.account()), *names.alike(case.counts.systems)]
    if data is not given:
        findings += support.not_resampled(data.unit, data.other_units, hint=support.BY_MEAN)
    every = checks()
    with one_blas_thread():
        for number, check in enumerate(every):
            findings += check(case)
            progress(number + 1, len(every) + 1)
        report = (
            judges(case.judgments, chance=options.chance, seed=options.seed) if case.judgments is not None else None
        )
    findings += report.findings if report is not None else ()
    findings.sort(key=lambda finding: finding.level != "warning")
    summary = replace(data.summary(), conversion=data.conversion(case.counts))
    advice = advise_from(findings, data.kind, options.measure)
    return Section(data.title, summary, tuple(findings), report, advice)
