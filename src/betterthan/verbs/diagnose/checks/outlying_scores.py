"""Outlying scores, which affect means and little else."""

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds, listed
from betterthan.inference import adjusted, far_from_the_rest, tails
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 70


@of_scores
def check(_: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Measure the share of outliers, overall and by system."""
    limits = kinds.scores.OUTLIERS.thresholds
    if len(table.items) < limits["items"]:
        return []  # quartiles of a few scores call anything an outlier
    values = table.values[:, _fine(table.values)]
    names = [name for name, fine in zip(table.systems, _fine(table.values), strict=True) if fine]
    if not names:
        return []
    there = ~np.isnan(values)
    number, size = far_from_the_rest(values).sum(axis=0), there.sum(axis=0)
    overall = float(number.sum() / size.sum())
    # What is usual is the share of outliers among normal scores, and somewhat more.
    p = tails.binomial_from(number, size, limits["usual"])
    many = (adjusted(p, "holm") < limits["p"]) & (number > limits["many"] * size)
    if overall <= limits["many"] and not np.any(many):
        return [kinds.scores.OUTLIERS.noted(share=overall, worst="")]
    worst = f", significantly more than usual for {listed(names, many)}" if np.any(many) else ""
    return [kinds.scores.OUTLIERS.found(share=overall, worst=worst)]


def _fine(values: FloatArray) -> BoolArray:
    """Mark systems whose scores are fine enough for quartiles to mean something: not right and wrong, nor grades."""
    low, high = np.nanquantile(values, [0.25, 0.75], axis=0)
    least = kinds.scores.OUTLIERS.thresholds["distinct_scores"]
    several = [len(np.unique(column[~np.isnan(column)])) >= least for column in values.T]
    fine: BoolArray = np.array(several) & (high > low)
    return fine
