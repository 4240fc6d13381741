"""Subsamples of units, drawn without replacement."""

from dataclasses import replace

import numpy as np

from betterthan.base import FloatArray, IntArray, PlanError, spelling
from betterthan.datasets.units.units import CellUnits, GroupedUnits, RowUnits, RowWeights, ScoredUnits, one_by_one


def some_rows(units: RowWeights, amount: int, rng: np.random.Generator) -> tuple[IntArray, RowWeights]:
    """Draw that many units; return their rows, in their order, and the units of these rows."""
    chosen = np.zeros(units.size, dtype=bool)
    chosen[rng.choice(units.size, amount, replace=False)] = True
    rows = np.flatnonzero(chosen[units.factors[0]] if units.factors else chosen)
    place = np.cumsum(chosen) - 1
    factors = tuple(place[factor[rows]] for factor in units.factors)
    return rows, replace(units, factors=factors, levels=(amount,), rows=len(rows))


def some_of_cells(given: CellUnits, amount: int, rng: np.random.Generator) -> tuple[FloatArray, CellUnits]:
    """Draw that many units of pair counts; return the outcomes of every pair, and the units."""
    units = one_by_one(given)
    outcomes: FloatArray
    if isinstance(units, RowUnits):
        times = np.round(units.times).astype(np.int64)
        if np.any(times != units.times):
            raise PlanError(
                "fractional counts cannot be drawn one by one",
                remedy=f"Use whole counts, or pass them as {spelling.option('weight')}.",
            )
        drawn = rng.multivariate_hypergeometric(times, amount, method="marginals").astype(float)
        added = np.bincount(units.cell, drawn * units.weight, units.shape[0] * units.shape[1])
        outcomes = added.astype(np.float64).reshape(units.shape)
        return outcomes, replace(units, times=drawn)
    chosen: IntArray = np.sort(rng.choice(units.size, amount, replace=False))
    if isinstance(units, ScoredUnits):
        signs = units.signs[chosen]
        outcomes = np.stack([np.sum(signs == sign, axis=0, dtype=np.float64) for sign in (1, 0, -1)])
        return outcomes, ScoredUnits(signs)
    assert isinstance(units, GroupedUnits)
    kept = units.counts[chosen]
    outcomes = np.asarray(kept.sum(axis=0)).reshape(units.shape)
    return outcomes, replace(units, factors=(np.arange(amount),), levels=(amount,), counts=kept)
