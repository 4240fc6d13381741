"""Hopkins and May: abilities sampled so that every judgment holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy import special

from betterthan.base import FloatArray, IntArray, registry
from betterthan.datasets import PairCounts
from betterthan.findings import Finding, kinds, marked
from betterthan.models.base import Fit, ModelBase, Rerun, decided, register_model
from betterthan.models.direct.counts import isolated_groups
from betterthan.models.likelihood.components import Components, Met, find_components
from betterthan.models.likelihood.newton import centred
from betterthan.models.refitting import Refitting

#: Judgments drawn in one sweep at most; beyond, each represents several.
_MOST = 500_000


@register_model
@dataclass(frozen=True, kw_only=True)
class HopkinsMay(ModelBase):
    """Relative abilities by Hopkins and May's sampler.

    Assumes that a system's quality on an item is normal around its ability (standard deviation `spread`, σ_a). Judges
    see it with normal noise (`noise`, σ_obs), and call two outputs equal if they look closer than `radius` (d). In
    every sweep each judgment draws two qualities as seen, and moves them just as far as it needs to hold. Abilities
    become the means of what was drawn, averaged over `sweeps` after `burn_in`. Consumes
    judgments with their ties, as pair counts; the score is the ability. It has no likelihood. Resamples repeat the
    sweeps by their expectation, which has no sampling noise.

    Hopkins & May (2013), Models of translation competitions, ACL.
    """

    spread: float = 0.5
    noise: float = 1.0
    radius: float = 0.5
    burn_in: int = 100
    sweeps: int = 100
    seed: int = 0

    name: ClassVar[str] = "hopkins-may"
    score: ClassVar[str] = "ability"
    consumes: ClassVar[tuple[type, ...]] = (PairCounts,)
    exempt: ClassVar[Mapping[str, str]] = {
        "relabelling": "a sampler: other names meet other random numbers, and the ability changes by their noise",
    }

    def __post_init__(self) -> None:
        registry.number("spread", self.spread, least=1e-6)
        registry.number("noise", self.noise, least=0.0)
        registry.number("radius", self.radius, least=1e-6)
        registry.number("burn_in", self.burn_in, least=0, most=1e6, whole=True)
        registry.number("sweeps", self.sweeps, least=2, most=1e6, whole=True)
        registry.number("seed", self.seed, least=0, whole=True)

    @property
    def _seen(self) -> float:
        """The standard deviation of a quality as a judge sees it."""
        return float(np.hypot(self.spread, self.noise))

    def fit(self, counts: PairCounts) -> Fit:
        """Run the sampler."""
        trace = self._sample(counts, np.random.default_rng(self.seed))
        components = find_components(Met(counts.size, counts.first, counts.second, *decided(counts.outcomes)))
        open_low, open_high = components.open_ends()
        noise = self._noise(trace)
        return Fit.plain(
            counts.systems,
            trace[self.burn_in :].mean(axis=0),
            iterations=len(trace),
            parameters={"spread": self.spread, "noise": self.noise, "radius": self.radius, "sampling_noise": noise},
            resolution=noise,  # smaller differences are the sampler's
            estimable=components.in_core,
            open_low=open_low,
            open_high=open_high,
            apart=components.apart[components.label],
            findings=(*isolated_groups(counts), *self._drifting(counts, components)),
            trace=trace,
        )

    def _noise(self, trace: FloatArray) -> float:
        """Return the standard deviation of the average from ten batches, because neighbouring sweeps are correlated."""
        batches = np.array_split(trace[self.burn_in :], min(10, self.sweeps))
        means = np.stack([batch.mean(axis=0) for batch in batches])
        return float(np.mean(np.std(means, axis=0, ddof=1)) / np.sqrt(len(means)))

    def _drifting(self, counts: PairCounts, components: Components) -> tuple[Finding, ...]:
        """Report systems that only won, or only lost, against the rest: more sweeps would move them further."""
        drifts = (components.above | components.below)[components.label]
        return (kinds.comparisons.ONE_WAY.found(systems=marked(counts.systems, drifts)),) if np.any(drifts) else ()

    def refitter(self, fit: Fit, counts: PairCounts) -> Refitting:
        """Iterate the expected sweep for all resamples of a batch at once."""
        return _SweepRefitting(fit, counts, self)

    def rerunner(self, statistic: Any) -> Rerun | None:
        """Run the sampler with other numbers."""
        return lambda rng: self._sample(statistic, rng)[self.burn_in :].mean(axis=0)

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Cut the normal difference of two qualities, as judges see them, at the radius."""
        gap, scale = fit.strength[a] - fit.strength[b], np.sqrt(2.0) * self._seen
        win, loss = special.ndtr((gap - self.radius) / scale), special.ndtr((-gap - self.radius) / scale)
        return np.stack([win, 1 - win - loss, loss])

    def _sample(self, counts: PairCounts, rng: np.random.Generator) -> FloatArray:
        """Return the abilities after every sweep (sweeps × systems), centred."""
        cell = np.flatnonzero(counts.outcomes.ravel())
        amount = counts.outcomes.ravel()[cell]
        # As many judgments as the weights amount to, within reason; a fraction is spread over one more.
        _, label = counts.groups
        times = np.ceil(amount / max(1.0, float(amount.sum()) / _MOST)).astype(np.int64)
        cell, weight = np.repeat(cell, times), np.repeat(amount / times, times)
        outcome, pair = np.divmod(cell, len(counts.first))
        first, second = counts.first[pair], counts.second[pair]
        direction = np.array([1.0, 0.0, -1.0])[outcome]
        total = np.bincount(first, weight, counts.size) + np.bincount(second, weight, counts.size)
        ability, trace = np.zeros(counts.size), np.empty((self.burn_in + self.sweeps, counts.size))
        for sweep in range(len(trace)):
            quality = rng.normal(0.0, self._seen, (2, len(first)))
            quality[0] += ability[first]
            quality[1] += ability[second]
            move = self._move(quality[0] - quality[1], direction) * weight
            quality *= weight
            ability = (
                np.bincount(first, quality[0] + move, counts.size) + np.bincount(second, quality[1] - move, counts.size)
            ) / total
            trace[sweep] = ability = centred(ability, label)
        return trace

    def _move(self, gap: FloatArray, direction: FloatArray) -> FloatArray:
        """Return the shift of the first up and the second down that makes the judgment hold."""
        decided = direction * np.maximum(self.radius - direction * gap, 0.0)
        tied = np.clip(gap, -self.radius, self.radius) - gap
        return np.where(direction == 0.0, tied, decided) / 2

    def expected_move(self, gap: FloatArray) -> FloatArray:
        """Return the expectation of a move per outcome, over the qualities drawn (3 × pairs × resamples)."""
        scale = np.sqrt(2.0) * self._seen

        def shortfall(mean: FloatArray) -> FloatArray:  # E max(x, 0) for a normal x
            z = mean / scale
            result: FloatArray = mean * special.ndtr(z) + scale * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
            return result

        win, loss = shortfall(self.radius - gap), shortfall(self.radius + gap)
        tie = shortfall(-self.radius - gap) - shortfall(gap - self.radius)
        return np.stack([win, tie, -loss]) / 2


@dataclass(frozen=True, eq=False)
class _SweepRefitting(Refitting):
    """Iterates the expected sweep for all resamples of a batch at once."""

    statistic: PairCounts
    model: HopkinsMay

    @cached_property
    def label(self) -> IntArray:
        """The group of every system: groups never met each other."""
        return self.statistic.groups[1]

    def prepare(self) -> None:
        """Find the groups."""
        _ = self.label

    def __call__(self, resampled: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, int]:
        """Sweep over outcomes (3 × pairs × resamples)."""
        del rng
        counts, model = self.statistic, self.model
        number_of = counts.add_up(resampled.sum(axis=0), resampled.sum(axis=0))
        ability = np.zeros((counts.size, resampled.shape[2]))
        kept = np.zeros_like(ability)
        for sweep in range(model.burn_in + model.sweeps):
            moved = np.sum(resampled * model.expected_move(ability[counts.first] - ability[counts.second]), axis=0)
            step = counts.add_up(moved, -moved) / np.where(number_of > 0, number_of, 1.0)
            ability = centred(ability + step, self.label)
            kept += ability / model.sweeps if sweep >= model.burn_in else 0.0
            if np.max(np.abs(step)) < 1e-6:  # all further sweeps would be the same
                kept = ability
                break
        absent = number_of == 0
        return np.where(absent, self.fit.strength[:, None], kept), int(np.sum(np.any(absent, axis=0)))
