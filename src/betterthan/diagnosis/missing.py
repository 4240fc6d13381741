"""Scores that are not there: systems are then compared on different instances."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, Level, marked
from betterthan.findings.scores import MISSING_SCORES


def check(case: Case) -> list[Finding]:
    """Say which systems lack scores, and on how many instances all have one."""
    if case.table is None or not np.any(np.isnan(case.table.values)):
        return []
    lacking = np.isnan(case.table.values)
    share = float(np.mean(lacking))
    complete = int(np.sum(~np.any(lacking, axis=1)))
    systems = marked(case.table.systems, np.any(lacking, axis=0))
    level: Level = "warning" if share > MISSING_SCORES.thresholds["many"] else "info"
    return [MISSING_SCORES.found(level=level, share=share, systems=systems, complete=complete, instances=len(lacking))]
