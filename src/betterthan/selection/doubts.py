"""What is doubtful about a choice of models."""

from collections.abc import Sequence

from betterthan.findings import Finding
from betterthan.findings.fit import NOT_CONVERGED
from betterthan.findings.resampling import FEW_UNITS
from betterthan.findings.selecting import (
    ABSENT_SYSTEMS,
    NO_BETTER_THAN_CONSTANT,
    NO_ORDER,
    SURPRISED,
    WORSE_THAN_FREQUENCIES,
)
from betterthan.infer.estimate import Estimate
from betterthan.selection.measures import FLOOR
from betterthan.selection.references import CONSTANT, FREQUENCIES
from betterthan.selection.result import Selection
from betterthan.selection.summary import Summary
from betterthan.selection.trial import Trial


def without_order(model: str) -> Finding:
    """Say that a model was left out."""
    return NO_ORDER.found(model=model)


def all_of(found: Summary, selection: Selection) -> list[Finding]:
    """Return what the splits and their result give reason to doubt."""
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
    """Doubt intervals over few units."""
    return [] if units >= FEW_UNITS.thresholds["intervals"] else [FEW_UNITS.found(units=units, unit=unit)]


def absent(trials: Sequence[Trial], sizes: Sequence[int]) -> list[Finding]:
    """Say where systems had to be predicted that training did not see."""
    for place, size in enumerate(sizes):
        lacking = sum(trial.absent[place] > 0 for trial in trials)
        if lacking:
            return [ABSENT_SYSTEMS.found(lacking=lacking, splits=len(trials), size=size)]
    return []


def not_converged(trials: Sequence[Trial], names: Sequence[str]) -> list[Finding]:
    """Doubt models whose iterations were stopped."""
    findings = []
    for name in names:
        stopped = sum(not scores[name].converged for trial in trials for scores in trial.scores)
        if stopped:
            fits = sum(len(trial.scores) for trial in trials)
            findings.append(NOT_CONVERGED.found(model=name, where=f"{stopped} of {fits} fits"))
    return findings


def surprised(trials: Sequence[Trial], names: Sequence[str]) -> list[Finding]:
    """Doubt log losses in which judgments count that a model held to be impossible."""
    findings = []
    for name in names:
        share = max(scores[name].surprised for trial in trials for scores in trial.scores)
        if share:
            findings.append(SURPRISED.found(model=name, share=share, floor=FLOOR))
    return findings


def no_better_than_constant(model: str, gap: Estimate, p: float, level: float) -> list[Finding]:
    """Doubt models altogether where the best is not shown to know more than how frequent ties are."""
    if gap.known < 0 and p <= 1 - level:
        return []
    return [NO_BETTER_THAN_CONSTANT.found(model=model, p=p)]


def worse_than_frequencies(gap: Estimate, p: float, level: float) -> list[Finding]:
    """Doubt that one strength per system suffices where pairs by themselves predict better."""
    if gap.known <= 0 or p > 1 - level:
        return []
    return [WORSE_THAN_FREQUENCIES.found(p=p)]
