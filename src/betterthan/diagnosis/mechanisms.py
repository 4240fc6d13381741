"""Where mechanisms disagree about the order of two systems, and why."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from betterthan.diagnosis.case import Case
from betterthan.diagnosis.outliers import far
from betterthan.engine.table import FloatArray
from betterthan.findings import Finding
from betterthan.models.base import build

_SHOWN = 3
#: All pairs are looked at one by one.
_MOST_SYSTEMS = 300


@dataclass(frozen=True)
class Contested:
    """A pair that two mechanisms order differently: `ahead` by the first of them, and why."""

    a: str
    b: str
    ahead: str
    behind: str
    why: str

    def __str__(self) -> str:
        return f"{self.ahead!r} before {self.behind!r} by {self.a} only ({self.why})"


def check(case: Case) -> list[Finding]:
    """Compare mean, median and Bradley–Terry of scores, or Bradley–Terry and expected wins of judgments."""
    names = ("mean", "median", "bradley-terry") if case.table is not None else ("expected-wins", "bradley-terry")
    if case.counts.size > _MOST_SYSTEMS:
        return []
    strengths = {name: _strength(case, name) for name in names}
    findings = []
    pairs = case.counts.size * (case.counts.size - 1) // 2
    for a, b in combinations(names, 2):
        found = contested(case, a, strengths[a], b, strengths[b])
        if not found:
            continue
        shown = "; ".join(str(each) for each in found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
        real = [each for each in found if each.why != CHANCE]
        message = f"{a} and {b} order {len(found):,} of {pairs:,} pairs differently: {shown}"
        hint = "say which mechanism you mean, and why" if real else "no test separates these pairs"
        findings.append(
            Finding("mechanisms-disagree", "warning" if real else "info", message, hint, len(found) / pairs)
        )
    return findings


CHANCE = "neither is shown to be better"


def contested(case: Case, a: str, one: FloatArray, b: str, two: FloatArray) -> list[Contested]:
    """Return the pairs that two mechanisms order differently, those that chance does not explain first."""
    systems = case.counts.systems
    turned = np.argwhere(np.triu((one[:, None] - one) * (two[:, None] - two) < 0))
    found = []
    for first, second in turned:
        ahead, behind = (first, second) if one[first] > one[second] else (second, first)
        found.append(Contested(a, b, systems[ahead], systems[behind], _why(case, int(ahead), int(behind))))
    return sorted(found, key=lambda each: each.why == CHANCE)


def _strength(case: Case, name: str) -> FloatArray:
    if name == "bradley-terry":
        return case.fit.strength
    model: Any = build(name)
    return np.asarray(model.fit(case.reduction.statistic(model.consumes[0], model)).strength)


def _why(case: Case, ahead: int, behind: int) -> str:
    """Say what makes two mechanisms differ about a pair."""
    if case.table is None:
        return "they met opponents of different strength"
    gap = case.table.values[:, ahead] - case.table.values[:, behind]
    gap = gap[~np.isnan(gap)]
    tolerance = case.reduction.plan.tolerance
    wins, losses = int(np.sum(gap > tolerance)), int(np.sum(gap < -tolerance))
    by_mean = float(stats.ttest_1samp(gap, 0).pvalue) if np.ptp(gap) > 0 and len(gap) > 1 else 1.0
    by_wins = float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
    if min(by_mean, by_wins) > 0.05:
        return CHANCE
    inner = gap[~far(gap[:, None])[:, 0]]
    if np.sign(inner.mean()) != np.sign(gap.mean()):
        return f"{len(gap) - len(inner)} outliers make the mean"
    if np.sign(gap.mean()) != np.sign(wins - losses):
        return "it wins fewer instances, by more" if gap.mean() > 0 else "it wins more instances, by less"
    return "their scores are distributed differently, or other systems decide"
