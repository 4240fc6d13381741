"""Uncertain: the pairs whose order is least certain."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import register_policy


@register_policy
@dataclass(frozen=True, kw_only=True)
class Uncertain:
    """In proportion to the share of draws in which the other system of a pair is ahead, halved by a pending one."""

    name: ClassVar[str] = "uncertain"
    turns: ClassVar[bool] = False

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return the uncertainty of each pair's order; no pair's is less than one draw in all."""
        least = 0.5 / len(known.draws.strength)
        uncertainty = np.maximum(np.minimum(known.better, 1 - known.better), least)
        return np.where(allowed, uncertainty / (1 + pending), 0.0)
