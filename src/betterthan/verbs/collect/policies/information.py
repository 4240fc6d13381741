"""Information: the pairs whose judgment is expected to be most informative."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, registry
from betterthan.models import RESOLUTION
from betterthan.verbs.collect.collection_state import CollectionState, contrasts, laplacian
from betterthan.verbs.collect.policies.base import register_policy


@register_policy
@dataclass(frozen=True, kw_only=True)
class Information:
    """In proportion to a power (`greed`) of what one judgment is expected to gain, by Bradley–Terry.

    The gain is the expected gain in certainty at the current estimates. `goal=neighbours` reduces the probability that
    neighbours in the ranking are ordered wrongly, `goal=order` the probability for any two systems. `goal=strengths`
    reduces the volume in which the strengths may lie (D-optimality). A judgment is also informative about pairs that
    share a system with it, and pending judgments count as if they had come.
    """

    goal: Literal["neighbours", "order", "strengths"] = "neighbours"
    greed: float = 4.0

    name: ClassVar[str] = "information"
    turns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        registry.one_of("goal", self.goal, "neighbours", "order", "strengths")
        registry.number("greed", self.greed, least=0, most=100)

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return the expected gain of each pair."""
        gain = np.where(allowed, self._gain(known, pending), 0.0)
        most = gain.max(initial=0.0)
        chances: FloatArray = (gain / most) ** self.greed if most > 0 else allowed.astype(float)
        return np.where(allowed, chances, 0.0)

    def _gain(self, known: CollectionState, pending: FloatArray) -> FloatArray:
        counts, each = known.counts, known.beats * (1 - known.beats)
        covariance = known.covariance(pending)
        variance = contrasts(counts, covariance)
        if self.goal == "strengths":
            return np.log1p(each * variance) / 2
        # One judgment reduces every contrast's variance by each·(covariance with its contrast)² / (1 + each·variance).
        # The chance of a wrong order, Φ(−|gap|/sd), falls with it, most where the gap is near one sd.
        gap = np.abs(known.fit.strength[counts.first] - known.fit.strength[counts.second])
        away = gap / np.sqrt(variance)
        slope = away * np.exp(-away * away / 2) / variance
        if self.goal == "neighbours":
            slope = np.where(_neighbours(known.fit.strength, counts.first, counts.second), slope, 0.0)
        told: FloatArray = contrasts(counts, covariance @ laplacian(counts, slope) @ covariance)
        return each * told / (1 + each * variance)


def _neighbours(strength: FloatArray, first: IntArray, second: IntArray) -> BoolArray:
    """Mark the pairs with no system strictly between them; what is rounding of a solver is no difference."""
    strength = np.round(strength / RESOLUTION)
    line = np.sort(strength)
    low, high = np.minimum(strength[first], strength[second]), np.maximum(strength[first], strength[second])
    return np.asarray(np.searchsorted(line, high, "left") <= np.searchsorted(line, low, "right"))
