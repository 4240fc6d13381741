"""Systems with identical or nearly identical results."""

import numpy as np
from numpy.typing import NDArray

from betterthan.evidence import TIE
from betterthan.findings import Finding, kinds
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 40


def check(case: ExaminedData) -> list[Finding]:
    """Find pairs that tie always, and those that tie nearly always."""
    tied = np.divide(case.counts.outcomes[TIE], case.met, out=np.zeros(len(case.met)), where=case.met > 0)
    usual = float(np.sum(case.counts.outcomes[TIE]) / np.sum(case.met))
    enough = case.met >= kinds.evidence.IDENTICAL.thresholds[f"{case.data.counted}s"]
    same = np.flatnonzero((tied == 1) & enough)
    limits = kinds.evidence.NEAR_IDENTICAL.thresholds
    often = (case.met >= limits["comparisons"]) & (usual < limits["usual_ties"])
    near = np.flatnonzero((tied >= limits["tied"]) & (tied < 1) & often)
    findings = []
    if len(same):
        findings.append(kinds.evidence.IDENTICAL.found(pairs=_some(case, same), number=len(same)))
    if len(near):
        findings.append(kinds.evidence.NEAR_IDENTICAL.found(pairs=_some(case, near), number=len(near)))
    return findings


def _some(case: ExaminedData, pairs: NDArray[np.intp]) -> str:
    more = f", and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
    return "; ".join(case.pair(int(place)) for place in pairs[:3]) + more
