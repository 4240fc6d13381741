"""Scores that are not there: systems are then compared on different items."""

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding
from betterthan.models.direct.scores import missing_scores


def check(case: Case) -> list[Finding]:
    """Say which systems lack scores, and on how many items all have one."""
    return [] if case.table is None else [*missing_scores(case.table.values, case.table.systems)]
