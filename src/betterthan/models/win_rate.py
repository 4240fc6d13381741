"""Win rate: the share of comparisons won."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.models.base import decided, register_model
from betterthan.models.direct.counts import FromCounts, mean_share, share


@register_model
@dataclass(frozen=True, kw_only=True)
class WinRate(FromCounts):
    """The share of its comparisons that a system won.

    Assumes that all systems met comparable opponents. Consumes any evidence, as pair counts; the score is a share.
    Ties count half, or are dropped; `over="opponents"` averages the share against each opponent instead, so that
    an opponent met often counts no more than one met rarely. It has no likelihood.

    David (1963), The method of paired comparisons, Griffin.
    """

    ties: Literal["half", "drop"] = "half"
    over: Literal["judgments", "opponents"] = "judgments"

    name: ClassVar[str] = "win-rate"
    score: ClassVar[str] = "share won"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    def __post_init__(self) -> None:
        registry.one_of("ties", self.ties, "half", "drop")
        registry.one_of("over", self.over, "judgments", "opponents")

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the share won."""
        won, lost = decided(outcomes, self.ties)
        if self.over == "opponents":
            return mean_share(counts, won, lost)
        return share(counts.add_up(won, lost), counts.add_up(won + lost, won + lost))
