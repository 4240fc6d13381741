"""Whether Elo and TrueSkill depend on the order in which judgments came."""

from dataclasses import replace
from typing import Any

from betterthan.base import BetterthanError
from betterthan.datasets import Games
from betterthan.findings import Finding, kinds
from betterthan.models import build_model
from betterthan.verbs.diagnose.examined_data import ExaminedData
from betterthan.verbs.rank import model_statistic

#: Where its findings stand among those of other checks.
PLACE = 150

#: Of more judgments the last ones are played; more comparisons by rankings than this take too long.
_PLAYED = int(kinds.evidence.CHECK_SAMPLED.thresholds["judgments"])
_MOST = int(kinds.evidence.CHECK_SKIPPED.thresholds["ordered_comparisons"])
_SHUFFLES = 5
_WHAT = "Dependence on the order of judgments"


def check(case: ExaminedData) -> list[Finding]:
    """Play the judgments in their order and in others, and compare."""
    number = round(float(case.met.sum()))
    if not case.data.pairwise and number > _MOST:
        return [kinds.evidence.CHECK_SKIPPED.found(check=_WHAT, most=_MOST, what="comparison", number=number)]
    findings, played = [], None
    for name in ("elo", "trueskill"):
        model = build_model(f"{name}(shuffles={_SHUFFLES})", seed=case.seed)
        try:
            statistic = _statistic(case, model)
        except BetterthanError:
            continue  # counted judgments, or rows of an engine, have no order
        if isinstance(statistic, Games) and len(statistic.left) > _PLAYED:
            played, statistic = len(statistic.left), statistic.last(_PLAYED)
        # A finding about the model, whose board warns of it; for the evidence it is only information.
        findings += [
            replace(finding, level="info")
            for finding in model.fit(statistic).findings
            if finding.code == "order-dependence" and finding.value
        ]
    if played is not None and findings:
        findings.append(kinds.evidence.CHECK_SAMPLED.found(check=_WHAT, used=_PLAYED, number=played))
    return findings


def _statistic(case: ExaminedData, model: Any) -> Any:
    """Return the judgments one by one; their units are not read where no row was refused for want of one."""
    units = not case.data.pairwise or case.data.account().refused > 0
    return model_statistic.statistic_for(model, case.data, units=units)[0]
