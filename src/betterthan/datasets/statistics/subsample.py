"""Subsamples of a statistic: some of its units, drawn without replacement."""

from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, spelling
from betterthan.datasets.statistics.games import Games
from betterthan.datasets.statistics.item_parts import ItemParts
from betterthan.datasets.statistics.orders import Orders
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.statistics.score_matrix import ScoreMatrix
from betterthan.datasets.units.units import GroupedUnits, RowUnits, RowWeights, ScoredUnits, one_by_one


def some_units(statistic: Any, amount: int, rng: np.random.Generator) -> Any:
    """Draw that many of the units of any statistic, which stay in their order; two kinds of units are one too many."""
    if isinstance(statistic, PairCounts):
        return _of_counts(statistic, amount, rng)
    units = statistic.units
    assert isinstance(units, RowWeights)
    chosen = np.zeros(units.size, dtype=bool)
    chosen[rng.choice(units.size, amount, replace=False)] = True
    rows = np.flatnonzero(chosen[units.factors[0]] if units.factors else chosen)
    place = np.cumsum(chosen) - 1
    fewer = replace(
        units, factors=tuple(place[factor[rows]] for factor in units.factors), levels=(amount,), rows=len(rows)
    )
    match statistic:
        case Games():
            left, right, outcome, weight = statistic.at(rows)
            return replace(statistic, left=left, right=right, outcome=outcome, weight=weight, units=fewer)
        case Orders():
            return _of_orders(statistic, rows, fewer)
        case ScoreMatrix():
            return replace(statistic, values=statistic.values[rows], units=fewer)
        case ItemParts():
            return replace(statistic, parts=statistic.parts[rows], units=fewer)
    raise TypeError(f"no units can be drawn of {type(statistic).__name__}")


def _of_orders(orders: Orders, rows: IntArray, units: RowWeights) -> Orders:
    number = np.full(len(orders.weight), -1)
    number[rows] = np.arange(len(rows))
    kept = np.flatnonzero(number[orders.ranking] >= 0)
    return replace(
        orders,
        ranking=number[orders.ranking[kept]],
        system=orders.system[kept],
        rank=orders.rank[kept],
        weight=orders.weight[rows],
        units=units,
    )


def _of_counts(counts: PairCounts, amount: int, rng: np.random.Generator) -> PairCounts:
    units = one_by_one(counts.units)
    outcomes: FloatArray
    if isinstance(units, RowUnits):
        times = np.round(units.times).astype(np.int64)
        if np.any(times != units.times):
            raise PlanError(
                "fractional counts cannot be drawn one by one",
                remedy=f"Use whole counts, or pass them as {spelling.option('weight', 'COLUMN')}.",
            )
        drawn = rng.multivariate_hypergeometric(times, amount, method="marginals").astype(float)
        added = np.bincount(units.cell, drawn * units.weight, units.shape[0] * units.shape[1])
        outcomes = added.astype(np.float64).reshape(units.shape)
        return replace(counts, outcomes=outcomes, units=replace(units, times=drawn))
    chosen: IntArray = np.sort(rng.choice(units.size, amount, replace=False))
    if isinstance(units, ScoredUnits):
        signs = units.signs[chosen]
        outcomes = np.stack([np.sum(signs == sign, axis=0, dtype=np.float64) for sign in (1, 0, -1)])
        return replace(counts, outcomes=outcomes, units=ScoredUnits(signs))
    assert isinstance(units, GroupedUnits)
    kept = units.counts[chosen]
    outcomes = np.asarray(kept.sum(axis=0)).reshape(units.shape)
    few = replace(units, factors=(np.arange(amount),), levels=(amount,), counts=kept)
    return replace(counts, outcomes=outcomes, units=few)
