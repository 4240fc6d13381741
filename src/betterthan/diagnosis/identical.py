"""Systems that are one and the same, or nearly."""

import numpy as np
from numpy.typing import NDArray

from betterthan.diagnosis.case import Case
from betterthan.evidence.outcomes import TIE
from betterthan.findings import Finding
from betterthan.findings.evidence import IDENTICAL, NEAR_IDENTICAL


def check(case: Case) -> list[Finding]:
    """Find pairs that tie always, and those that tie nearly always."""
    tied = np.divide(case.counts.outcomes[TIE], case.met, out=np.zeros(len(case.met)), where=case.met > 0)
    usual = float(np.sum(case.counts.outcomes[TIE]) / np.sum(case.met))
    enough = case.met >= IDENTICAL.thresholds["judgments" if case.table is None else "items"]
    same = np.flatnonzero((tied == 1) & enough)
    limits = NEAR_IDENTICAL.thresholds
    often = (case.met >= limits["comparisons"]) & (usual < limits["usual_ties"])
    near = np.flatnonzero((tied >= limits["tied"]) & (tied < 1) & often)
    findings = []
    if len(same):
        findings.append(IDENTICAL.found(pairs=_some(case, same), number=len(same)))
    if len(near):
        findings.append(NEAR_IDENTICAL.found(pairs=_some(case, near), number=len(near)))
    return findings


def _some(case: Case, pairs: NDArray[np.intp]) -> str:
    more = f", and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
    return "; ".join(case.pair(int(place)) for place in pairs[:3]) + more
