"""Refit systems with little information alone, draw by draw.

One Newton step moves the well-known systems to where a refit would move them. A system with few judgments moves
further, and not symmetrically. Its own judgments are resampled, and they place it among the others as they were drawn.
Its judgments carry no other relevant information: given the others' places, the two parts are uncorrelated (Cox & Reid
1987).
"""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import PairCounts
from betterthan.models.base import decided
from betterthan.models.likelihood.components import placed_by_chance
from betterthan.models.likelihood.links import Link

#: Newton's steps, none longer than one, within which the curvature of a logistic changes by a factor e at most.
_STEPS, _LONGEST, _LAST = 60, 1.0, 1e-7


@dataclass(frozen=True)
class Rare:
    """One system with little information, its opponents, and its outcomes (3 × pairs: it won, tied, lost)."""

    system: int
    others: IntArray
    outcomes: FloatArray

    @classmethod
    def of(cls, counts: PairCounts, system: int) -> "Rare":
        """Collect the judgments of a system, seen from its side."""
        first, second = np.flatnonzero(counts.first == system), np.flatnonzero(counts.second == system)
        others = np.concatenate([counts.second[first], counts.first[second]])
        return cls(system, others, np.concatenate([counts.outcomes[:, first], counts.outcomes[::-1, second]], axis=1))

    def redrawn(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw its judgments again: among very many others, their number varies as Poisson's does."""
        return rng.poisson(self.outcomes[:, :, None], (*self.outcomes.shape, resamples)).astype(float)

    def place(
        self, link: Link, outcomes: FloatArray, strength: FloatArray, width: float, rng: np.random.Generator
    ) -> BoolArray:
        """Place it in `strength` (systems × resamples) where its outcomes are likeliest; mark those without a maximum.

        If it won, or lost, all of them, it is placed where the chance of that is a uniform number, as in any refit.
        """
        among, own = strength[self.others], strength[self.system].copy()
        won, lost = (side.sum(axis=0) > 0 for side in decided(outcomes))
        prepared = link.prepare(outcomes)
        for _ in range(_STEPS):
            gap = own - among
            slope = link.gradient(prepared, gap, width)[0].sum(axis=0)
            curvature = link.curvature(prepared, gap, width)[0].sum(axis=0)
            step = np.divide(slope, curvature, out=np.zeros_like(slope), where=won & lost & (curvature > 0))
            own += np.clip(step, -_LONGEST, _LONGEST)
            if np.max(np.abs(step), initial=0.0) < _LAST:
                break
        strength[self.system] = own
        for column in np.flatnonzero(won != lost):
            sign = 1.0 if won[column] else -1.0
            met = outcomes[:, :, column].sum(axis=0)
            there = np.flatnonzero(met)
            gap = sign * (own[column] - among[there, column]) * link.logits
            shift = placed_by_chance(gap[:, None], met[there], np.zeros(1, dtype=np.int64), rng.uniform(size=(1, 1)))
            strength[self.system, column] = own[column] + sign * float(shift[0, 0]) / link.logits
        open_end: BoolArray = won != lost
        return open_end
