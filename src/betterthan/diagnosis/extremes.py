"""Decision values piled at the ends of their scale, which win comparisons by boldness (Levtsov and Ustalov 2025)."""

import numpy as np

from betterthan.diagnosis.case import Case
from betterthan.engine.table import FloatArray
from betterthan.findings import Finding, listed

_PILED, _CLOSE, _FINE = 0.5, 0.01, 20


def check(case: Case) -> list[Finding]:
    """Find systems most of whose scores lie at the ends of a scale that others use in full."""
    if case.table is None or len(np.unique(case.table.values[~np.isnan(case.table.values)])) < _FINE:
        return []  # right and wrong, or a few grades: the ends are all there is
    share = piled(case.table.values)
    bold = (share > _PILED) & (share > 2 * float(np.median(share)))
    if not np.any(bold):
        return []
    message = (
        f"{listed(case.table.systems, bold)}: {100 * float(share[bold].min()):.0f} % of the scores or more lie at the "
        f"ends of the scale (median of all systems: {100 * float(np.median(share)):.0f} %)"
    )
    hint = "over-confident systems win too many pairwise comparisons: trust the mean, or make all outputs binary first"
    return [Finding("over-confident", "warning", message, hint, float(share.max()))]


def piled(values: FloatArray) -> FloatArray:
    """Return each system's share of scores within a hundredth of the range from its ends."""
    low, high = np.nanmin(values), np.nanmax(values)
    reach = _CLOSE * (high - low)
    at_end = (values <= low + reach) | (values >= high - reach)
    share: FloatArray = np.sum(at_end, axis=0) / np.sum(~np.isnan(values), axis=0)
    return share
