"""Findings about model selection."""

from collections.abc import Sequence

from betterthan.findings import Finding, kinds
from betterthan.inference import Estimate
from betterthan.verbs.select.baselines import CONSTANT, FREQUENCIES
from betterthan.verbs.select.prediction_scores import FLOOR
from betterthan.verbs.select.selection_result import Selection
from betterthan.verbs.select.split_summary import Summary
from betterthan.verbs.select.trial import Trial


def without_order(model: str) -> Finding:
    """Report that a model was left out."""
    return kinds.selecting.NO_ORDER.found(model=model)


def all_of(found: Summary, selection: Selection) -> list[Finding]:
    """Return the findings about the splits and their result."""
    best = selection.best["log_loss"]
    return [
        *few_units(selection.units, selection.unit),
        *absent(found.trials, found.sizes),
        *not_converged(found.trials, found.models),
        *surprised(found.trials, found.models),
        *no_better_than_constant(best, *found.difference(best, CONSTANT, "log_loss"), found.level),
        *worse_than_frequencies(*found.difference(best, FREQUENCIES, "log_loss"), found.level),
    ]


def few_units(units: int, unit: str) -> list[Finding]:
    """Report intervals over few units."""
    return (
        []
        if units >= kinds.resampling.FEW_UNITS.thresholds["intervals"]
        else [kinds.resampling.FEW_UNITS.found(units=units, unit=unit)]
    )


def absent(trials: Sequence[Trial], sizes: Sequence[int]) -> list[Finding]:
    """Report where systems had to be predicted that training did not see."""
    for place, size in enumerate(sizes):
        lacking = sum(trial.absent[place] > 0 for trial in trials)
        if lacking:
            return [kinds.selecting.ABSENT_SYSTEMS.found(lacking=lacking, splits=len(trials), size=size)]
    return []


def not_converged(trials: Sequence[Trial], names: Sequence[str]) -> list[Finding]:
    """Report models whose iterations were stopped."""
    findings = []
    for name in names:
        stopped = sum(not scores[name].converged for trial in trials for scores in trial.scores)
        if stopped:
            fits = sum(len(trial.scores) for trial in trials)
            findings.append(kinds.fitting.NOT_CONVERGED.found(model=name, where=f"{stopped} of {fits} fits"))
    return findings


def surprised(trials: Sequence[Trial], names: Sequence[str]) -> list[Finding]:
    """Report log losses with judgments that a model considered impossible."""
    findings = []
    for name in names:
        share = max(scores[name].surprised for trial in trials for scores in trial.scores)
        if share:
            findings.append(kinds.selecting.SURPRISED.found(model=name, share=share, floor=FLOOR))
    return findings


def no_better_than_constant(model: str, gap: Estimate, p: float, level: float) -> list[Finding]:
    """Report if the best model is not shown to predict better than the frequency of ties."""
    if gap.known < 0 and p <= 1 - level:
        return []
    return [kinds.selecting.NO_BETTER_THAN_CONSTANT.found(model=model, p=p)]


def worse_than_frequencies(gap: Estimate, p: float, level: float) -> list[Finding]:
    """Report that one strength per system does not suffice if single pairs predict better."""
    if gap.known <= 0 or p > 1 - level:
        return []
    return [kinds.selecting.WORSE_THAN_FREQUENCIES.found(p=p)]
