"""Sorting: the order in which the relation "wins more often than it loses" puts the systems."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.datasets import PairCounts
from betterthan.findings import kinds, marked
from betterthan.models.base import register_model
from betterthan.models.direct.counts import FromCounts


@register_model
@dataclass(frozen=True, kw_only=True)
class Sorting(FromCounts):
    """The order that sorting gives, where a system is above those against which it wins more than it loses.

    Assumes that being better is transitive. Consumes any evidence, as pair counts. The score is the place: one more
    than the systems above it, directly or through others, and half of those of which the relation says neither. Systems
    that beat each other in circles share a place, because where a sort puts them depends on where it begins. Ties count
    for nobody. It has no likelihood.

    Vilar et al. (2007), Human evaluation of machine translation through binary system comparisons, WMT.
    """

    name: ClassVar[str] = "sorting"
    score: ClassVar[str] = "place"
    smooth: ClassVar[bool] = False

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return places with their sign turned, so that higher is better."""
        columns = np.moveaxis(outcomes, 2, 0)
        return np.stack([-_places(_above(counts, column), _met(counts, column)) for column in columns], axis=1)

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Report systems that beat each other in circles."""
        above = _above(counts, counts.outcomes)
        circling = np.any(above & above.T, axis=1)
        findings = (kinds.comparisons.SORTED_IN_CIRCLES.found(systems=marked(counts.systems, circling)),)
        return {
            "strength": -_places(above, _met(counts, counts.outcomes)),
            "lower_is_better": True,
            "resolution": 1e-6,
            "findings": findings if np.any(circling) else (),
        }


def _above(counts: PairCounts, outcomes: FloatArray) -> BoolArray:
    """Return which systems are above which, directly or through others (systems × systems)."""
    won, tied, lost = outcomes
    met = won + tied + lost > 0
    reached = np.zeros((counts.size, counts.size))
    reached[counts.first, counts.second] = met & (won >= lost)
    reached[counts.second, counts.first] = met & (lost >= won)
    for _ in range(int(np.ceil(np.log2(max(counts.size, 2))))):
        reached = np.minimum(reached + reached @ reached, 1.0)
    np.fill_diagonal(reached, 0.0)
    return reached > 0


def _met(counts: PairCounts, outcomes: FloatArray) -> FloatArray:
    """Return how often every system was compared."""
    each = outcomes.sum(axis=0)
    met: FloatArray = counts.add_up(each, each)
    return met


def _places(above: BoolArray, met: FloatArray) -> FloatArray:
    """Return every system's place, NaN for one that was never compared.

    Half of what is neither above nor below it counts.
    """
    higher, lower = (above & ~above.T).sum(axis=0), (above & ~above.T).sum(axis=1)
    places: FloatArray = 1 + higher + (len(above) - 1 - higher - lower) / 2
    return np.where(met > 0, places, np.nan)
