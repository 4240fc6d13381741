"""Number of clusters against the amount of evidence: models on random subsets."""

from typing import Any

import numpy as np

from betterthan.base import Progress, parallel, registry, silent
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
    """Draw the number of clusters by one or several models (Bradley–Terry, ties half) against the number of units.

    Six random parts of each size (three, of more than fifty systems) are drawn without replacement. They are the same
    for all models. The band is from their least to their most clusters.
    """
    models = [(text, build_model(text, seed=seed)) for text in registry.split(model or "bradley-terry")]
    data = one_data_set(evidence, unit=unit, tolerance=tolerance).by_one_unit(unit, "this picture")
    statistics = [model_statistic.statistic_for(each, data)[0] for _, each in models]
    units = statistics[0].units
    amounts = _amounts(units.size)
    repeats = _REPEATS if statistics[0].size <= _MANY else _FEWER
    shared = {"resamples": resamples, "level": level, "tolerance": tolerance}
    found = []
    with parallel.one_blas_thread():
        for (_, each), statistic in zip(models, statistics, strict=True):
            rng = np.random.default_rng(seed)
            for amount in amounts:
                parts = (statistic.some_units(amount, rng) for _ in range(repeats))
                found.append([_clusters(each, part, seed=seed + turn, **shared) for turn, part in enumerate(parts)])
                progress(len(found), len(models) * len(amounts))
    named = "" if len(models) > 1 else f"{model or models[0][1].name}: "
    return pictures.growth.draw(
        model=[text for text, _ in models for _ in amounts],
        amount=amounts * len(models),
        clusters=[float(np.mean(each)) for each in found],
        low=[float(min(each)) for each in found],
        high=[float(max(each)) for each in found],
        unit={"row": "judgment"}.get(units.name, units.name),
        band=f"{named}mean and range of {repeats} random parts",
        title=title,
    )


def _amounts(whole: int) -> list[int]:
    """Return amounts of evidence up to the whole, on a logarithmic scale."""
    least = max(2, min(max(_FEWEST, whole // 100), whole // 4))
    amounts: list[int] = np.unique(np.geomspace(least, whole, _AMOUNTS).round().astype(int)).tolist()
    return amounts


def _clusters(model: Model, statistic: Any, *, seed: int, resamples: Any, level: Any, tolerance: Any) -> int:
    """Count the clusters of systems that can be compared at all."""
    fit = model.fit(statistic)
    draws = resampling.bootstrap(model, fit, statistic, resamples=resamples, seed=seed)
    alone = pair_tests(model, statistic, tolerance=tolerance, seed=seed)
    numbers = ranks_and_clusters.clusters_of(fit, draws, level, alone=alone)
    return max((number for number in numbers if number is not None), default=1)
