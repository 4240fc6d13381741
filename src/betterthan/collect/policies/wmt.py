"""WMT: TrueSkill's beliefs with the shared task's settings, opponents by the difference of means."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.collect.known import Known
from betterthan.collect.policies.base import register
from betterthan.collect.ratings import Ratings
from betterthan.collect.turns import by_turns


@register
@dataclass(frozen=True, kw_only=True)
class Wmt:
    """The system with the largest variance, against one drawn in proportion to exp(−|difference of means|)."""

    name: ClassVar[str] = "wmt"
    turns: ClassVar[bool] = True

    def chances(self, known: Known, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Follow Sakaguchi, Post & Van Durme (2014), section 2.4."""
        return by_turns(known, known.rate("wmt"), pending, allowed, near)


def near(ratings: Ratings, system: int) -> FloatArray:
    """Return exp(−|μ_a − μ_b|) for every opponent."""
    weight: FloatArray = np.exp(-np.abs(ratings.mean - ratings.mean[system]))
    return weight
