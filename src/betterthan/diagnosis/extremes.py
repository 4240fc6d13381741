"""Decision values piled at the ends of their scale, which win comparisons by boldness (Levtsov and Ustalov 2025)."""

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, marked
from betterthan.findings.scores import OVER_CONFIDENT

#: A score this near to an end of the scale, as a share of its range, lies at the end.
_CLOSE = 0.01


def check(case: Case) -> list[Finding]:
    """Find systems most of whose scores lie at the ends of a scale that others use in full."""
    limits = OVER_CONFIDENT.thresholds
    if case.table is None:
        return []
    if len(np.unique(case.table.values[~np.isnan(case.table.values)])) < limits["distinct_scores"]:
        return []  # right and wrong, or a few grades: the ends are all there is
    low, high = piled(case.table.values)
    share = low + high
    # Bold systems use both ends; empty outputs, say, only one. And others must show that the scale has a middle.
    bold = (share > limits["extreme"]) & (np.minimum(low, high) > limits["each_end"])
    bold &= float(share.min()) < limits["extreme"] / 2
    if not np.any(bold):
        return []
    systems = marked(case.table.systems, bold)
    least, most = share[bold].min(), share[bold].max()
    return [OVER_CONFIDENT.found(systems=systems, least=least, most=most, other=share.min())]


def piled(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each system's shares of scores within a hundredth of the range from its lower and its upper end."""
    low, high = np.nanmin(values), np.nanmax(values)
    reach = _CLOSE * (high - low)
    number = np.sum(~np.isnan(values), axis=0)
    return np.sum(values <= low + reach, axis=0) / number, np.sum(values >= high - reach, axis=0) / number
