"""How much the evidence supports: rows left out, ties, few units, resamples without a maximum."""

from betterthan.datasets.dataset import DataSet
from betterthan.datasets.sets import DataSets
from betterthan.datasets.summary import EvidenceSummary
from betterthan.evidence.account import Account
from betterthan.findings import Finding, counted
from betterthan.findings.evidence import EFFECTIVE_SAMPLE, REFUSED_ROWS
from betterthan.findings.fit import NOT_CONVERGED, ORDER
from betterthan.findings.outputs import CORPUS_NOT_MEAN
from betterthan.findings.resampling import (
    DEGENERATE_RESAMPLES,
    FEW_UNITS,
    FIXED_UNITS,
    LITTLE_KNOWN,
    ONE_STEP,
    OTHER_UNITS,
    RUNS,
)
from betterthan.findings.ties import TIE_TREATMENT
from betterthan.infer.draws import Draws
from betterthan.metrics.base import build
from betterthan.options.shared import REPEATED, UNIT_WORDS
from betterthan.reduce.units import Units


def refused(account: Account) -> list[Finding]:
    """Report the rows that were left out, by reason."""
    if not account.refused:
        return []
    reasons = ", ".join(f"{refusal.reason} {refusal.rows:,}" for refusal in account.refusals)
    return [REFUSED_ROWS.found(refused=account.refused, read=account.read, reasons=reasons)]


def not_corpus(data: DataSet, model: str) -> list[Finding]:
    """Say where scores of single items are averaged although the metric is one of a whole test set."""
    if data.scores is None or data.scores.parts is None:
        return []
    metric = data.scores.metric
    return [CORPUS_NOT_MEAN.found(metric=metric, model=model, item_score=build(metric).item_score)]


def left_out(sets: DataSets) -> list[Finding]:
    """Report what is known of the files, and the rows that belong to no data set."""
    read = list(sets.reading.findings) if sets.reading is not None else []
    return [*read, *(refused(sets.left_out) if sets.left_out is not None else [])]


def weighted(summary: EvidenceSummary) -> list[Finding]:
    """Say how much judgments of different weights tell."""
    effective = summary.effective
    if effective is None or effective > (1 - 1e-9) * summary.judgments:
        return []
    return [EFFECTIVE_SAMPLE.found(judgments=summary.judgments, effective=effective)]


def not_converged(model: str, iterations: int) -> Finding:
    """Doubt an estimate whose iteration was stopped."""
    return NOT_CONVERGED.found(model=model, where=counted(iterations, "iteration"))


def ordered_by(column: str) -> Finding:
    """Say which column put the judgments in order."""
    return ORDER.found(column=column)


def tied(ties: float, total: float, treatment: str | None) -> list[Finding]:
    """Say how ties were treated where there are any and the treatment is a choice."""
    how = {"half": "count as half a win for each side", "drop": "were left out"}.get(treatment or "")
    if not total or ties / total < TIE_TREATMENT.thresholds["mentioned"] or how is None:
        return []
    return [TIE_TREATMENT.found(share=ties / total, how=how)]


def resampling(draws: Draws, others: dict[str, int], hint: str | None = None) -> list[Finding]:
    """Doubt intervals that rest on few units, on broken resamples, or on one of several possible units."""
    if draws.method in REPEATED:
        return [RUNS.found()] if draws.method == "runs" else not_resampled("row", others, hint=_BOOTSTRAP)
    findings = []
    if draws.units < FEW_UNITS.thresholds["intervals"] and draws.unit != "row":
        findings.append(FEW_UNITS.found(units=draws.units, unit=draws.scarcer or draws.unit))
    if draws.degenerate:
        findings.append(DEGENERATE_RESAMPLES.found(degenerate=draws.degenerate, resamples=len(draws.strength)))
    if draws.little_known:
        shown = ", ".join(draws.little_known[:_NAMED])
        more = len(draws.little_known) - _NAMED
        one = len(draws.little_known) == 1
        findings.append(
            LITTLE_KNOWN.found(
                systems=f"{shown} and {more} more" if more > 0 else shown,
                number=len(draws.little_known),
                verb="has" if one else "have",
                whose="its" if one else "their",
            )
        )
    if draws.one_step:
        findings.append(ONE_STEP.found(resamples=len(draws.strength)))
    hint = _BOOTSTRAP if draws.method == "information" else hint
    return [*findings, *not_resampled(draws.unit, others, hint=hint)]


def few(units: Units) -> list[Finding]:
    """Doubt tests that rest on few units."""
    if units.size >= FEW_UNITS.thresholds["intervals"] or units.name == "row":
        return []
    scarcer = units if units.crossed is None else min(units.crossed[:2], key=lambda factor: factor.size)
    return [FEW_UNITS.found(units=scarcer.size, unit=scarcer.name)]


#: Systems that a finding names.
_NAMED = 5
#: What to do where nothing but single judgments is drawn again, and where only one unit can be.
_BOOTSTRAP, ANOTHER = "Use {option:ci=bootstrap}.", "Compare with {option:unit={other}}."
#: What to do where judges of scores are left out because what was asked takes items alone.
BY_MEAN = "Rank by {option:model=mean}, or compare two systems by the mean: both allow for items and judges."


def not_resampled(unit: str, others: dict[str, int], *, hint: str | None = None) -> list[Finding]:
    """Say what is dependent too and is not resampled: because it is few, or because another unit was chosen."""
    few = {other: size for other, size in others.items() if size < FIXED_UNITS.thresholds["least"]}
    findings = [FIXED_UNITS.found(unit=other, units=size) for other, size in few.items()]
    left = [other for other in others if other not in few]
    if left:
        both = "item+judge" if "judge" in left and unit in {"item", "group"} and hint is None else left[0]
        shown = UNIT_WORDS.get(unit, unit)
        findings.append(OTHER_UNITS.found(unit=shown, others=" or ".join(left), other=both, hint=hint))
    return findings
