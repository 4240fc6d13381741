"""Ranks of systems by a model, as studies need them: without intervals, and for all systems."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.datasets.scored import ScoredSet
from betterthan.engine.once import Once
from betterthan.infer.ranks import ranks_of
from betterthan.leaderboard.statistic import by_units_of, statistic_for
from betterthan.models.base import Fit, build
from betterthan.parallel import one_blas_thread


def ranks_by(models: Sequence[str], data: DataSet, *, exact: bool = False) -> list[IntArray]:
    """Rank all systems by every model, 1 the best; equal strengths share the better rank.

    With `exact`, strengths that no solver found are equal only if all their digits are.
    """
    found = []
    with one_blas_thread():
        for text in models:
            model = build(text)
            statistic, _ = statistic_for(model, by_units_of(model, data, None), units=False)
            fit = model.fit(statistic)
            every_digit = exact and not fit.resolution
            found.append(np.sum(fit.strength > fit.strength[:, None], axis=1) + 1 if every_digit else ranked(fit))
    return found


def ranked(fit: Fit, strength: FloatArray | None = None) -> IntArray:
    """Rank the strengths of a fit, or others that a refit of the same model gave."""
    strength = fit.strength if strength is None else strength
    return ranks_of(strength, np.zeros(len(strength), dtype=bool), fit.resolution)


def sampled(data: ScoredSet, rows: IntArray) -> ScoredSet:
    """Return some instances of a table, as a table by themselves."""
    table = data.scores
    part = replace(
        table, instances=tuple(table.instances[row] for row in rows), values=table.values[rows], appearance=None,
        groups=None if table.groups is None else table.groups.take(rows), repeats=None, parts=None,
    )  # fmt: skip
    return replace(data, scores=part, unit="item" if data.groups is None else "group", made=Once())
