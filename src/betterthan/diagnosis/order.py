"""Whether Elo and TrueSkill depend on the order in which judgments came."""

from dataclasses import replace

from betterthan.diagnosis.case import Case
from betterthan.errors import BetterthanError
from betterthan.findings import Finding
from betterthan.leaderboard.statistic import statistic_for
from betterthan.models.base import build

#: More judgments than this take too long to be played again and again.
_MOST, _SHUFFLES = 2_000_000, 5


def check(case: Case) -> list[Finding]:
    """Play the judgments in their order and in others, and compare."""
    if case.met.sum() > _MOST:
        return []
    findings = []
    for name in ("elo", "trueskill"):
        model = build(f"{name}(shuffles={_SHUFFLES})", seed=case.seed)
        try:
            statistic, _ = statistic_for(model, case.data)
        except BetterthanError:
            continue  # counted judgments, or rows of an engine, have no order
        # A doubt about the model, whose board warns of it; about the evidence it is a fact.
        findings += [
            replace(finding, level="info")
            for finding in model.fit(statistic).findings
            if finding.code == "order-dependence" and finding.value
        ]
    return findings
