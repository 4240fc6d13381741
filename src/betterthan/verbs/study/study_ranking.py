"""Ranks of systems by a model, without intervals."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from betterthan.base import FloatArray, IntArray, Memo, parallel
from betterthan.datasets import DataSet, ScoredSet
from betterthan.models import Fit, build_model
from betterthan.uncertainty import ranks_and_clusters
from betterthan.verbs.rank import model_statistic


def ranks_by(models: Sequence[str], data: DataSet, *, exact: bool = False) -> list[IntArray]:
    """Rank all systems by every model, 1 the best; equal strengths share the better rank.

    With `exact`, strengths that no solver found are equal only if all their digits are.
    """
    found = []
    with parallel.one_blas_thread():
        for text in models:
            model = build_model(text)
            statistic, _ = model_statistic.statistic_for(
                model, model_statistic.by_units_of(model, data, None), units=False
            )
            fit = model.fit(statistic)
            every_digit = exact and not fit.resolution
            found.append(np.sum(fit.strength > fit.strength[:, None], axis=1) + 1 if every_digit else ranked(fit))
    return found


def ranked(fit: Fit, strength: FloatArray | None = None) -> IntArray:
    """Rank the strengths of a fit, or others that a refit of the same model gave."""
    strength = fit.strength if strength is None else strength
    return ranks_and_clusters.ranks_of(strength, np.zeros(len(strength), dtype=bool), fit.resolution)


def sampled(data: ScoredSet, rows: IntArray) -> ScoredSet:
    """Return some items of a table, as a separate table."""
    table = data.scores
    part = replace(
        table,
        items=tuple(table.items[row] for row in rows),
        values=table.values[rows],
        appearance=None,
        groups=None if table.groups is None else table.groups.take(rows),
        repeats=None,
        parts=None,
    )
    return replace(data, scores=part, unit="item" if data.groups is None else "group", made=Memo())
