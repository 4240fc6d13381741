"""How much the evidence supports: rows left out, ties, few units, resamples without a maximum."""

from betterthan.datasets.sets import DataSets
from betterthan.evidence.account import Account
from betterthan.findings import Finding
from betterthan.infer.draws import Draws

_FEW_UNITS = 30


def refused(account: Account) -> list[Finding]:
    """Report the rows that were left out, by reason."""
    if not account.refused:
        return []
    reasons = ", ".join(f"{refusal.reason} {refusal.rows:,}" for refusal in account.refusals)
    message = f"{account.refused:,} of {account.read:,} rows were left out: {reasons}"
    return [Finding("refused-rows", "warning", message, "the ranking rests on the others")]


def left_out(sets: DataSets) -> list[Finding]:
    """Report the rows that belong to no data set."""
    return refused(sets.left_out) if sets.left_out is not None else []


def not_converged(model: str, iterations: int) -> Finding:
    """Doubt an estimate whose iteration was stopped."""
    message = f"{model} did not converge in {iterations:,} iterations: the strengths are rough"
    return Finding("not-converged", "warning", message, "raise its limit, or use bradley-terry or davidson")


def ordered_by(column: str) -> Finding:
    """Say which column put the judgments in order."""
    return Finding("order", "info", f"judgments were taken in the order of the column {column!r}", "or use order=file")


def tied(ties: float, total: float, treatment: str | None) -> list[Finding]:
    """Say how ties were treated where there are any and the treatment is a choice."""
    how = {"half": "counted half for each side", "drop": "left out"}.get(treatment or "")
    if not total or ties / total < 0.005 or how is None:
        return []
    return [Finding("ties", "info", f"{100 * ties / total:.0f} % of the judgments are ties, {how}")]


def resampling(draws: Draws, others: tuple[str, ...]) -> list[Finding]:
    """Doubt intervals that rest on few units, on broken resamples, or on one of several possible units."""
    if draws.method == "runs":
        message = "intervals and ranges show what random choices of the model change, not what other evidence would"
        return [Finding("runs", "warning", message, "use --ci bootstrap for uncertainty about the systems")]
    findings = []
    if draws.units < _FEW_UNITS and draws.unit != "row":
        message = f"the intervals rest on only {draws.units} {draws.unit}s and are probably too narrow"
        findings.append(Finding("few-units", "warning", message, "collect more of them, or resample by another unit"))
    if draws.degenerate:
        message = f"{draws.degenerate:,} of {len(draws.strength):,} resamples do not determine every strength"
        hint = "systems there were placed as their record allows; the intervals of thinly compared systems are rough"
        findings.append(Finding("degenerate-resamples", "warning", message, hint))
    if others:
        message = (
            f"intervals treat each {draws.unit} as independent; there may be dependence by {' and '.join(others)} too"
        )
        findings.append(Finding("other-units", "info", message, f"compare --resample {others[0]}"))
    return findings
