"""Many ties, and what they cost."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.evidence.outcomes import TIE
from betterthan.findings import Finding

_SOME, _MANY = 0.05, 0.3


def check(case: Case) -> list[Finding]:
    """Say how many comparisons are ties, and how many more are needed because of them."""
    share = float(np.sum(case.counts.outcomes[TIE]) / np.sum(case.met))
    if share < _SOME:
        return []
    if share == 1:
        return [Finding("ties", "warning", "all comparisons are ties: nobody is better than anybody", value=share)]
    what = "instances" if case.table is not None else "judgments"
    message = (
        f"{100 * share:.0f} % of the comparisons are ties: who wins is learnt from the others only, which takes "
        f"{1 / (1 - share):.1f} times the {what}"
    )
    hint = "a finer measure has fewer; davidson makes use of them" if share > _MANY else ""
    return [Finding("many-ties" if share > _MANY else "ties", "warning" if share > _MANY else "info", message, hint,
                    share)]  # fmt: skip
