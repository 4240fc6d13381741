"""Whether there is enough to rest a claim on."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, counted

_FEW, _SOME = 20, 50


def check(case: Case) -> list[Finding]:
    """Count the instances, items or judgments that are drawn again as a whole."""
    units = case.counts.units.size
    if case.table is not None:
        units = int(np.sum(np.sum(~np.isnan(case.table.values), axis=1) > 1))
    if units >= _SOME:
        return []
    message = f"everything rests on {counted(units, case.unit)}"
    hint = "exact tests only, and no claims about small differences" if units < _FEW else "intervals are rough"
    return [Finding("few-units", "warning" if units < _FEW else "info", message, hint, units)]
