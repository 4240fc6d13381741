"""Decision values piled at the ends of their scale, which win comparisons by boldness (Levtsov and Ustalov 2025)."""

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, listed

_PILED, _BOTH, _CLOSE, _FINE = 0.5, 0.1, 0.01, 20


def check(case: Case) -> list[Finding]:
    """Find systems most of whose scores lie at the ends of a scale that others use in full."""
    if case.table is None or len(np.unique(case.table.values[~np.isnan(case.table.values)])) < _FINE:
        return []  # right and wrong, or a few grades: the ends are all there is
    low, high = piled(case.table.values)
    share = low + high
    # Bold systems use both ends; empty outputs, say, only one. And others must show that the scale has a middle.
    bold = (share > _PILED) & (np.minimum(low, high) > _BOTH) & (float(share.min()) < _PILED / 2)
    if not np.any(bold):
        return []
    message = (
        f"{listed(case.table.systems, bold)}: at least {100 * float(share[bold].min()):.0f} % of the scores lie at the "
        f"ends of the scale, of another system only {100 * float(share.min()):.0f} %"
    )
    hint = "over-confident systems win too many pairwise comparisons: trust the mean, or make all outputs binary first"
    return [Finding("over-confident", "warning", message, hint, float(share[bold].max()))]


def piled(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each system's shares of scores within a hundredth of the range from its lower and its upper end."""
    low, high = np.nanmin(values), np.nanmax(values)
    reach = _CLOSE * (high - low)
    number = np.sum(~np.isnan(values), axis=0)
    return np.sum(values <= low + reach, axis=0) / number, np.sum(values >= high - reach, axis=0) / number
