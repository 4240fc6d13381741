"""Sort: the pairs that sorting the systems would compare."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray
from betterthan.inference import average_ranks
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import register_policy


@register_policy
@dataclass(frozen=True, kw_only=True)
class Sort:
    """In proportion to the chance that a Quicksort of the systems compares a pair: 2/(d + 1) for d ranks apart.

    Maystre & Grossglauser (2017) sort again and again and rank by all comparisons. Here ranks are those of
    Bradley–Terry so far, so that every comparison can be chosen alone, and by many judges at once.
    """

    name: ClassVar[str] = "sort"
    turns: ClassVar[bool] = False

    def chances(self, known: CollectionState, pending: FloatArray, allowed: BoolArray) -> FloatArray:
        """Return 2/(d + 1), halved by a pending judgment; equal systems are as if next to each other."""
        ranks = average_ranks(np.round(known.fit.strength, 9)[None, :])[0]
        apart = np.abs(ranks[known.counts.first] - ranks[known.counts.second])
        compared = 2 / (np.maximum(apart, 1.0) + 1)
        return np.where(allowed, compared / (1 + pending), 0.0)
