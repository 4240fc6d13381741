"""From evidence to what is doubtful about it, and to advice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

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
    ties,
    triples,
)
from betterthan.diagnosis.advice import Advice, Measure, advise_from
from betterthan.diagnosis.case import Case
from betterthan.diagnosis.diagnosis import Diagnosis, Section
from betterthan.diagnosis.judges.judges import judges
from betterthan.errors import PlanError
from betterthan.evidence.read import as_evidence
from betterthan.findings import Finding
from betterthan.leaderboard import names, support
from betterthan.leaderboard.reduction import Reduction, reductions
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.parallel import one_blas_thread
from betterthan.plan import UNITS, Plan
from betterthan.progress import Progress, silent

#: Every check, in the order in which a reader wants to know.
CHECKS: tuple[Callable[[Case], list[Finding]], ...] = (
    few_units.check, missing.check, graph.check, identical.check, duplicates.check, mechanisms.check, outliers.check,
    extremes.check, instance_types.check, pairing.check, ties.check, lack_of_fit.check, triples.check, position.check,
    order.check, influence.check,
)  # fmt: skip


def diagnose(
    evidence: Any,
    *,
    measure: Measure | None = None,
    resample: str | None = None,
    tolerance: float = 0.0,
    seed: int = 0,
    progress: Progress = silent,
) -> Diagnosis:
    """Examine evidence: what is doubtful about it, how judges agree, and which mechanism to report.

    `measure` says whether quality is `clear` or `hard` to define, which only people know. `resample` is what hangs
    together (item, judge …), `tolerance` the difference of scores up to which systems tie.

    >>> diagnose({"owl": [3, 5, 4, 6, 7], "yak": [2, 1, 4, 3, 2], "elk": [1, 2, 2, 9, 1]}).advice.mechanism
    'mean'
    """
    if measure not in {None, "clear", "hard"}:
        raise PlanError(f"measure must be clear or hard, got {measure!r}.")
    if resample is not None and resample not in UNITS:
        raise PlanError(f"resample must be one of {', '.join(UNITS)}, got {resample!r}.")
    plan = Plan(resample=resample, tolerance=tolerance, seed=seed)
    parts, left_out = reductions(as_evidence(evidence), plan, [BradleyTerry()])
    doubts = support.refused(left_out) if left_out else []
    sections = []
    for place, reduction in enumerate(parts):
        sections.append(_section(reduction, doubts, measure, seed, _part(progress, place, len(parts))))
    return Diagnosis(tuple(sections), seed)


def advise(evidence: Any, *, measure: Measure | None = None, **choices: Any) -> Advice:
    """Say which mechanism to report for this evidence, why, and what would change the advice.

    >>> print(advise({"owl": [3, 5, 4, 6, 7], "yak": [2, 1, 4, 3, 2], "elk": [1, 2, 2, 9, 1]}).mechanism)
    mean
    """
    return diagnose(evidence, measure=measure, **choices).advice


def _section(
    reduction: Reduction, doubts: list[Finding], measure: Measure | None, seed: int, progress: Progress
) -> Section:
    case = Case(reduction, seed)
    findings = [*doubts, *support.refused(reduction.account(case.model)), *names.alike(case.counts.systems)]
    with one_blas_thread():
        for number, check in enumerate(CHECKS):
            findings += check(case)
            progress(number + 1, len(CHECKS) + 1)
        report = judges(case.judgments, seed=seed) if case.judgments is not None else None
    findings += report.findings if report is not None else ()
    findings.sort(key=lambda finding: finding.level != "warning")
    summary = replace(reduction.summary(case.model), conversion=reduction.conversion(case.counts, case.model))
    return Section(reduction.title, summary, tuple(findings), report, advise_from(findings, reduction.kind, measure))


def _part(progress: Progress, place: int, parts: int) -> Progress:
    return lambda done, total: progress(place * total + done, parts * total)
