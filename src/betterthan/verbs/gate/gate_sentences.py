"""What a gate decided, in sentences."""

from typing import TYPE_CHECKING

from betterthan.datasets import counted_noun
from betterthan.findings import kinds
from betterthan.options import UNIT_WORDS
from betterthan.present import digits

if TYPE_CHECKING:
    from betterthan.verbs.gate.gate_checks import GateCheck
    from betterthan.verbs.gate.gate_result import Gate

#: Checks that a sentence names.
_NAMED = 5


def verdict(gate: "Gate") -> str:
    """Return the decision, and which checks made it."""
    checks = [check for check in gate.checks if check.decision == gate.decision]
    if not checks:
        return f"Inconclusive: {gate.new} passes, but {_hindered(gate)}."
    first = checks[0]
    if len(gate.checks) > 1:
        return _of_several(gate, checks)
    if gate.decision == "pass":
        return f"Pass: {gate.new} is {_passed(first)}, {first.scope}."
    if gate.decision == "fail":
        return f"Fail: {gate.new} is {_failed(first)}, {first.scope}."
    return f"Inconclusive: {over(first, gate)} cannot tell whether {gate.new} is {_questioned(first)}."


def _hindered(gate: "Gate") -> str:
    """Return what keeps a version from passing that passes all checks."""
    if any(finding.code == kinds.gates.RERUN_DIFFERS.code for finding in gate.findings):
        return "two runs of the same system differ significantly"
    return "it lacks items that the old version has. Give them a score, or leave them out of both"


def _of_several(gate: "Gate", checks: list["GateCheck"]) -> str:
    """Return the decision of several checks, and the names of those that made it."""
    number = f"{len(checks)} of {len(gate.checks)} checks"
    if gate.decision == "pass":
        return f"Pass: {gate.new} keeps every margin in all {len(gate.checks)} checks, {checks[0].scope}."
    names = ", ".join(_title(check, gate) for check in checks[:_NAMED])
    names += f" and {len(checks) - _NAMED} more" if len(checks) > _NAMED else ""
    if gate.decision == "fail":
        worse = "misses its margin" if checks[0].better else "is worse by more than its margin"
        return f"Fail: {gate.new} {worse} on {number}: {names}."
    also = "" if gate.checks[0].decision == "pass" else f", with {over(gate.checks[0], gate)}"
    return f"Inconclusive: whether {gate.new} keeps its margin is open on {number}{also}: {names}."


def further(gate: "Gate") -> list[str]:
    """Return what these items can show, how many more would decide, and how much two runs of one system differ."""
    first = gate.checks[0]
    lines = [f"Decided at {100 * gate.decided_at:.4g} % confidence, one-sided, over {over(first, gate)}."]
    able = [
        f"{amount(check, check.detectable)}{f' on {check.metric}' if check.metric else ''}"
        for check in gate.checks
        if check.detectable and not check.part and check.old == first.old
    ]
    if able:
        margins = ", ".join(able)
        lines.append(f"A version as good as the old one passes in 80 % of cases where the margin is {margins}.")
    needed = [(check.more, place) for place, check in enumerate(gate.checks) if check.more is not None]
    if needed:
        number, place = max(needed)
        check, most = gate.checks[place], "" if len(needed) == 1 else ", more than any other check"
        lines.append(
            f"If its difference stayed at {amount(check, check.difference.value)}, {_title(check, gate)} would need "
            f"about {number:,} more {_plural(counted_noun(gate.kind), number)} to be decided in 80 % of cases{most}."
        )
    for rerun in gate.reruns:
        places = digits.decimals([(rerun.difference.low, rerun.difference.high)])
        value, low, high = (digits.rounded(end, places) for end in vars(rerun.difference).values())
        on = f" on {rerun.metric}" if rerun.metric else ""
        lines.append(
            f"Two runs of the same system, {rerun.again} and {rerun.old}, differ by {value}{on} "
            f"({100 * rerun.level:g} % confidence interval {low} to {high})."
        )
    return lines


def over(check: "GateCheck", gate: "Gate") -> str:
    """Return how many items or judgments decide, and in which units."""
    number = f"{check.n:,} {_plural(counted_noun(gate.kind), check.n)}"
    if "+" in check.unit:
        return f"{number} by {UNIT_WORDS[check.unit]}"
    return number + (f" in {check.units:,} {_plural(check.unit, check.units)}" if check.units < check.n else "")


def amount(check: "GateCheck", value: float | None) -> str:
    """Return a difference in the metric's unit or in percent; a limit as it was given."""
    if value is None:
        return ""
    scale, unit = (100, " %") if check.relative else (1, "")
    if value == check.limit:
        return f"{scale * value:.6g}{unit}"
    ends = [None if end is None else scale * end for end in (check.difference.low, check.difference.high)]
    return f"{digits.rounded(scale * value, digits.decimals([(ends[0], ends[1])]))}{unit}"


def interval_text(check: "GateCheck") -> str:
    """Return the interval of the difference as a cell of a table."""
    low, high = (amount(check, end) or "open" for end in (check.difference.low, check.difference.high))
    return f"{low} … {high}"


def limit_text(check: "GateCheck") -> str:
    """Return where the interval has to lie."""
    return "" if check.limit is None else f"{'<' if check.less else '>'} {amount(check, check.limit)}"


def _passed(check: "GateCheck") -> str:
    return f"{'better' if check.better else 'not worse'} than {check.old}{_by(check)}"


def _failed(check: "GateCheck") -> str:
    return f"{'not better' if check.better else 'worse'} than {check.old}{_by(check)}"


def _questioned(check: "GateCheck") -> str:
    return f"{'better' if check.better else 'worse'} than {check.old}{_by(check)}"


def _by(check: "GateCheck") -> str:
    """Return by how much, and on what."""
    of = f" of {check.old}'s mean" if check.relative else ""
    margin = f" by more than {check.margin.lstrip('+-')}{of}" if check.limit else ""
    return margin + (f" on {check.metric}" if check.metric else "")


def _title(check: "GateCheck", gate: "Gate") -> str:
    part = f"({gate.settings.slices} {check.part})" if check.part else ""
    against = f"against {check.old}" if len(gate.old) > 1 else ""
    return " ".join(filter(None, [check.metric or "the score", part, against]))


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"
