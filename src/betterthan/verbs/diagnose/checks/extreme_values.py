"""Decision values piled up at the ends of their scale, which win comparisons by over-confidence (Levtsov and Ustalov
2025).
"""

import numpy as np

from betterthan.base import FloatArray
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds, marked
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 80


@of_scores
def check(_: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Find systems most of whose scores lie at the ends of a scale that others use in full."""
    limits = kinds.scores.OVER_CONFIDENT.thresholds
    if len(np.unique(table.values[~np.isnan(table.values)])) < limits["distinct_scores"]:
        return []  # right and wrong, or a few grades: the ends are all there is
    low, high = piled(table.values)
    share = low + high
    # Bold systems use both ends; empty outputs, say, only one. And others must show that the scale has a middle.
    bold = (share > limits["extreme"]) & (np.minimum(low, high) > limits["each_end"])
    bold &= float(share.min()) < limits["extreme_of_others"]
    if not np.any(bold):
        return []
    systems = marked(table.systems, bold)
    least, most = share[bold].min(), share[bold].max()
    return [kinds.scores.OVER_CONFIDENT.found(systems=systems, least=least, most=most, other=share.min())]


def piled(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each system's shares of scores within a hundredth of the range from its lower and its upper end."""
    low, high = np.nanmin(values), np.nanmax(values)
    reach = kinds.scores.OVER_CONFIDENT.thresholds["width_of_an_end"] * (high - low)
    number = np.sum(~np.isnan(values), axis=0)
    return np.sum(values <= low + reach, axis=0) / number, np.sum(values >= high - reach, axis=0) / number
