"""Uniform: all pairs with equal chances."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import BoolArray, FloatArray, registry
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import register_policy


@register_policy
@dataclass(frozen=True, kw_only=True)
class Uniform:
    """Every pair has the same chance; `balance=yes`: among those judged least often."""

    balance: Literal["no", "yes"] = "no"

    name: ClassVar[str] = "uniform"
    turns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        registry.one_of("balance", self.balance, "no", "yes")

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return ones."""
        if self.balance == "no":
            return allowed.astype(float)
        met = np.where(allowed, known.decisions.record.units + pending, np.inf)
        return np.asarray(allowed & (met == met.min(initial=np.inf)), dtype=float)
