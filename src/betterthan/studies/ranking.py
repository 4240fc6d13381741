"""Ranks of systems by a model, as studies need them: without intervals, and for all systems."""

from collections.abc import Sequence

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.infer.ranks import ranks_of
from betterthan.leaderboard.statistic import by_units_of, statistic_for
from betterthan.models.base import Fit, build
from betterthan.parallel import one_blas_thread


def ranks_by(models: Sequence[str], data: DataSet) -> list[IntArray]:
    """Rank all systems by every model, 1 the best; equal strengths share the better rank."""
    found = []
    with one_blas_thread():
        for text in models:
            model = build(text)
            statistic, _ = statistic_for(model, by_units_of(model, data, None), units=False)
            found.append(ranked(model.fit(statistic)))
    return found


def ranked(fit: Fit, strength: FloatArray | None = None) -> IntArray:
    """Rank the strengths of a fit, or others that a refit of the same model gave."""
    strength = fit.strength if strength is None else strength
    return ranks_of(strength, np.zeros(len(strength), dtype=bool), fit.resolution)
