"""Disagreement of models about the order of two systems, and the reasons."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from betterthan.base import FloatArray, arrays
from betterthan.findings import Finding, counted, kinds
from betterthan.inference import adjusted, all_pairs_tests
from betterthan.models import build_model
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 60

_SHOWN = 3
#: All pairs are examined one by one.
_MOST_SYSTEMS = int(kinds.evidence.CHECK_SKIPPED.thresholds["systems_by_model"])
CHANCE = "not significant"
#: A larger share of items far from the others is a type of items, not outliers.
_FEW = kinds.scores.MECHANISMS_DISAGREE.thresholds["share_of_outliers"]


@dataclass(frozen=True)
class Contested:
    """A pair that two models order differently: `ahead` by the first of them, and the reason."""

    a: str
    b: str
    ahead: str
    behind: str
    why: str

    def __str__(self) -> str:
        return f"{self.ahead!r} is ahead of {self.behind!r} by {self.a} only ({self.why})"


def check(case: ExaminedData) -> list[Finding]:
    """Compare mean, median and Bradley–Terry of scores, or Bradley–Terry and expected wins of judgments."""
    names = _names(case)
    size = case.counts.size
    if size > _MOST_SYSTEMS:
        return [
            kinds.evidence.CHECK_SKIPPED.found(
                check="Agreement of models", most=_MOST_SYSTEMS, what="system", number=size
            )
        ]
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
        tell = kinds.scores.MECHANISMS_DISAGREE.found if real else kinds.scores.MECHANISMS_DISAGREE.noted
        findings.append(
            tell(
                a=a,
                b=b,
                contested=len(found),
                pairs=pairs,
                significant=len(real),
                examples=texts,
                share=len(real or found) / pairs,
            )
        )
    return findings


def _names(case: ExaminedData) -> tuple[str, ...]:
    """Name the models; the median of right and wrong answers only says which answer is more frequent."""
    if case.table is None:
        return ("expected-wins", "bradley-terry")
    return ("mean", "bradley-terry") if case.table.two_valued else ("mean", "median", "bradley-terry")


def _contested(
    case: ExaminedData, names: tuple[str, str], strengths: dict[str, FloatArray], shown: dict[str, Any]
) -> list[Contested]:
    """Return the pairs that two models order differently, those that chance does not explain first."""
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


def _strength(case: ExaminedData, name: str) -> FloatArray:
    if name == "bradley-terry":
        return case.fit.strength
    model: Any = build_model(name)
    return np.asarray(model.fit(case.data.statistic(model.consumes[0])).strength)


def _shown(case: ExaminedData, name: str) -> Any:
    """Return which pairs differ significantly by a model's own test, corrected for their number; None for judgments."""
    if case.table is None:
        return None
    tests = {
        "mean": lambda: all_pairs_tests.t_tests(case.values)[1],
        "median": lambda: all_pairs_tests.mood_tests(case.values)[1],
    }
    p = tests.get(name, lambda: all_pairs_tests.sign_tests(case.counts))()
    first, second = np.triu_indices(len(p), 1)
    told = np.zeros(p.shape, dtype=bool)
    corrected = adjusted(np.nan_to_num(p[first, second], nan=1.0), "holm")
    told[first, second] = corrected < kinds.scores.MECHANISMS_DISAGREE.thresholds["p"]
    return told | told.T


def _why(case: ExaminedData, ahead: int, behind: int) -> str:
    """Return the reason why two models order a pair of systems differently."""
    gap = case.values[:, ahead] - case.values[:, behind]
    own = np.nanmean(case.values[:, ahead]) - np.nanmean(case.values[:, behind])
    gap = gap[~np.isnan(gap)]
    if not len(gap) or np.sign(gap.mean()) != np.sign(own):
        return "the means are over different items, because scores are missing"
    inner = gap[~arrays.far_from_the_rest(gap[:, None])[:, 0]]
    few = len(gap) - len(inner) <= _FEW * len(gap)
    if few and np.sign(inner.mean()) != np.sign(gap.mean()):
        return f"{counted(len(gap) - len(inner), 'outlier')} decide the mean"
    tolerance = case.data.tolerance
    lead = int(np.sum(gap > tolerance)) - int(np.sum(gap < -tolerance))
    if np.sign(gap.mean()) != np.sign(lead):
        return "it wins fewer items by more" if gap.mean() > 0 else "it wins more items by less"
    return "the distributions of their scores differ, or other systems decide"
