"""Where mechanisms disagree about the order of two systems, and why."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, counted
from betterthan.findings.evidence import CHECK_SKIPPED
from betterthan.findings.scores import MECHANISMS_DISAGREE
from betterthan.infer.all_pairs import mood_tests, sign_tests, t_tests
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.outliers import far
from betterthan.models.base import build

_SHOWN = 3
#: All pairs are looked at one by one.
_MOST_SYSTEMS = 300
CHANCE = "not significant"
#: A larger share of instances far from the others is a type of instances, not outliers.
_FEW = 0.1


@dataclass(frozen=True)
class Contested:
    """A pair that two mechanisms order differently: `ahead` by the first of them, and why."""

    a: str
    b: str
    ahead: str
    behind: str
    why: str

    def __str__(self) -> str:
        return f"{self.ahead!r} is ahead of {self.behind!r} by {self.a} only ({self.why})"


def check(case: Case) -> list[Finding]:
    """Compare mean, median and Bradley–Terry of scores, or Bradley–Terry and expected wins of judgments."""
    names = _names(case)
    size = case.counts.size
    if size > _MOST_SYSTEMS:
        return [CHECK_SKIPPED.found(check="Agreement of models", most=_MOST_SYSTEMS, what="system", number=size)]
    strengths = {name: _strength(case, name) for name in names}
    shown = {name: _shown(case, name) for name in names}
    findings = []
    pairs = case.counts.size * (case.counts.size - 1) // 2
    for a, b in combinations(names, 2):
        found = _contested(case, (a, b), strengths, shown)
        if not found:
            continue
        texts = "; ".join(str(each) for each in found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
        real = [each for each in found if each.why != CHANCE]
        tell = MECHANISMS_DISAGREE.found if real else MECHANISMS_DISAGREE.noted
        findings.append(
            tell(
                a=a, b=b, contested=len(found), pairs=pairs, significant=len(real), examples=texts,
                share=len(real or found) / pairs,
            )
        )  # fmt: skip
    return findings


def _names(case: Case) -> tuple[str, ...]:
    """Name the mechanisms; the median of right and wrong answers only says which of them is more frequent."""
    if case.table is None:
        return ("expected-wins", "bradley-terry")
    return ("mean", "bradley-terry") if case.table.two_valued else ("mean", "median", "bradley-terry")


def _contested(
    case: Case, names: tuple[str, str], strengths: dict[str, FloatArray], shown: dict[str, Any]
) -> list[Contested]:
    """Return the pairs that two mechanisms order differently, those that chance does not explain first."""
    systems = case.counts.systems
    one, two = (strengths[name] for name in names)
    turned = np.argwhere(np.triu((one[:, None] - one) * (two[:, None] - two) < 0))
    told = None if shown[names[0]] is None else shown[names[0]] | shown[names[1]]
    found = []
    for first, second in turned:
        ahead, behind = (first, second) if one[first] > one[second] else (second, first)
        real = told is not None and bool(told[first, second])
        why = _why(case, int(ahead), int(behind)) if real else CHANCE
        found.append(Contested(names[0], names[1], systems[ahead], systems[behind], why))
    return sorted(found, key=lambda each: each.why == CHANCE)


def _strength(case: Case, name: str) -> FloatArray:
    if name == "bradley-terry":
        return case.fit.strength
    model: Any = build(name)
    return np.asarray(model.fit(case.data.statistic(model.consumes[0])).strength)


def _shown(case: Case, name: str) -> Any:
    """Return which pairs a mechanism's own test tells apart, corrected for their number; None for judgments."""
    if case.table is None:
        return None
    tests = {"mean": lambda: t_tests(case.values)[1], "median": lambda: mood_tests(case.values)[1]}
    p = tests.get(name, lambda: sign_tests(case.counts))()
    first, second = np.triu_indices(len(p), 1)
    told = np.zeros(p.shape, dtype=bool)
    corrected = adjusted(np.nan_to_num(p[first, second], nan=1.0), "holm")
    told[first, second] = corrected < MECHANISMS_DISAGREE.thresholds["p"]
    return told | told.T


def _why(case: Case, ahead: int, behind: int) -> str:
    """Say what makes two mechanisms differ about a pair of systems."""
    gap = case.values[:, ahead] - case.values[:, behind]
    own = np.nanmean(case.values[:, ahead]) - np.nanmean(case.values[:, behind])
    gap = gap[~np.isnan(gap)]
    if not len(gap) or np.sign(gap.mean()) != np.sign(own):
        return "the means are over different items, because scores are missing"
    inner = gap[~far(gap[:, None])[:, 0]]
    few = len(gap) - len(inner) <= _FEW * len(gap)
    if few and np.sign(inner.mean()) != np.sign(gap.mean()):
        return f"{counted(len(gap) - len(inner), 'outlier')} decide the mean"
    tolerance = case.data.tolerance
    lead = int(np.sum(gap > tolerance)) - int(np.sum(gap < -tolerance))
    if np.sign(gap.mean()) != np.sign(lead):
        return "it wins fewer items by more" if gap.mean() > 0 else "it wins more items by less"
    return "the distributions of their scores differ, or other systems decide"
