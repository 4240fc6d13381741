"""Draws of strengths: the bootstrap by reweighting, normal draws, and repeated runs.

Few units are allowed for in all of them: what is drawn is spread as Student's t is, not as the normal distribution.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from betterthan.base import BoolArray, FloatArray, ModelError, PlanError, Progress, arrays, part_of, silent, spelling
from betterthan.datasets import Units, effective_units
from betterthan.findings import kinds
from betterthan.models import Fit, Model, Refitting, draw_normal
from betterthan.uncertainty.draws import USUAL_LEVEL, Draws, StrengthErrors, covariance

#: Numbers held at once by one batch of resamples (some arrays of this size live at the same time).
_BATCH_NUMBERS = 12_000_000
_LARGEST_BATCH = 125
#: Resamples of fewer numbers than this take less time than handing them to threads; many of them are one batch.
_SMALL, _SMALL_BATCH = 10_000, 1_000_000
#: Pairs that all resamples together go through: about a minute.
_PAIRS_IN_ALL = 100_000_000
#: Rows whose units can be refitted one by one within seconds.
_REFITTED = 2_000_000
#: Fewer units than this are drawn from a normal distribution with the covariance that their resamples show.
_FEW = 20
#: Resamples that tell how much two crossed factors have in common: one number is wanted, not its distribution.
_COMMON = 200

_Found = TypeVar("_Found")
#: From units, a number of draws and a seed to strengths (systems × draws) and how many had no maximum.
_Draw = Callable[[Units, int, np.random.SeedSequence, Progress], tuple[FloatArray, int]]


def bootstrap(
    model: Model,
    fit: Fit,
    statistic: Any,
    *,
    resamples: int,
    seed: int,
    buckets: int | None = None,
    progress: Progress = silent,
) -> Draws:
    """Refit the model on resampled units, or move it by one step where that is the same; `buckets` 0 always refits.

    Batches have seeds of their own and a size that depends on the evidence alone: the same seed gives the same bits
    on any number of cores.
    """
    _need_two(statistic.units)
    refit, little = _near(model.refitter(fit, statistic), seed)
    if refit.statistic is not statistic:
        _need_two(refit.statistic.units)  # refused rows may have been all that some units had
    effective = effective_units.effective_numbers(refit.statistic)
    if buckets != 0 and not refit.statistic.units.summed_gradients and refit.nearly_linear:
        from betterthan.datasets import by_gradients  # noqa: PLC0415 (for many judgments)

        summed = by_gradients(refit.statistic.units, refit.terms, seed, buckets)
        refit = refit if summed is None else refit.over(summed)
    refit.prepare()
    units = refit.statistic.units
    width = max(units.width, 1)
    batch = int(np.clip(_BATCH_NUMBERS // width, 1, max(_LARGEST_BATCH, _SMALL_BATCH // width)))

    def draw(units: Units, number: int, seed: np.random.SeedSequence, progress: Progress) -> tuple[FloatArray, int]:
        sizes = [min(batch, number - start) for start in range(0, number, batch)]
        seeds = seed.spawn(len(sizes))

        def run(part: int) -> tuple[FloatArray, int]:
            rng = np.random.default_rng(seeds[part])
            return refit(units.resample(rng, sizes[part]), rng)

        strengths, degenerate, done = [], 0, 0
        results = _by_threads(run, len(sizes)) if width >= _SMALL else map(run, range(len(sizes)))
        for size, (strength, without_maximum) in zip(sizes, results, strict=True):
            strengths.append(strength)
            degenerate += without_maximum
            done += size
            progress(done, number)
        return np.concatenate(strengths, axis=1), degenerate

    spread = _spread(
        draw, fit, units, effective, number=resamples, seed=seed, narrow=True, smooth=model.smooth, progress=progress
    )
    return spread.draws(
        fit,
        units,
        "bootstrap",
        fit.resolution,
        buckets=_buckets(units),
        one_step=units.summed_gradients,
        little_known=little,
    )


def _by_threads(run: Callable[[int], _Found], number: int) -> Iterator[_Found]:
    """Yield what numbered pieces of work give, in their order; threads are over pieces, not inside them."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 (small evidence needs no threads)

    with ThreadPoolExecutor(min(number, os.cpu_count() or 1)) as pool:
        yield from pool.map(run, range(number))


def affordable(resamples: int, work: float) -> int:
    """Return the default number of resamples, given the pairs that each processes.

    >>> affordable(1000, 0), affordable(1000, 250_000), affordable(1000, 1_000_000)
    (1000, 400, 200)
    """
    least = kinds.resampling.FEWER_RESAMPLES.thresholds["least"]
    return int(min(resamples, max(least, _PAIRS_IN_ALL // max(work, 1.0))))


def analytic(model: Model, fit: Fit, statistic: Any, *, clustered: bool, draws: int, seed: int) -> Draws:
    """Draw from the distribution of the estimate, by the sandwich over units or the information alone."""
    if clustered:
        _need_two(statistic.units)
        statistic = _near(model.refitter(fit, statistic), seed)[0].statistic
        _need_two(statistic.units)
    units: Units = statistic.units

    def draw(units: Units, number: int, seed: np.random.SeedSequence, progress: Progress) -> tuple[FloatArray, int]:
        del progress
        rng = np.random.default_rng(seed)
        same = statistic if units is statistic.units else replace(statistic, units=units)
        return model.draw(fit, same, clustered=clustered, draws=number, rng=rng), 0

    if clustered:
        spread = _spread(
            draw, fit, units, effective_units.effective_numbers(statistic), number=draws, seed=seed, narrow=False
        )
    else:
        spread = _Spread.plain(draw(units, draws, np.random.SeedSequence(seed), silent)[0], fit)
    # Equal systems result of a matrix's root equal but for rounding.
    resolution = max(fit.resolution, 1e-9 * arrays.median(spread.strength.std(axis=1)))
    method = "analytic" if clustered else "information"
    return spread.draws(fit, units, method, resolution, buckets=_buckets(units) if clustered else 0)


def _near(refit: Refitting, seed: int) -> tuple[Refitting, tuple[str, ...]]:
    """Return a refitting whose units can be drawn: too many are replaced by their gradients where that is enough.

    Where some systems are little known, all is refitted if that takes seconds; else they are named.
    """
    units: Any = refit.statistic.units
    if not units.in_engine:
        return refit, ()
    terms = refit.terms
    little = () if terms is None else tuple(refit.fit.systems[system] for system in refit.little_known)
    exact = terms is None or (little and units.judgments.rows <= _REFITTED)
    drawn = units.exact if exact else units.at(terms, seed)
    return refit.over(drawn), little if drawn.summed_gradients else ()


def _buckets(units: Any) -> int:
    """Return the number of buckets of units, 0 where units are separate."""
    return units.buckets if units.summed_gradients else 0


@dataclass(frozen=True)
class _Spread:
    """Strengths (systems × draws), how they were stretched, and the errors they show."""

    strength: FloatArray
    stretch: FloatArray
    errors: StrengthErrors
    freedom: float
    degenerate: int = 0

    @classmethod
    def plain(cls, strength: FloatArray, fit: Fit) -> "_Spread":
        """Take draws as they are."""
        errors = StrengthErrors.of_one(strength - fit.strength[:, None], np.inf)
        return cls(strength, np.ones(strength.shape[1]), errors, np.inf)

    def draws(self, fit: Fit, units: Units, method: str, resolution: float, **more: Any) -> Draws:
        """Return the draws of a fit by its units."""
        return Draws(
            self.strength.T.copy(),
            method,
            units.name,
            units.size,
            fit.apart,
            self.errors,
            self.stretch,
            self.freedom,
            effective_units.unit_numbers(units),
            resolution,
            self.degenerate,
            **more,
        )


def _spread(
    draw: _Draw,
    fit: Fit,
    units: Units,
    effective: tuple[FloatArray | float, ...],
    *,
    number: int,
    seed: int,
    narrow: bool,
    smooth: bool = True,
    progress: Progress = silent,
) -> _Spread:
    """Draw strengths by units, or by two crossed factors, as widely as few units ask for; `narrow` says about
    resamples.

    Statistics that are not `smooth` jump between scores: stretching them would only leave the scores there are.
    Systems that the evidence does not place have no estimate to be spread around: their draws stay as they are.
    """
    centre, placed = fit.strength[:, None], fit.placed
    seeds = np.random.SeedSequence(seed).spawn(7)
    if units.crossed is not None:
        return _spread_crossed(
            draw, fit, units, effective, number=number, seeds=seeds, narrow=narrow, progress=progress
        )
    strength, degenerate = draw(units, number, seeds[0], progress)
    usual = float(_freedom(_usual(effective[0], placed)))
    away = (strength - centre) * _lacking(effective[0], narrow=narrow)
    if smooth:
        away = _smoothed(away, _usual(effective[0], placed), seeds[2])
    stretch = _stretch(usual, number, seeds[1]) if smooth else np.ones(number)
    errors = StrengthErrors.of_one(np.where(placed[:, None], away, 0.0), _freedom(effective[0]))
    drawn = np.where(placed[:, None] & smooth, centre + away * stretch, strength)
    return _Spread(drawn, stretch, errors, usual, degenerate)


def _spread_crossed(
    draw: _Draw,
    fit: Fit,
    units: Units,
    effective: tuple[FloatArray | float, ...],
    *,
    number: int,
    seeds: list[np.random.SeedSequence],
    narrow: bool,
    progress: Progress,
) -> _Spread:
    """Draw by two crossed factors: deviations of both are added, and scaled to `EstimateErrors.crossed`.

    What they have in common would otherwise count twice (Cameron, Gelbach & Miller 2011, V₁ + V₂ − V₁₂).
    """
    assert units.crossed is not None
    centre, placed = fit.strength[:, None], fit.placed
    factors, ways, degenerate = units.crossed[:2], [], 0
    parts = [part_of(progress, place, 3) for place in range(3)]
    for place, (factor, known) in enumerate(zip(factors, effective, strict=True)):
        drawn, without_maximum = draw(factor, number, seeds[2 * place], parts[place])
        away = (drawn - centre) * _lacking(known, narrow=narrow)
        ways.append(_smoothed(away, _usual(known, placed), seeds[5 + place]))
        degenerate = max(degenerate, without_maximum)
    together, _ = draw(units.crossed[2], min(number, _COMMON), seeds[4], parts[2])
    one, two = (_freedom(known) for known in effective)
    kept = [np.where(placed[:, None], away, 0.0) for away in (*ways, together - centre)]
    nested = factors[0].nested is not None, factors[1].nested is not None
    errors = StrengthErrors.of_two((kept[0], kept[1]), kept[2], (one, two), nested)
    variance, of_systems = errors.singles.widest(USUAL_LEVEL)
    usual = arrays.median(of_systems[placed]) if np.any(placed) else 1.0
    stretch = _stretch(usual, number, seeds[1])
    both = np.diag(errors.covariances[0] + errors.covariances[1])
    scaled = np.sqrt(np.divide(variance, both, out=np.ones_like(both), where=both > 0))
    # The sum of two deviations is no score any more, so that what jumps can be stretched too.
    total = (ways[0] + ways[1]) * scaled[:, None]
    strength = np.where(placed[:, None], centre + total * stretch, drawn)
    return _Spread(strength, stretch, errors, usual, degenerate)


def _usual(effective: FloatArray | float, placed: BoolArray) -> float:
    """Return the effective number of units of the usual system."""
    if not isinstance(effective, np.ndarray):
        return effective
    return arrays.median(np.diag(effective)[placed]) if np.any(placed) else 1.0


def _smoothed(away: FloatArray, effective: float, seed: np.random.SeedSequence) -> FloatArray:
    """Return normal deviations with the same covariance where units are few.

    Few units can be drawn in few ways only, so that resamples have no tails.
    """
    if effective >= _FEW:
        return away
    found = covariance(away)
    size = np.sqrt(np.diag(found))
    scale = np.where(size > 0, size, 1.0)  # systems may differ by many orders of magnitude
    return size[:, None] * draw_normal(found / np.outer(scale, scale), away.shape[1], np.random.default_rng(seed))


def _freedom(effective: FloatArray | float) -> FloatArray | float:
    """Return the degrees of freedom of a variance between units, from their effective number."""
    return np.maximum(effective - 1.0, 1.0)


def _stretch(freedom: float, number: int, seed: np.random.SeedSequence) -> FloatArray:
    """Return a factor for every draw that makes normal draws Student's t."""
    stretch: FloatArray = np.sqrt(freedom / np.random.default_rng(seed).chisquare(freedom, number))
    return stretch


def _lacking(effective: FloatArray | float, *, narrow: bool) -> FloatArray | float:
    """Return the factor of deviations that resamples lack: they vary less than the population (Hesterberg 2015).

    It is one for every system (systems × 1), or one for all. One unit that has nearly all judgments says nothing about
    others, so that the factor is bounded.
    """
    if not narrow:
        return 1.0
    own = np.diag(effective)[:, None] if isinstance(effective, np.ndarray) else effective
    return np.sqrt(own / np.maximum(own - 1.0, 0.5))


def repeated(
    model: Model, fit: Fit, statistic: Any, *, runs: int, seed: int, redraw: bool = False, progress: Progress = silent
) -> Draws:
    """Repeat the estimate with other random choices, on the same judgments or on judgments resampled.

    Drawn again with replacement, as many as there are, they are the runs of Sakaguchi et al. (2014).
    """
    again = model.rerunner(statistic)
    if again is None:
        raise ModelError(
            f"{model.name} makes no random choices, so every run would give the same result",
            remedy=f"Use {spelling.option('ci', 'bootstrap')}; runs are for elo, trueskill and hopkins-may.",
        )

    def run(rng: np.random.Generator) -> FloatArray:
        once = model.rerunner(statistic.redrawn(rng)) if redraw else again
        assert once is not None
        return once(rng)

    seeds = np.random.SeedSequence(seed).spawn(runs)
    strengths = []
    results = _by_threads(lambda place: run(np.random.default_rng(seeds[place])), runs)
    for done, strength in enumerate(results, start=1):
        strengths.append(strength)
        progress(done, runs)
    method = "redraws" if redraw else "runs"
    found = np.stack(strengths, axis=1)
    centred = replace(fit, strength=found.mean(axis=1))
    return _Spread.plain(found, centred).draws(fit, statistic.units, method, fit.resolution)


def _need_two(units: Units) -> None:
    if units.size < 2:
        raise PlanError(
            f"resampling needs at least two units, but there is only one {units.name}",
            remedy=f"Choose another unit with {spelling.option('unit')}, or use {spelling.option('ci', 'none')}.",
        )
