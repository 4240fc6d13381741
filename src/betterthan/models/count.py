"""Count: the number of comparisons won."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.models.base import decided, register_model
from betterthan.models.direct.counts import FromCounts


@register_model
@dataclass(frozen=True, kw_only=True)
class Count(FromCounts):
    """The number of comparisons won, a tie half a win for each side (or nothing).

    Assumes that all systems were compared equally often with comparable opponents. Consumes any evidence, as pair
    counts; the score is a number of wins. It has no likelihood.

    Copeland (1951), A reasonable social welfare function, University of Michigan.
    """

    ties: Literal["half", "drop"] = "half"

    name: ClassVar[str] = "count"
    score: ClassVar[str] = "wins"

    def __post_init__(self) -> None:
        registry.one_of("ties", self.ties, "half", "drop")

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the wins."""
        return counts.add_up(*decided(outcomes, self.ties))
