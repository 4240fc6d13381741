"""Judgments that were given, or written down, more than once."""

import numpy as np

from betterthan.arrays import combinations
from betterthan.diagnosis.case import Case
from betterthan.errors import EvidenceError
from betterthan.findings import Finding, Level
from betterthan.findings.evidence import DUPLICATES


def check(case: Case) -> list[Finding]:
    """Count judgments that repeat another in item, judge, systems, sides and outcome."""
    judgments = case.judgments
    if judgments is None or judgments.counts or not {"item", "judge"} <= set(judgments.units):
        return []  # without item and judge, equal rows are what one expects
    # Whoever meets a pair again, in another ranking or at another time, gives another judgment.
    by = tuple(role for role in ("item", "judge", "ranking", "time") if role in judgments.roles)
    try:
        tally = judgments.tally(*by)
    except EvidenceError:  # some rows lack one of them
        return []
    columns = (tally.left, tally.right, tally.outcome, *(tally.units[unit].codes for unit in by))
    total = float(np.sum(tally.times))
    surplus = total - combinations(columns)
    share = surplus / total
    if surplus == 0:
        return []
    level: Level = "warning" if share > DUPLICATES.thresholds["many"] else "info"
    return [DUPLICATES.found(level=level, surplus=surplus, share=share)]
