"""Whether Elo and TrueSkill depend on the order in which judgments came."""

from dataclasses import replace
from typing import Any

from betterthan.diagnosis.case import Case
from betterthan.errors import BetterthanError
from betterthan.findings import Finding
from betterthan.findings.evidence import CHECK_SAMPLED, CHECK_SKIPPED
from betterthan.leaderboard.statistic import statistic_for
from betterthan.models.base import build
from betterthan.reduce.games import Games

#: Of more judgments the last ones are played; more comparisons by rankings than this take too long.
_PLAYED, _MOST, _SHUFFLES = 20_000, 2_000_000, 5
_WHAT = "Dependence on the order of judgments"


def check(case: Case) -> list[Finding]:
    """Play the judgments in their order and in others, and compare."""
    number = round(float(case.met.sum()))
    if case.data.kind != "judgments" and number > _MOST:
        return [CHECK_SKIPPED.found(check=_WHAT, most=_MOST, what="comparison", number=number)]
    findings, played = [], None
    for name in ("elo", "trueskill"):
        model = build(f"{name}(shuffles={_SHUFFLES})", seed=case.seed)
        try:
            statistic = _statistic(case, model)
        except BetterthanError:
            continue  # counted judgments, or rows of an engine, have no order
        if isinstance(statistic, Games) and len(statistic.left) > _PLAYED:
            played, statistic = len(statistic.left), statistic.last(_PLAYED)
        # A doubt about the model, whose board warns of it; about the evidence it is a fact.
        findings += [
            replace(finding, level="info")
            for finding in model.fit(statistic).findings
            if finding.code == "order-dependence" and finding.value
        ]
    if played is not None and findings:
        findings.append(CHECK_SAMPLED.found(check=_WHAT, used=_PLAYED, number=played))
    return findings


def _statistic(case: Case, model: Any) -> Any:
    """Return the judgments one by one; their units are not read where no row was refused for want of one."""
    units = case.data.kind != "judgments" or case.data.account().refused > 0
    return statistic_for(model, case.data, units=units)[0]
