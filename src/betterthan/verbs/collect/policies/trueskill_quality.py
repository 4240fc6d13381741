"""TrueSkill's match quality: opponents by the probability of a draw."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import BoolArray, FloatArray, registry
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import register_policy
from betterthan.verbs.collect.system_rotation import in_rotation
from betterthan.verbs.collect.trueskill_beliefs import Beliefs


@register_policy
@dataclass(frozen=True, kw_only=True)
class TrueSkillQuality:
    """The system with the largest variance, against one drawn in proportion to TrueSkill's chance of a draw.

    With `preset=wmt` that chance is nearly the same for all opponents, because β grows with the number of judgments:
    the reason why the shared task replaced it.
    """

    preset: Literal["game", "wmt"] = "game"

    name: ClassVar[str] = "trueskill-quality"
    turns: ClassVar[bool] = True

    def __post_init__(self) -> None:
        registry.one_of("preset", self.preset, "game", "wmt")

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Follow Herbrich, Minka & Graepel (2007), section 5."""
        return in_rotation(known, known.rate(self.preset), pending, allowed, quality)


def quality(ratings: Beliefs, system: int) -> FloatArray:
    """Return sqrt(2β²/c²)·exp(−(μ_a − μ_b)²/2c²) for every opponent, c² = 2β² + σ_a² + σ_b²."""
    total = 2 * ratings.beta2 + ratings.variance + ratings.variance[system]
    gap = ratings.mean - ratings.mean[system]
    weight: FloatArray = np.sqrt(2 * ratings.beta2 / total) * np.exp(-gap * gap / (2 * total))
    return weight
