"""Scores far from the rest of their system: they move means, and hardly anything else."""

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding, listed
from betterthan.findings.scores import OUTLIERS
from betterthan.infer.multiplicity import adjusted
from betterthan.infer.outliers import far
from betterthan.infer.tails import binomial_from


def check(case: Case) -> list[Finding]:
    """Measure the share of outliers, overall and by system."""
    limits = OUTLIERS.thresholds
    if case.table is None or len(case.table.instances) < limits["items"]:
        return []  # quartiles of a few scores call anything an outlier
    values = case.table.values[:, _fine(case.table.values)]
    names = [name for name, fine in zip(case.table.systems, _fine(case.table.values), strict=True) if fine]
    if not names:
        return []
    there = ~np.isnan(values)
    number, size = far(values).sum(axis=0), there.sum(axis=0)
    overall = float(number.sum() / size.sum())
    # What is usual is the share of outliers among normal scores, and somewhat more.
    p = binomial_from(number, size, limits["usual"])
    many = (adjusted(p, "holm") < 0.01) & (number > limits["many"] * size)
    if overall <= limits["many"] and not np.any(many):
        return [OUTLIERS.noted(share=overall, worst="")]
    worst = f", significantly more than usual for {listed(names, many)}" if np.any(many) else ""
    return [OUTLIERS.found(share=overall, worst=worst)]


def _fine(values: FloatArray) -> BoolArray:
    """Mark systems whose scores are fine enough for quartiles to mean something: not right and wrong, nor grades."""
    low, high = np.nanquantile(values, [0.25, 0.75], axis=0)
    several = [len(np.unique(column[~np.isnan(column)])) >= 10 for column in values.T]
    fine: BoolArray = np.array(several) & (high > low)
    return fine
