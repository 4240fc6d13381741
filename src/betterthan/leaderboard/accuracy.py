"""Intervals of accuracies: of few items, or near 1, resamples of rights and wrongs say too little."""

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.infer.shares import effective_number, wilson
from betterthan.models.base import Model
from betterthan.models.mean import Mean
from betterthan.reduce.scores import ScoreMatrix


def accuracy_intervals(model: Model, statistic: ScoreMatrix, level: float) -> tuple[FloatArray, FloatArray] | None:
    """Return Wilson's intervals of all systems' accuracies as strengths; None where scores are no rights and wrongs."""
    if not isinstance(model, Mean) or model.trim:
        return None
    values = statistic.values
    known = ~np.isnan(values)
    wrong, right = (-1.0, 0.0) if statistic.lower_is_better else (0.0, 1.0)
    if not np.all((values[known] == wrong) | (values[known] == right)):
        return None
    number = known.sum(axis=0)
    share = np.where(known, values - wrong, 0.0).sum(axis=0) / number
    away = np.where(known, values - wrong - share, 0.0)
    if statistic.units.factors:  # right and wrong come in groups
        group, groups = statistic.units.factors[0], statistic.units.levels[0]
        summed = np.stack([np.bincount(group, column, groups) for column in away.T], axis=1)
        present = np.stack([np.bincount(group, column, groups) > 0 for column in known.T], axis=1).sum(axis=0)
        variance = (summed**2).sum(axis=0) / number**2 * present / np.maximum(present - 1, 1)
        number = effective_number(share, variance, number, present, level)
    low, high = wilson(share, number, level)
    return low + wrong, high + wrong
