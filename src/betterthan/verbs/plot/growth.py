"""Number of clusters against the amount of evidence: a model on random subsets."""

from typing import Any

import numpy as np

from betterthan.base import Progress, parallel, silent
from betterthan.models import Model, build_model
from betterthan.present import Picture, pictures
from betterthan.uncertainty import ranks_and_clusters, resampling
from betterthan.verbs.plot.plot_data import one_data_set
from betterthan.verbs.rank import model_statistic, pair_tests

#: Amounts of evidence, and the fewest units that are worth looking at.
_AMOUNTS, _FEWEST = 10, 10
#: Parts drawn of each amount, and fewer of them where there are many systems, whose fits take longer.
_REPEATS, _FEWER, _MANY = 6, 3, 50
_RESAMPLES = 200


def growth(
    evidence: Any,
    *,
    model: str | None = None,
    unit: str | None = None,
    resamples: int = _RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
    tolerance: float = 0.0,
    title: str = "",
    progress: Progress = silent,
) -> Picture:
    """Draw the number of clusters by a model (Bradley–Terry, ties half) against the number of units.

    Six random parts of each size (three, of more than fifty systems) are drawn without replacement; the band is from
    their least to their most clusters.
    """
    chosen = build_model(model or "bradley-terry", seed=seed)
    data = one_data_set(evidence, unit=unit, tolerance=tolerance).by_one_unit(unit, "this picture")
    statistic, _ = model_statistic.statistic_for(chosen, data)
    whole = statistic.units.size
    least = max(2, min(max(_FEWEST, whole // 100), whole // 4))
    amounts = np.unique(np.geomspace(least, whole, _AMOUNTS).round().astype(int)).tolist()
    repeats = _REPEATS if statistic.size <= _MANY else _FEWER
    rng = np.random.default_rng(seed)
    found = []
    with parallel.one_blas_thread():
        for done, amount in enumerate(amounts, start=1):
            parts = (statistic.some_units(amount, rng) for _ in range(repeats))
            shared = {"resamples": resamples, "level": level, "tolerance": tolerance}
            found.append([_clusters(chosen, part, seed=seed + turn, **shared) for turn, part in enumerate(parts)])
            progress(done, len(amounts))
    return pictures.growth.draw(
        amount=amounts,
        clusters=[float(np.mean(each)) for each in found],
        low=[float(min(each)) for each in found],
        high=[float(max(each)) for each in found],
        unit={"row": "judgment"}.get(statistic.units.name, statistic.units.name),
        band=f"{model or chosen.name}: mean and range of {repeats} random parts",
        title=title,
    )


def _clusters(model: Model, statistic: Any, *, seed: int, resamples: Any, level: Any, tolerance: Any) -> int:
    """Count the clusters of systems that can be compared at all."""
    fit = model.fit(statistic)
    draws = resampling.bootstrap(model, fit, statistic, resamples=resamples, seed=seed)
    alone = pair_tests(model, statistic, tolerance=tolerance, seed=seed)
    numbers = ranks_and_clusters.clusters_of(fit, draws, level, alone=alone)
    return max((number for number in numbers if number is not None), default=1)
