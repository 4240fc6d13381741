"""Scores that are not there: systems are then compared on different instances."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, listed

_MANY = 0.01


def check(case: Case) -> list[Finding]:
    """Say which systems lack scores, and on how many instances all have one."""
    if case.table is None or not np.any(np.isnan(case.table.values)):
        return []
    lacking = np.isnan(case.table.values)
    share = float(np.mean(lacking))
    complete = int(np.sum(~np.any(lacking, axis=1)))
    message = (
        f"{100 * share:.1f} % of the scores are missing, of {listed(case.table.systems, np.any(lacking, axis=0))}: "
        f"{complete:,} of {len(lacking):,} instances have all of them"
    )
    hint = "means of different instances cannot be compared: score the rest, or trust paired comparisons"
    return [Finding("missing-scores", "warning" if share > _MANY else "info", message, hint, share)]
