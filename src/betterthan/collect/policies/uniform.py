"""Uniform: every pair alike."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.arrays import BoolArray, FloatArray
from betterthan.collect.known import Known
from betterthan.collect.policies.base import register
from betterthan.named import one_of


@register
@dataclass(frozen=True, kw_only=True)
class Uniform:
    """Every pair has the same chance; `balance=yes`: among those judged least often."""

    balance: Literal["no", "yes"] = "no"

    name: ClassVar[str] = "uniform"
    turns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        one_of("balance", self.balance, "no", "yes")

    def chances(self, known: Known, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return ones."""
        if self.balance == "no":
            return allowed.astype(float)
        met = np.where(allowed, known.decisions.record.units + pending, np.inf)
        return np.asarray(allowed & (met == met.min(initial=np.inf)), dtype=float)
