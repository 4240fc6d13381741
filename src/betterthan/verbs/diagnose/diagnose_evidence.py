"""Diagnose evidence: run all checks, and advise on a model."""

import pkgutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from betterthan.base import PlanError, Progress, load_plugins, parallel, part_of, silent, spelling
from betterthan.datasets import DataSet, data_sets
from betterthan.findings import Finding
from betterthan.options import DiagnoseOptions, takes
from betterthan.verbs.diagnose import checks as own_checks
from betterthan.verbs.diagnose.audit.audit_judge import audit, findings_of
from betterthan.verbs.diagnose.diagnosis_result import Diagnosis, Section
from betterthan.verbs.diagnose.examined_data import ExaminedData
from betterthan.verbs.diagnose.judges.examine_judges import judges
from betterthan.verbs.diagnose.model_advice import Advice, advise_from
from betterthan.verbs.rank import board_findings
from betterthan.verbs.rank import board_findings as support

Check = Callable[[ExaminedData], list[Finding]]


@cache
def checks() -> tuple[Check, ...]:
    """Return every check, those of other packages (entry points `betterthan.checks`) last."""
    names = [each.name for each in pkgutil.iter_modules(own_checks.__path__)]
    files = sorted((import_module(f"{own_checks.__name__}.{name}") for name in names), key=lambda file: file.PLACE)
    return (*(file.check for file in files), *load_plugins("betterthan.checks"))


@takes(DiagnoseOptions)
def diagnose(evidence: Any, options: DiagnoseOptions) -> Diagnosis:
    """Check evidence for problems, measure how far judges agree, and say which model to report.

    `measure` says whether quality is `clear` or `hard` to define, which only people know. `unit` is the unit of
    dependence (item, judge …), `tolerance` the difference of scores up to which systems tie. `chance="symmetric"` makes
    alpha and kappas take both sides of a comparison for equally likely. `judge_kinds` are patterns of judges' names:
    agreement is then also measured within and between these kinds.

    >>> diagnose({"owl": [3, 5, 4, 6, 7], "yak": [2, 1, 4, 3, 2], "elk": [1, 2, 2, 9, 1]}).advice.mechanism
    'mean'
    """
    sets = data_sets(evidence, unit=options.unit, tolerance=options.tolerance, takes_labels=True)
    _refuse_without_effect(options, sets.kind)
    left_out = support.left_out(sets)
    sections = [
        _section(data, left_out, options, part_of(options.progress, place, len(sets)))
        for place, data in enumerate(sets)
    ]
    findings = tuple(dict.fromkeys(finding for section in sections for finding in section.findings))
    data = "+".join(section.evidence.digest for section in sections)
    settled = options.changed(unit=sets.sets[0].unit, tolerance=sets.sets[0].tolerance, progress=silent)
    return Diagnosis(settings=settled, data=data, findings=findings, sections=tuple(sections), reading=sets.reading)


def _refuse_without_effect(options: DiagnoseOptions, kind: str) -> None:
    """Refuse what cannot change a diagnosis of such evidence."""
    scores = kind == "scores"
    if options.measure is not None and not scores:
        raise PlanError(
            f"{spelling.option('measure', options.measure)} is for scores: {kind} need no measure of quality",
            remedy="Leave it out.",
        )
    if options.chance != "observed" and scores:
        raise PlanError(
            f"{spelling.option('chance', options.chance)} is for judgments: scores have no sides",
            remedy="Leave it out.",
        )


@takes(DiagnoseOptions)
def advise(evidence: Any, options: DiagnoseOptions) -> Advice:
    """Return which model to report for this evidence, why, and what would change the advice.

    >>> print(advise({"owl": [3, 5, 4, 6, 7], "yak": [2, 1, 4, 3, 2], "elk": [1, 2, 2, 9, 1]}).mechanism)
    mean
    """
    return diagnose(evidence, **vars(options)).advice


def _section(given: DataSet, left_out: list[Finding], options: DiagnoseOptions, progress: Progress) -> Section:
    data = given.by_items_alone(options.unit, "a diagnosis of scores")
    case = ExaminedData(data, options.seed)
    findings = [*left_out, *support.refused(data.account()), *board_findings.similar_names(case.counts.systems)]
    if data is not given:
        findings += support.not_resampled(data.unit, data.other_units, hint=support.BY_MEAN)
    every = checks()
    with parallel.one_blas_thread():
        for number, check in enumerate(every):
            findings += check(case)
            progress(number + 1, len(every) + 1)
        report = (
            judges(case.judgments, chance=options.chance, seed=options.seed, kinds_of_judges=options.judge_kinds or ())
            if case.judgments is not None
            else None
        )
    if report is None and options.judge_kinds:
        raise PlanError(
            f"{spelling.option('judge_kinds')} is for judgments that name their judges",
            remedy=f"Name their column with {spelling.option('judge')}, or leave it out.",
        )
    findings += report.findings if report is not None else ()
    audited = audit(data)
    findings += findings_of(audited) if audited is not None else ()
    findings.sort(key=lambda finding: finding.level != "warning")
    summary = replace(data.summary(), conversion=data.conversion(case.counts))
    advice = (
        advise_from(findings, data.kind, options.measure, case.equal_best)
        if audited is None
        else Advice(data.main_model, (f"{audited.sentence}",), (), ("with more labels",))
    )
    return Section(data.title, summary, tuple(findings), report, advice, audited)
