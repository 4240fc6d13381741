"""Unresolved: only undecided pairs, with a share of exploration."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import BoolArray, FloatArray, registry
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import register_policy

#: The weight of pairs that need more than anyone collects, or nothing more than what is pending.
_LEAST = 1e-9


@register_policy
@dataclass(frozen=True, kw_only=True)
class Unresolved:
    """Pairs that the anytime-valid tests leave undecided, and with a chance of `explore` any pair.

    `favour=quick`: in proportion to one over the judgments that a pair is expected to need still, so that those next to
    a decision get it; `favour=none`: all alike. Once all pairs are settled nothing is left to ask.
    """

    explore: float = 0.1
    favour: Literal["quick", "none"] = "quick"

    name: ClassVar[str] = "unresolved"
    turns: ClassVar[bool] = False

    def __post_init__(self) -> None:
        registry.number("explore", self.explore, least=0, most=1)
        registry.one_of("favour", self.favour, "quick", "none")

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return the chances of undecided pairs, and of all."""
        open_pairs = known.decisions.undecided & allowed
        if not np.any(open_pairs):
            return np.zeros(len(allowed))
        weight = open_pairs.astype(float)
        if self.favour == "quick":
            # A pair for which enough judgments are requested waits for the answers.
            quick = np.where(pending < known.needed, 1 / np.maximum(known.needed, 1.0), 0.0)
            weight = np.where(open_pairs, np.maximum(quick, _LEAST), 0.0)
        chances: FloatArray = (1 - self.explore) * weight / weight.sum() + self.explore * allowed / allowed.sum()
        return chances
