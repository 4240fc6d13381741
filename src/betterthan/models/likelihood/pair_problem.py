"""Outcomes of pairs as one problem of maximum likelihood: the components they make, and what is estimated inside."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray
from betterthan.datasets import PairCounts
from betterthan.findings import Finding, kinds
from betterthan.models.base import decided
from betterthan.models.likelihood.components import (
    PRIOR,
    Components,
    Met,
    find_components,
    negative_cycle,
    on_core,
    place_by_chance,
    place_by_prior,
    scatter_islands,
)
from betterthan.models.likelihood.linked import still_linked
from betterthan.models.likelihood.links import Link
from betterthan.models.likelihood.newton import Curvature, PairDesign, centred


@dataclass(frozen=True)
class PairProblem:
    """Outcomes of the pairs, the components they make, and the pairs inside a component."""

    counts: PairCounts
    outcomes: FloatArray
    link: Link
    met: Met
    components: Components

    @classmethod
    def of(cls, counts: PairCounts, outcomes: FloatArray, link: Link) -> "PairProblem":
        """Find the components, and take the link without ties where there are none."""
        link = link if np.any(outcomes[1] > 0) else link.without_ties()
        met = Met(counts.size, counts.first, counts.second, *decided(outcomes))
        return cls(counts, outcomes, link, met, find_components(met))

    @cached_property
    def inside(self) -> BoolArray:
        """Mark the pairs inside a component."""
        label = self.components.label
        within: BoolArray = label[self.met.first] == label[self.met.second]
        return within

    @cached_property
    def inner_pairs(self) -> tuple[IntArray, IntArray]:
        """The first and the second system of the pairs inside a component."""
        return self.met.first[self.inside], self.met.second[self.inside]

    @cached_property
    def design(self) -> PairDesign:
        """The pairs inside a component, as Newton's method takes them."""
        every = self.counts.incidence
        incidence = every if self.components.connected else every[:, self.inside]
        return PairDesign(*self.inner_pairs, self.components.label, incidence)

    @property
    def inner_outcomes(self) -> FloatArray:
        """Outcomes of the pairs inside a component."""
        return self.outcomes[:, self.inside]

    @cached_property
    def prior(self) -> float:
        """Precision of the width's prior: none, unless strengths can be spread and the width be raised with them.

        They can if there are places with every winner at least one above the loser, and tied systems at most one apart.
        Then the likelihood grows without bound along them.
        """
        if self.link.width is None:
            return 0.0
        won, tied, lost = self.inner_outcomes
        if np.any((won > 0) & (lost > 0)):
            return 0.0
        first, second = self.inner_pairs
        tie, win, loss = (np.flatnonzero(outcome > 0) for outcome in (tied, won, lost))
        # place[end] − place[start] ≤ length: ties both ways at most one, the loser at least one below the winner
        start = np.concatenate([first[tie], second[tie], first[win], second[loss]])
        end = np.concatenate([second[tie], first[tie], second[win], first[loss]])
        length = np.repeat([1.0, -1.0], [2 * len(tie), len(win) + len(loss)])
        return 0.0 if negative_cycle(self.met.size, start, end, length) else PRIOR

    def findings(self) -> tuple[Finding, ...]:
        """Say so where the prior decides about the width."""
        return (kinds.ties.TIE_WIDTH.found(ties="ties"),) if self.prior else ()

    def place(self, strength: FloatArray) -> FloatArray:
        """Place the components, and centre on the core."""
        logits = self.link.logits
        return on_core(self.components, place_by_prior(self.components, strength * logits, self.met) / logits)

    def place_near(self, known: FloatArray, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Put every component where the known strengths have it, or where its record against the core allows."""
        label = self.components.label
        near = centred(strength, label) + (known - centred(known, label))
        return self.place_by_chance(near[:, None], rng)[:, 0]

    def curvature(self, strength: FloatArray, width: float) -> Curvature:
        """Return the information that the pairs inside components carry."""
        return Curvature.at(
            self.design, self.link, self.link.prepare(self.inner_outcomes), strength, width, prior=self.prior
        )

    def place_by_chance(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Place components that never lost, or never won, where their record allows (systems × draws)."""
        logits = self.link.logits
        return place_by_chance(self.components, strength * logits, self.met, rng) / logits

    def finish(self, strength: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Centre draws on the core, and let islands stand anywhere."""
        return scatter_islands(self.components, on_core(self.components, strength), rng)

    def doubtful_widths(self, inner: FloatArray) -> BoolArray:
        """Mark the resamples that may not determine a width: without ties, or without a pair that beat each other."""
        won, tied, lost = inner
        if self.link.width is None:
            return np.zeros(won.shape[1], dtype=bool)
        clear: BoolArray = np.any((won > 0) & (lost > 0), axis=0) & np.any(tied > 0, axis=0)
        return ~clear

    def degenerate(self, inner: FloatArray) -> BoolArray:
        """Mark the resamples (3 × inside pairs × resamples) in which some component has fallen apart."""
        beaten = [inner[0] > 0, inner[2] > 0]
        if self.link.width is not None:  # who ties has half a win
            tied = inner[1] > 0
            beaten = [side | tied for side in beaten]
        return ~still_linked(self.components.label, *self.inner_pairs, *beaten)
