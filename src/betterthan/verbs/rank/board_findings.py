"""Findings of a leaderboard: rows left out, names that look alike, ties, few units, resamples without a maximum."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from betterthan.base import BoolArray
from betterthan.datasets import DataSet, DataSets, EvidenceSummary, effective_units
from betterthan.evidence import Account
from betterthan.findings import Finding, counted, kinds
from betterthan.options import REPEATED, UNIT_WORDS
from betterthan.uncertainty import Draws


def refused(account: Account) -> list[Finding]:
    """Report the rows that were left out, by reason."""
    if not account.refused:
        return []
    reasons = ", ".join(f"{refusal.reason} {refusal.rows:,}" for refusal in account.refusals)
    return [kinds.evidence.REFUSED_ROWS.found(refused=account.refused, read=account.read, reasons=reasons)]


def not_corpus(data: DataSet, model: str) -> list[Finding]:
    """Report averaged item scores where the metric is a corpus-level one."""
    metric = data.corpus_metric
    if metric is None:
        return []
    from betterthan.metrics import build_metric  # noqa: PLC0415 (only of scores that metrics computed)

    return [kinds.outputs.CORPUS_NOT_MEAN.found(metric=metric, model=model, item_score=build_metric(metric).item_score)]


def left_out(sets: DataSets) -> list[Finding]:
    """Report what is known of the files, and the rows that belong to no data set."""
    reading = sets.reading
    read = [] if reading is None else list(reading.findings)
    return [*read, *(refused(sets.left_out) if sets.left_out is not None else [])]


def weighted(summary: EvidenceSummary) -> list[Finding]:
    """Report the effective number of weighted judgments."""
    effective = summary.effective
    if effective is None or effective > (1 - 1e-9) * summary.judgments:
        return []
    return [kinds.evidence.EFFECTIVE_SAMPLE.found(judgments=summary.judgments, effective=effective)]


def collected(data: DataSet, summary: EvidenceSummary, *, anytime: bool) -> list[Finding]:
    """Report that results hold at every look, or that pairs may have been chosen by earlier judgments."""
    if anytime:
        return [kinds.collecting.ANY_LOOK.found()]
    chosen = summary.effective is not None and "propensity" in data.roles
    return [kinds.collecting.UNEQUAL_CHANCES.found()] if chosen else []


def chosen_by_judgments(share: float) -> list[Finding]:
    """Report that shrinkage brings the scores of pairs that a policy chose much closer together."""
    kind = kinds.collecting.ADAPTIVE_CHOICE
    return [kind.found(share=share)] if share >= kind.thresholds["share"] else []


def style(data: DataSet, ties: str | None = None) -> list[Finding]:
    """Report the features of style that predict who wins; data without columns for any take no time."""
    if not data.spare_columns:
        return []
    from betterthan.verbs.rank.style_findings import style_predicts  # noqa: PLC0415 (few files have style)

    return style_predicts(data, ties)


def not_converged(model: str, iterations: int) -> Finding:
    """Report an estimate whose iteration was stopped."""
    return kinds.fitting.NOT_CONVERGED.found(model=model, where=counted(iterations, "iteration"))


def ordered_by(column: str) -> Finding:
    """Return which column put the judgments in order."""
    return kinds.fitting.ORDER.found(column=column)


def tied(ties: float, total: float, treatment: str | None) -> list[Finding]:
    """Report how ties were treated, if there are any and the treatment is an option."""
    how = {"half": "count as half a win for each side", "drop": "were left out"}.get(treatment or "")
    if not total or ties / total < kinds.ties.TIE_TREATMENT.thresholds["mentioned"] or how is None:
        return []
    return [kinds.ties.TIE_TREATMENT.found(share=ties / total, how=how)]


def resampling(draws: Draws, others: dict[str, int], hint: str | None = None) -> list[Finding]:
    """Report intervals based on few units, on degenerate resamples, or on one of several possible units."""
    if draws.method in REPEATED:
        return (
            [kinds.resampling.RUNS.found()] if draws.method == "runs" else not_resampled("row", others, hint=_BOOTSTRAP)
        )
    findings = few(draws.numbers)
    if draws.degenerate:
        findings.append(
            kinds.resampling.DEGENERATE_RESAMPLES.found(degenerate=draws.degenerate, resamples=len(draws.strength))
        )
    if draws.little_known:
        one = len(draws.little_known) == 1
        findings.append(
            kinds.resampling.LITTLE_KNOWN.found(
                systems=_some(draws.little_known),
                number=len(draws.little_known),
                verb="has" if one else "have",
                whose="its" if one else "their",
            )
        )
    if draws.one_step:
        findings.append(kinds.resampling.ONE_STEP.found(resamples=len(draws.strength)))
    hint = _BOOTSTRAP if draws.method == "information" else hint
    return [*findings, *not_resampled(draws.unit, others, hint=hint)]


def few(numbers: Sequence[effective_units.UnitNumber]) -> list[Finding]:
    """Report few units, and units of which a few have most of the judgments."""
    if any(each.unit == "row" for each in numbers):
        return []
    scarcer, kind = min(numbers, key=lambda each: each.number), kinds.resampling.FEW_UNITS
    found = scarcer.number < kind.thresholds["intervals"]
    return [*([kind.found(units=scarcer.number, unit=scarcer.unit)] if found else []), *unequal(numbers)]


def few_of_systems(draws: Draws, systems: Sequence[str], placed: BoolArray) -> list[Finding]:
    """Report systems that few units are about, where the others have many."""
    kind, findings = kinds.resampling.FEW_UNITS_OF_SYSTEM, []
    for each, freedom in zip(draws.numbers, draws.errors.freedom, strict=False):
        if not isinstance(freedom, np.ndarray):
            continue
        own = np.diag(freedom) + 1
        few = np.flatnonzero(placed & (own < min(kind.thresholds["intervals"], kind.thresholds["share"] * each.number)))
        if len(few):
            shown, one = _some([systems[int(place)] for place in few]), len(few) == 1
            units, whose, it = max(1, round(float(own[few].min()))), "its" if one else "their", "it" if one else "them"
            findings.append(kind.found(systems=shown, units=units, unit=each.unit, whose=whose, it=it))
    return findings


def unequal(numbers: Sequence[effective_units.UnitNumber]) -> list[Finding]:
    """Report units of which a few have most of the judgments."""
    kind = kinds.resampling.UNEQUAL_UNITS
    return [
        kind.found(units=each.number, unit=each.unit, effective=each.effective)
        for each in numbers
        if each.effective < min(kind.thresholds["share"] * each.number, kind.thresholds["effective"])
    ]


#: Systems that a finding names.
_NAMED = 5


def _some(names: Sequence[str]) -> str:
    """Name the first few, and how many more there are."""
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"


#: What to do where nothing but single judgments is resampled, and where only one unit can be.
_BOOTSTRAP, ANOTHER = "Use {option:ci=bootstrap}.", "Compare with {option:unit={other}}."
#: What to do where judges of scores are left out because what was asked takes items alone.
BY_MEAN = "Rank by {option:model=mean}, or compare two systems by the mean: both allow for items and judges."


def not_resampled(unit: str, others: dict[str, int], *, hint: str | None = None) -> list[Finding]:
    """Report further dependence that is not resampled, because its units are few or another unit was chosen."""
    few = {other: size for other, size in others.items() if size < kinds.resampling.FIXED_UNITS.thresholds["least"]}
    findings = [kinds.resampling.FIXED_UNITS.found(unit=other, units=size) for other, size in few.items()]
    left = [other for other in others if other not in few]
    if left:
        named = {*unit.split("+"), *left}
        crossed = [two for two in ("item+judge", "item+run") if {*two.split("+")} <= named]
        both = crossed[0] if crossed and hint is None else {"run": "item+run"}.get(left[0], left[0])
        shown = UNIT_WORDS.get(unit, unit)
        findings.append(kinds.resampling.OTHER_UNITS.found(unit=shown, others=" or ".join(left), other=both, hint=hint))
    return findings


def similar_names(systems: Sequence[str]) -> list[Finding]:
    """Find systems whose names look the same, or differ by case or blanks only; they are ranked as they are written.

    >>> [found.code for found in similar_names(["owl", "Owl ", "yak", "ya\u200bk"])]
    ['names-look-the-same', 'names-alike']
    """
    twins = [] if all(name.isascii() and name.isprintable() for name in systems) else _groups(systems, _seen)
    told = {name for names in twins for name in names[1:]}  # the first of every group stands for the others
    folded = _groups([name for name in systems if name not in told], lambda name: " ".join(name.split()).casefold())
    found = [kinds.evidence.NAMES_LOOK_THE_SAME.found(names=_listed(twins, ascii))] if twins else []
    return [*found, kinds.evidence.NAMES_ALIKE.found(names=_listed(folded, repr))] if folded else found


def _seen(name: str) -> str:
    """Return the visible form of a name: composed characters, without zero-width ones."""
    visible = "".join(sign for sign in name if unicodedata.category(sign) not in {"Cf", "Cc"})
    return unicodedata.normalize("NFC", visible)


def _groups(systems: Sequence[str], key: Callable[[str], str]) -> list[list[str]]:
    groups = defaultdict(list)
    for system in systems:
        groups[key(system)].append(system)
    return [names for names in groups.values() if len(names) > 1]


def _listed(groups: Sequence[Sequence[str]], shown: Callable[[str], str]) -> str:
    listed = "; ".join(" and ".join(map(shown, names)) for names in groups[:3])
    return f"{listed} and {len(groups) - 3} more" if len(groups) > 3 else listed
