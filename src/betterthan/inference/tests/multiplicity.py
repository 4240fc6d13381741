"""Corrections of p-values for multiple testing."""

import numpy as np

from betterthan.base import FloatArray, PlanError
from betterthan.options import CORRECTIONS


def adjusted(p: FloatArray, correction: str) -> FloatArray:
    """Return the corrected p-values, in the order given.

    >>> adjusted(np.array([0.01, 0.04, 0.03]), "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    if correction not in CORRECTIONS:
        raise PlanError(f"correction must be one of {', '.join(CORRECTIONS)}, got {correction!r}.")
    if correction == "none" or len(p) == 0:
        return p.copy()
    if correction == "bonferroni":
        return np.minimum(p * len(p), 1.0)
    order = np.argsort(p, kind="stable")
    if correction == "benjamini-hochberg":
        raised = p[order] * (len(p) / np.arange(1, len(p) + 1))
        steps = np.minimum.accumulate(raised[::-1])[::-1]
    else:
        steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    result = np.empty_like(p)
    result[order] = np.minimum(steps, 1.0)
    return result
