"""Checks of a gate: an interval against a limit, and what all of them decide together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from betterthan.base import scipy
from betterthan.inference import Estimate

Decision = Literal["pass", "fail", "inconclusive"]
#: The chance of a decision that plans are made for.
_POWER = 0.8


@dataclass(frozen=True)
class GateCheck:
    """One metric on all items or on a slice, against one old version.

    `difference` is NEW − OLD as the metric was read, or as a share of OLD's mean where the margin is `relative`.
    A check is passed by being `better`, or by not being worse. `limit` is what its interval must stay above, or below
    where `less` is better; None where no margin was given. `detectable` is the margin with which a version as good as
    OLD passes in 80 % of cases. `more` is how many further items or judgments would decide the check in 80 % of cases
    if the difference stayed.
    """

    metric: str
    part: str
    old: str
    guard: bool
    better: bool
    less: bool
    new_value: float | None
    old_value: float | None
    difference: Estimate
    relative: bool
    limit: float | None
    margin: str
    n: int
    units: int
    unit: str
    scope: str
    decision: Decision | None
    detectable: float | None
    more: int | None

    @property
    def title(self) -> str:
        """The metric and the slice."""
        return " · ".join(filter(None, [self.metric or "score", self.part]))


def decided(difference: Estimate, limit: float, *, less: bool) -> Decision:
    """Return on which side of a limit an interval lies.

    >>> decided(Estimate(0.0, -0.01, 0.01), -0.02, less=False), decided(Estimate(0.0, -0.05, 0.05), -0.02, less=False)
    ('pass', 'inconclusive')
    """
    low, high = difference.low, difference.high
    above, below = low is not None and low > limit, high is not None and high < limit
    if above or below:
        return "pass" if below == less else "fail"
    return "inconclusive"


def detectable(difference: Estimate, level: float) -> float | None:
    """Return the margin with which a version as good as the old one passes in 80 % of cases."""
    error = _error(difference, level)
    return None if error is None else error * float(scipy.special.ndtri(level) + scipy.special.ndtri(_POWER))


def further_needed(check: GateCheck, level: float) -> int | None:
    """Return how many more items or judgments would decide a check in 80 % of cases, if the difference stayed.

    None where it is decided, or where more than ten thousand times as many are needed.
    """
    margin, value = detectable(check.difference, level), check.difference.value
    if check.decision != "inconclusive" or margin is None or value is None or check.limit is None:
        return None
    distance = abs(value - check.limit)
    if distance * 100 < margin:
        return None
    return max(1, round(check.n * ((margin / distance) ** 2 - 1)))


def _error(difference: Estimate, level: float) -> float | None:
    """Return the standard error that a one-sided interval stands for."""
    if difference.low is None or difference.high is None or difference.high <= difference.low:
        return None
    return (difference.high - difference.low) / 2 / float(scipy.special.ndtri(level))


def corrected(checks: Sequence[GateCheck], fails: Callable[[int, float], bool], level: float) -> list[GateCheck]:
    """Return the checks, where those that fail must fail by Holm's correction for their number.

    `fails` says whether a check fails at a level. Passing needs no correction: all checks must pass.
    """
    failed: set[int] = set()
    candidates = [place for place, check in enumerate(checks) if check.decision == "fail"]
    while True:
        left = len(checks) - len(failed)
        stricter = 1 - (1 - level) / max(left, 1)
        new = {place for place in candidates if place not in failed and (left == 1 or fails(place, stricter))}
        if not new:
            break
        failed |= new
    return [
        check if check.decision != "fail" or place in failed else replace(check, decision="inconclusive")
        for place, check in enumerate(checks)
    ]


def together(checks: Sequence[GateCheck]) -> Decision:
    """Return what all checks decide: all must pass, and one that fails is enough to fail."""
    decisions = {check.decision for check in checks if check.decision is not None}
    return "fail" if "fail" in decisions else "inconclusive" if "inconclusive" in decisions else "pass"
