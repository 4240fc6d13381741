"""Scores of several metrics on the same items, put side by side so that one sample of draws is about all of them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from betterthan.base import IntArray
from betterthan.datasets import RatingMatrix, ScoredSet, ScoreMatrix
from betterthan.engine import MISSING, Coded
from betterthan.models import Mean, Model


def side_by_side(sets: Sequence[ScoredSet], models: Sequence[Model]) -> ScoreMatrix | None:
    """Return one matrix with a column per metric and system, whose column means are the means of the metrics.

    Items that a metric lacks have no influence on its means. None where the models are no plain means, or where judges
    scored other items by some metrics: then it is not known how errors of the metrics correlate.
    """
    means = [model for model in models if isinstance(model, Mean) and not model.trim]
    if len(means) < len(sets):
        return None
    matrices = [each.statistic(ScoreMatrix) for each in sets]
    names = tuple(f"{number}:{name}" for number, each in enumerate(matrices) for name in each.systems)
    if any(each.ratings is not None for each in matrices):
        return _rated(sets, matrices, names)
    rows = sorted({item for each in sets for item in each.scores.items})
    place = {item: row for row, item in enumerate(rows)}
    groups: list[str] | None = None
    columns = []
    for data, matrix, model in zip(sets, matrices, means, strict=True):
        at = np.array([place[item] for item in data.scores.items])
        found = model.influences(matrix)
        parts = np.zeros((len(rows), matrix.size))
        parts[at] = found.parts
        columns.append(found.mean + len(rows) * parts)
        if data.groups is not None and data.scores.groups is not None:
            groups = groups or [f"item {item}" for item in rows]
            for row, label in zip(at.tolist(), data.scores.groups.codes.tolist(), strict=True):
                groups[row] = groups[row] if label == MISSING else f"group {data.scores.groups.labels[label]}"
    unit = {} if groups is None else {"group": Coded.of(groups)}
    units = type(matrices[0].units).of(len(rows), unit, "item")
    return ScoreMatrix(names, np.hstack(columns), False, units)


def _rated(sets: Sequence[ScoredSet], matrices: Sequence[ScoreMatrix], names: tuple[str, ...]) -> ScoreMatrix | None:
    """Put ratings side by side where the same judges rated the same items by every metric."""
    repeats = [each.scores.repeats for each in sets]
    judges = {each.judge.labels for each in repeats if each is not None and each.judge is not None}
    if len({each.scores.items for each in sets}) > 1 or len(judges) != 1:
        return None
    ratings = [each.ratings for each in matrices if each.ratings is not None]
    first = ratings[0]
    same = len(ratings) == len(matrices) and all(_same_rows(first, each) for each in ratings)
    if not same or first.units.nested is not None:
        return None
    values = np.hstack([each.values for each in matrices])
    together = replace(
        first, total=np.hstack([each.total for each in ratings]), number=np.hstack([each.number for each in ratings])
    )
    return None if np.any(np.isnan(values)) else ScoreMatrix(names, values, False, together.units, together)


def _same_rows(one: RatingMatrix, two: RatingMatrix) -> bool:
    """Whether two metrics were rated by the same judges on the same items."""
    return (
        one.number.shape == two.number.shape
        and one.units.name == two.units.name
        and all(map(np.array_equal, one.units.factors, two.units.factors))
        and bool(np.array_equal(one.number, two.number))
    )


def blocks_of(sets: Sequence[ScoredSet]) -> list[IntArray]:
    """Return the columns of every metric in the matrix that has them side by side."""
    ends = np.cumsum([0, *(len(each.scores.systems) for each in sets)])
    return [np.arange(begin, end) for begin, end in pairwise(ends.tolist())]
