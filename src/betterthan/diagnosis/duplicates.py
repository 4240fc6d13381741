"""Judgments that were given, or written down, more than once."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding

_MANY = 0.01


def check(case: Case) -> list[Finding]:
    """Count judgments that repeat another in item, judge, systems, sides and outcome."""
    judgments = case.judgments
    if judgments is None or judgments.counts or not {"item", "judge"} <= set(judgments.units):
        return []  # without item and judge, equal rows are what one expects
    tally = judgments.tally("item", "judge")
    columns = (tally.left, tally.right, tally.outcome, *(tally.units[unit].codes for unit in ("item", "judge")))
    order = np.lexsort(columns)
    changes = np.any([np.diff(column[order]) != 0 for column in columns], axis=0)
    total = float(np.sum(tally.times))
    surplus = total - 1 - float(np.sum(changes))
    share = surplus / total
    if surplus == 0:
        return []
    message = (
        f"{surplus:,.0f} judgments ({100 * share:.1f} %) repeat another: same item, judge, systems, sides and outcome"
    )
    hint = "remove them if they were written twice; they count as often as they occur"
    return [Finding("duplicates", "warning" if share > _MANY else "info", message, hint, share)]
