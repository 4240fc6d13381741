"""The share of ties, and their cost."""

import numpy as np

from betterthan.evidence import TIE
from betterthan.findings import Finding, kinds
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 110


def check(case: ExaminedData) -> list[Finding]:
    """Return how many comparisons are ties, and how many more are needed because of them."""
    share = float(np.sum(case.counts.outcomes[TIE]) / np.sum(case.met))
    if share < kinds.ties.TIES.thresholds["mentioned"]:
        return []
    if share == 1:
        return [kinds.ties.ALL_TIES.found()]
    kind = kinds.ties.MANY_TIES if share > kinds.ties.MANY_TIES.thresholds["many"] else kinds.ties.TIES
    return [kind.found(share=share, factor=1 / (1 - share), what=f"{case.data.counted}s")]
