"""The ranking of what was collected, by the model of one's choice."""

from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.datasets.dataset import DataSet
from betterthan.errors import PlanError
from betterthan.leaderboard.statistic import by_units_of, statistic_for
from betterthan.models.base import Model, build
from betterthan.models.ordered.order import InOrder
from betterthan.reduce.games import Games
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.units import RowWeights
from betterthan.spelling import option


def ranking_model(text: str, seed: int = 0) -> Model:
    """Build a model that can rank what is collected pair by pair; refuse others."""
    model: Any = build(text, seed=seed)
    if not {PairCounts, Games} & set(model.consumes):
        raise PlanError(
            f"{model.name} is not fitted to judgments of pairs, which is what a replay collects",
            remedy=f"Use {option('model', 'bradley-terry')}, or another model of pairs.",
        )
    if isinstance(model, InOrder) and model.order != "average":
        model = replace(model, shuffles=2)  # type: ignore[type-var]  # more of them only report on the order
    found: Model = model
    return found


def collected(model: Model, counts: PairCounts, pairs: IntArray, outcome: IntArray) -> PairCounts | Games:
    """Return what a model is fitted to: counts, or judgments in the order in which they came."""
    if Games not in model.consumes:
        return counts
    return Games(
        counts.systems, counts.first[pairs], counts.second[pairs], outcome.astype(np.int8), np.ones(len(pairs)),
        RowWeights.of(len(pairs), {}),
    )  # fmt: skip


def strengths_of(model: Model, data: DataSet, systems: tuple[str, ...]) -> FloatArray:
    """Return the strengths that the whole evidence gives to these systems, which are all of it."""
    statistic, _ = statistic_for(model, by_units_of(model, data, None), units=False)
    fit = model.fit(statistic)
    return fit.strength[[fit.systems.index(name) for name in systems]]
