"""Many ties, and what they cost."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.evidence.outcomes import TIE
from betterthan.findings import Finding
from betterthan.findings.ties import ALL_TIES, MANY_TIES, TIES


def check(case: Case) -> list[Finding]:
    """Say how many comparisons are ties, and how many more are needed because of them."""
    share = float(np.sum(case.counts.outcomes[TIE]) / np.sum(case.met))
    if share < TIES.thresholds["mentioned"]:
        return []
    if share == 1:
        return [ALL_TIES.found()]
    kind = MANY_TIES if share > MANY_TIES.thresholds["many"] else TIES
    what = "items" if case.table is not None else "judgments"
    return [kind.found(share=share, factor=1 / (1 - share), what=what)]
