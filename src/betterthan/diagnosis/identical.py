"""Systems that are one and the same, or nearly."""

import numpy as np
from numpy.typing import NDArray

from betterthan.diagnosis.case import Case
from betterthan.evidence.outcomes import TIE
from betterthan.findings import Finding

_NEARLY, _LEAST = 0.95, 20


def check(case: Case) -> list[Finding]:
    """Find pairs that tie always, and those that tie nearly always."""
    tied = np.divide(case.counts.outcomes[TIE], case.met, out=np.zeros(len(case.met)), where=case.met > 0)
    usual = float(np.sum(case.counts.outcomes[TIE]) / np.sum(case.met))
    enough = case.met >= (2 if case.table is not None else _LEAST)
    same = np.flatnonzero((tied == 1) & enough)
    near = np.flatnonzero((tied >= _NEARLY) & (tied < 1) & (case.met >= _LEAST) & (usual < 0.5))
    findings = []
    if len(same):
        message = f"{_some(case, same)} never differ"
        findings.append(Finding("identical", "warning", message, "the same system twice, or the same file?",
                                float(len(same))))  # fmt: skip
    if len(near):
        message = f"{_some(case, near)} tie in {100 * _NEARLY:.0f} % of their comparisons or more"
        hint = "variants of one system share ranks and take places from others"
        findings.append(Finding("near-identical", "info", message, hint, float(len(near))))
    return findings


def _some(case: Case, pairs: NDArray[np.intp]) -> str:
    more = f", and {len(pairs) - 3} more pairs" if len(pairs) > 3 else ""
    return "; ".join(case.pair(int(place)) for place in pairs[:3]) + more
