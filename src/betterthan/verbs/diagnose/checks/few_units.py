"""Whether there are enough units for a conclusion."""

import numpy as np

from betterthan.findings import Finding, Level, kinds
from betterthan.verbs.diagnose.examined_data import ExaminedData

#: Where its findings stand among those of other checks.
PLACE = 10


def check(case: ExaminedData) -> list[Finding]:
    """Count the units that are resampled as a whole; an item that only one system has says nothing."""
    units = case.counts.units.size
    if case.table is not None and case.unit == "item":
        units = int(np.sum(np.sum(~np.isnan(case.table.values), axis=1) > 1))
    if units >= kinds.resampling.FEW_UNITS.thresholds["mentioned"]:
        return []
    level: Level = "warning" if units < kinds.resampling.FEW_UNITS.thresholds["exact_tests"] else "info"
    crossed = case.counts.units.crossed
    unit = case.unit if crossed is None else min(crossed[:2], key=lambda factor: factor.size).name
    return [kinds.resampling.FEW_UNITS.found(level=level, units=units, unit=unit)]
