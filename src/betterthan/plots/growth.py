"""How many clusters more evidence would tell apart: Bradley–Terry on random parts of the evidence."""

from dataclasses import replace
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.errors import PlanError
from betterthan.infer.ranks import clusters_of
from betterthan.infer.resample import bootstrap
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.parallel import one_blas_thread
from betterthan.plots.parts import one_data_set
from betterthan.present.pictures import growth as picture
from betterthan.present.pictures.picture import Picture
from betterthan.progress import Progress, silent
from betterthan.reduce.pairs import PairCounts
from betterthan.reduce.units import GroupedUnits, RowUnits, ScoredUnits
from betterthan.spelling import option

#: Amounts of evidence, and the fewest units that are worth looking at.
_AMOUNTS, _FEWEST = 10, 10
#: Parts drawn of each amount, and fewer of them where there are many systems, whose fits take longer.
_REPEATS, _FEWER, _MANY = 6, 3, 50
_RESAMPLES = 200


def growth(
    evidence: Any,
    *,
    unit: str | None = None,
    resamples: int = _RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
    tolerance: float = 0.0,
    title: str = "",
    progress: Progress = silent,
) -> Picture:
    """Draw the number of clusters (Bradley–Terry, ties half) against the number of units.

    Six random parts of each size (three, of more than fifty systems) are drawn without replacement; the band is from
    their least to their most clusters.
    """
    model = BradleyTerry()
    counts = one_data_set(evidence, unit=unit, tolerance=tolerance).by_one_unit(unit, "this picture").pairs()
    whole = counts.units.size
    least = max(2, min(max(_FEWEST, whole // 100), whole // 4))
    amounts = np.unique(np.geomspace(least, whole, _AMOUNTS).round().astype(int)).tolist()
    repeats = _REPEATS if counts.size <= _MANY else _FEWER
    rng = np.random.default_rng(seed)
    found = []
    with one_blas_thread():
        for done, amount in enumerate(amounts, start=1):
            parts = (_part(counts, amount, rng) for _ in range(repeats))
            found.append([_clusters(model, part, resamples, level, seed + turn) for turn, part in enumerate(parts)])
            progress(done, len(amounts))
    return picture.growth(
        amount=amounts,
        clusters=[float(np.mean(each)) for each in found],
        low=[float(min(each)) for each in found],
        high=[float(max(each)) for each in found],
        unit={"row": "judgment"}.get(counts.units.name, counts.units.name),
        band=f"mean and range of {repeats} random parts",
        title=title,
    )


def _clusters(model: BradleyTerry, counts: PairCounts, resamples: int, level: float, seed: int) -> int:
    """Count the clusters of systems that can be compared at all."""
    fit = model.fit(counts)
    draws = bootstrap(model, fit, counts, resamples=resamples, seed=seed)
    return max((number for number in clusters_of(fit, draws, level) if number is not None), default=1)


def _part(counts: PairCounts, amount: int, rng: np.random.Generator) -> PairCounts:
    """Draw some of the units, without replacement."""
    units = counts.units
    outcomes: FloatArray
    if isinstance(units, RowUnits):
        times = np.round(units.times).astype(np.int64)
        if np.any(times != units.times):
            raise PlanError(
                "fractional counts cannot be drawn one by one",
                remedy=f"Use whole counts, or pass them as {option('weight', 'COLUMN')}.",
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
