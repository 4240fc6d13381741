"""Information: the pairs whose judgment is expected to tell most."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.arrays import BoolArray, FloatArray, IntArray
from betterthan.collect.known import Known, contrasts, laplacian
from betterthan.collect.policies.base import register
from betterthan.models.base import RESOLUTION
from betterthan.named import number, one_of


@register
@dataclass(frozen=True, kw_only=True)
class Information:
    """In proportion to a power (`greed`) of what one judgment is expected to gain, by Bradley–Terry.

    The gain is how much surer one would be with estimates as they are. `goal=neighbours`: how much less probable it
    becomes that systems next to each other in the ranking are ordered wrongly; `goal=order`: that any two are;
    `goal=strengths`: how much smaller the volume becomes in which the strengths may lie (D-optimality). A judgment also
    tells about pairs that share a system with it, and what is pending counts as if it had come.
    """

    goal: Literal["neighbours", "order", "strengths"] = "neighbours"
    greed: float = 4.0

    name: ClassVar[str] = "information"
    turns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        one_of("goal", self.goal, "neighbours", "order", "strengths")
        number("greed", self.greed, least=0, most=100)

    def chances(self, known: Known, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return the expected gain of each pair."""
        gain = np.where(allowed, self._gain(known, pending), 0.0)
        most = gain.max(initial=0.0)
        chances: FloatArray = (gain / most) ** self.greed if most > 0 else allowed.astype(float)
        return np.where(allowed, chances, 0.0)

    def _gain(self, known: Known, pending: FloatArray) -> FloatArray:
        counts, each = known.counts, known.beats * (1 - known.beats)
        covariance = known.covariance(pending)
        variance = contrasts(counts, covariance)
        if self.goal == "strengths":
            return np.log1p(each * variance) / 2
        # One judgment takes each·(covariance with its contrast)² / (1 + each·variance) from every contrast's variance;
        # the chance of a wrong order, Φ(−|gap|/sd), falls with it, most where the gap is near one sd.
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
