"""Duplicate judgments."""

import numpy as np

from betterthan.base import EvidenceError, arrays
from betterthan.findings import Finding, Level, kinds
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 50


def check(case: ExaminedData) -> list[Finding]:
    """Count judgments that repeat another in item, judge, systems, sides and outcome."""
    judgments = case.judgments
    if judgments is None or judgments.counts or not {"item", "judge"} <= set(judgments.units):
        return []  # without item and judge, equal rows are what one expects
    # A judge who sees a pair again, in another ranking or at another time, gives another judgment.
    by = tuple(role for role in ("item", "judge", "ranking", "time") if role in judgments.roles)
    try:
        tally = judgments.tally(*by)
    except EvidenceError:  # some rows lack one of them
        return []
    columns = (tally.left, tally.right, tally.outcome, *(tally.units[unit].codes for unit in by))
    total = float(np.sum(tally.times))
    surplus = total - arrays.combinations(columns)
    share = surplus / total
    if surplus == 0:
        return []
    level: Level = "warning" if share > kinds.evidence.DUPLICATES.thresholds["many"] else "info"
    return [kinds.evidence.DUPLICATES.found(level=level, surplus=surplus, share=share)]
