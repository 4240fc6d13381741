"""How much the evidence supports: rows left out, ties, few units, resamples without a maximum."""

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


def tied(ties: float, total: float, treatment: str) -> list[Finding]:
    """Say how ties were treated where there are any."""
    if not total or ties / total < 0.005:
        return []
    how = "counted half for each side" if treatment == "half" else "left out"
    return [Finding("ties", "info", f"{100 * ties / total:.0f} % of the judgments are ties, {how}")]


def resampling(draws: Draws, others: tuple[str, ...]) -> list[Finding]:
    """Doubt intervals that rest on few units, on broken resamples, or on one of several possible units."""
    findings = []
    if draws.units < _FEW_UNITS and draws.unit != "row":
        message = f"the intervals rest on only {draws.units} {draws.unit}s and are probably too narrow"
        findings.append(Finding("few-units", "warning", message, "collect more of them, or resample by another unit"))
    if draws.degenerate:
        message = f"{draws.degenerate:,} of {len(draws.log_strength):,} resamples have no maximum"
        hint = "systems there were placed as their record allows; the intervals of thinly compared systems are rough"
        findings.append(Finding("degenerate-resamples", "warning", message, hint))
    if others:
        message = (
            f"intervals treat each {draws.unit} as independent; there may be dependence by {' and '.join(others)} too"
        )
        findings.append(Finding("other-units", "info", message, f"compare --resample {others[0]}"))
    return findings
