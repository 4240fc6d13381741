"""Scores far from the rest of their system: they move means, and hardly anything else."""

import numpy as np
from numpy.typing import NDArray

from betterthan.diagnosis.case import Case
from betterthan.engine.table import FloatArray
from betterthan.findings import Finding, listed

_MANY = 0.05


def check(case: Case) -> list[Finding]:
    """Measure the share of outliers, overall and by system."""
    if case.table is None:
        return []
    values = case.table.values
    shares = np.mean(far(values), axis=0, where=~np.isnan(values))
    overall = float(np.sum(far(values)) / np.sum(~np.isnan(values)))
    many = shares > _MANY
    message = f"{100 * overall:.1f} % of the scores are outliers (beyond 1.5 IQR of their system)"
    if not np.any(many):
        return [Finding("outliers", "info", message, value=overall)]
    worst = f"; more than {100 * _MANY:.0f} % of those of {listed(case.table.systems, many)}"
    hint = "means follow them: look at them, and report the median or bradley-terry too"
    return [Finding("outliers", "warning", message + worst, hint, overall)]


def far(values: FloatArray) -> NDArray[np.bool_]:
    """Mark values beyond 1.5 interquartile ranges of their column's quartiles; missing ones are not."""
    low, high = np.nanquantile(values, [0.25, 0.75], axis=0)
    reach = 1.5 * (high - low)
    beyond: NDArray[np.bool_] = (values < low - reach) | (values > high + reach)
    return beyond
