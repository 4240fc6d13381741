"""Whether there is enough to rest a claim on."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, Level
from betterthan.findings.resampling import FEW_UNITS


def check(case: Case) -> list[Finding]:
    """Count the units that are resampled as a whole; an item that only one system has says nothing."""
    units = case.counts.units.size
    if case.table is not None and case.unit == "item":
        units = int(np.sum(np.sum(~np.isnan(case.table.values), axis=1) > 1))
    if units >= FEW_UNITS.thresholds["mentioned"]:
        return []
    level: Level = "warning" if units < FEW_UNITS.thresholds["exact_tests"] else "info"
    crossed = case.counts.units.crossed
    unit = case.unit if crossed is None else min(crossed[:2], key=lambda factor: factor.size).name
    return [FEW_UNITS.found(level=level, units=units, unit=unit)]
