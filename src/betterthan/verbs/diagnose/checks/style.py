"""Style: whether the length or the layout of outputs predicts who wins."""

from betterthan.findings import Finding
from betterthan.verbs.diagnose.examined_data import ExaminedData
from betterthan.verbs.rank import board_findings

#: Where its findings stand among those of other checks.
PLACE = 145


def check(case: ExaminedData) -> list[Finding]:
    """Estimate the effect of each feature of style that the columns have."""
    return board_findings.style(case.data)
