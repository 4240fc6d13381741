"""Uncertain: the pairs whose order is least certain."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.collect.known import Known
from betterthan.collect.policies.base import register


@register
@dataclass(frozen=True, kw_only=True)
class Uncertain:
    """In proportion to the share of draws in which the other system of a pair is ahead, halved by a pending one."""

    name: ClassVar[str] = "uncertain"
    turns: ClassVar[bool] = False

    def chances(self, known: Known, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return the doubt about each pair's order; no pair's is less than one draw in all."""
        least = 0.5 / len(known.draws.strength)
        doubt = np.maximum(np.minimum(known.better, 1 - known.better), least)
        return np.where(allowed, doubt / (1 + pending), 0.0)
