"""Rank the collected judgments by a chosen model."""

from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, spelling
from betterthan.datasets import DataSet, Games, PairCounts, RowWeights
from betterthan.models import InOrder, Model, build_model
from betterthan.verbs.rank import model_statistic


def ranking_model(text: str, seed: int = 0) -> Model:
    """Build a model that can rank what is collected pair by pair; refuse others."""
    model: Any = build_model(text, seed=seed)
    if not {PairCounts, Games} & set(model.consumes):
        raise PlanError(
            f"{model.name} is not fitted to judgments of pairs, which is what a replay collects",
            remedy=f"Use {spelling.option('model', 'bradley-terry')}, or another model of pairs.",
        )
    if isinstance(model, InOrder) and model.order != "average":
        model = replace(model, shuffles=2)  # type: ignore[type-var]  # more of them only report on the order
    found: Model = model
    return found


def collected(model: Model, counts: PairCounts, pairs: IntArray, outcome: IntArray) -> PairCounts | Games:
    """Return the statistic that a model is fitted to: counts, or judgments in order."""
    if Games not in model.consumes:
        return counts
    return Games(
        counts.systems,
        counts.first[pairs],
        counts.second[pairs],
        outcome.astype(np.int8),
        np.ones(len(pairs)),
        RowWeights.of(len(pairs), {}),
    )


def strengths_of(model: Model, data: DataSet, systems: tuple[str, ...]) -> FloatArray:
    """Return the strengths that the whole evidence gives to these systems, which are all of it."""
    statistic, _ = model_statistic.statistic_for(model, model_statistic.by_units_of(model, data, None), units=False)
    fit = model.fit(statistic)
    return fit.strength[[fit.systems.index(name) for name in systems]]
