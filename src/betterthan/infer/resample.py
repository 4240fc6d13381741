"""Draws of strengths: the bootstrap, which reweights statistics; normal draws; and repeated runs."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.errors import ModelError, PlanError
from betterthan.infer.draws import Draws
from betterthan.models.base import Fit, Model
from betterthan.progress import Progress, silent
from betterthan.reduce.units import Units
from betterthan.spelling import option

#: Numbers held at once by one batch of resamples (some arrays of this size live at the same time).
_BATCH_NUMBERS = 12_000_000
_LARGEST_BATCH = 125


def bootstrap(
    model: Model, fit: Fit, evidence: Any, *, resamples: int, seed: int, progress: Progress = silent
) -> Draws:
    """Refit the model on resampled units.

    Batches have seeds of their own and a size that depends on the evidence alone: the same seed gives the same bits
    on any number of cores.
    """
    units: Units = evidence.units
    _need_two(units)
    batch = int(np.clip(_BATCH_NUMBERS // max(units.width, 1), 1, _LARGEST_BATCH))
    sizes = [min(batch, resamples - start) for start in range(0, resamples, batch)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))
    refit = model.refitter(fit, evidence)

    def run(part: int) -> tuple[FloatArray, int]:
        rng = np.random.default_rng(seeds[part])
        return refit(units.resample(rng, sizes[part]), rng)

    strengths, degenerate, done = [], 0, 0
    # Threads over batches, not inside them.
    with ThreadPoolExecutor(min(len(sizes), os.cpu_count() or 1)) as pool:
        for size, (strength, without_maximum) in zip(sizes, pool.map(run, range(len(sizes))), strict=True):
            strengths.append(strength.T)
            degenerate += without_maximum
            done += size
            progress(done, resamples)
    return Draws(np.concatenate(strengths), "bootstrap", units.name, units.size, fit.apart, fit.resolution, degenerate)


def analytic(model: Model, fit: Fit, evidence: Any, *, clustered: bool, draws: int, seed: int) -> Draws:
    """Draw from the normal distribution of the estimate, by the sandwich over units or the information alone."""
    units: Units = evidence.units
    if clustered:
        _need_two(units)
    rng = np.random.default_rng(seed)
    strength = model.draw(fit, evidence, clustered=clustered, draws=draws, rng=rng)
    method = "analytic" if clustered else "information"
    # Equal systems come out of a matrix's root equal but for rounding.
    resolution = max(fit.resolution, 1e-9 * float(np.median(strength.std(axis=1))))
    return Draws(strength.T.copy(), method, units.name, units.size, fit.apart, resolution)


def repeated(model: Model, fit: Fit, evidence: Any, *, runs: int, seed: int, progress: Progress = silent) -> Draws:
    """Repeat the estimate on the same evidence with other random choices, as the WMT shared tasks do."""
    rerun = model.rerunner(evidence)
    if rerun is None:
        raise ModelError(
            f"{model.name} makes no random choices, so every run would give the same result",
            remedy=f"Use {option('ci', 'bootstrap')}; runs are for elo, trueskill and hopkins-may.",
        )
    seeds = np.random.SeedSequence(seed).spawn(runs)
    strengths = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for done, strength in enumerate(pool.map(lambda each: rerun(np.random.default_rng(each)), seeds), start=1):
            strengths.append(strength)
            progress(done, runs)
    return Draws(np.stack(strengths), "runs", evidence.units.name, evidence.units.size, fit.apart, fit.resolution)


def _need_two(units: Units) -> None:
    if units.size < 2:
        raise PlanError(
            f"resampling needs at least two units, but there is only one {units.name}",
            remedy=f"Choose another unit with {option('unit')}, or use {option('ci', 'none')}.",
        )
