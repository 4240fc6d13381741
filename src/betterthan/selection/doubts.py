"""What is doubtful about a choice of models."""

from collections.abc import Sequence

from betterthan.findings import Finding, counted
from betterthan.infer.estimate import Estimate
from betterthan.selection.measures import FLOOR
from betterthan.selection.references import CONSTANT, FREQUENCIES
from betterthan.selection.result import Selection
from betterthan.selection.summary import Summary
from betterthan.selection.trial import Trial

_FEW = 30


def without_order(model: str) -> Finding:
    """Say that a model was left out."""
    message = f"the judgments have no order, so {model} does not compete"
    return Finding("no-order", "info", message, "name it with order=average to let it")


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
    if units >= _FEW:
        return []
    message = f"the splits deal out only {counted(units, unit)}: intervals and tests are rough"
    return [Finding("few-units", "warning", message, "collect more, or split by another unit", units)]


def absent(trials: Sequence[Trial], sizes: Sequence[int]) -> list[Finding]:
    """Say where systems had to be predicted that training did not see."""
    for place, size in enumerate(sizes):
        lacking = sum(trial.absent[place] > 0 for trial in trials)
        if lacking:
            message = f"in {lacking} of {len(trials)} splits, {size:,} judgments to train on lack some system"
            return [Finding("absent-systems", "info", message, "it is predicted like an average one", lacking)]
    return []


def not_converged(trials: Sequence[Trial], names: Sequence[str]) -> list[Finding]:
    """Doubt models whose iterations were stopped."""
    findings = []
    for name in names:
        stopped = sum(not scores[name].converged for trial in trials for scores in trial.scores)
        if stopped:
            fits = sum(len(trial.scores) for trial in trials)
            message = f"{name} did not converge in {stopped} of {fits} fits"
            findings.append(Finding("not-converged", "warning", message, "raise its limit", stopped))
    return findings


def surprised(trials: Sequence[Trial], names: Sequence[str]) -> list[Finding]:
    """Doubt log losses in which judgments count that a model held to be impossible."""
    findings = []
    for name in names:
        share = max(scores[name].surprised for trial in trials for scores in trial.scores)
        if share:
            message = f"{name} gave up to {100 * share:.2g} % of the judgments of a split chances below {FLOOR:g}"
            hint = "they count as that much, which decides its log loss; hold out more judgments to tune on"
            findings.append(Finding("surprised", "warning", message, hint, share))
    return findings


def no_better_than_constant(model: str, gap: Estimate, p: float, level: float) -> list[Finding]:
    """Doubt models altogether where the best is not shown to know more than how frequent ties are."""
    if gap.known < 0 and p <= 1 - level:
        return []
    message = f"{model} has the least log loss, and is not shown to predict better than a constant"
    return [Finding("no-better-than-constant", "warning", message, "collect more judgments", p)]


def worse_than_frequencies(gap: Estimate, p: float, level: float) -> list[Finding]:
    """Doubt that one strength per system suffices where pairs by themselves predict better."""
    if gap.known <= 0 or p > 1 - level:
        return []
    message = "pair frequencies predict better than every model: pairs differ by more than one strength per system says"
    return [Finding("lack-of-fit", "warning", message, "look at single pairs, or let more decide (betterthan fit)", p)]
