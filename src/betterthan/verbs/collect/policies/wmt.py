"""WMT: TrueSkill's beliefs with the shared task's settings, opponents by the difference of means."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import register_policy
from betterthan.verbs.collect.system_rotation import in_rotation
from betterthan.verbs.collect.trueskill_beliefs import Beliefs


@register_policy
@dataclass(frozen=True, kw_only=True)
class Wmt:
    """The system with the largest variance, against one drawn in proportion to exp(−|difference of means|)."""

    name: ClassVar[str] = "wmt"
    turns: ClassVar[bool] = True

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Follow Sakaguchi, Post & Van Durme (2014), section 2.4."""
        return in_rotation(known, known.rate("wmt"), pending, allowed, near)


def near(ratings: Beliefs, system: int) -> FloatArray:
    """Return exp(−|μ_a − μ_b|) for every opponent."""
    weight: FloatArray = np.exp(-np.abs(ratings.mean - ratings.mean[system]))
    return weight
