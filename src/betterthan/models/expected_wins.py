"""Expected Wins: the ranking method of the WMT shared tasks."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.base import FloatArray, registry
from betterthan.datasets import PairCounts
from betterthan.models.base import register_model
from betterthan.models.direct.counts import FromCounts, mean_share, share


@register_model
@dataclass(frozen=True, kw_only=True)
class ExpectedWins(FromCounts):
    """The chance to win against an opponent drawn at random.

    Assumes nothing beyond comparable opponents. Consumes any evidence, as pair counts; the score is a share.
    `wmt12` (default) is the mean over opponents of wins / (wins + losses), ties ignored and opponents never met left
    out; `wmt11` is (wins + ties) / all comparisons. It has no likelihood.

    Koehn (2012), Simulating human judgment in machine translation evaluation campaigns, IWSLT.
    """

    version: Literal["wmt12", "wmt11"] = "wmt12"

    name: ClassVar[str] = "expected-wins"
    score: ClassVar[str] = "expected wins"
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    def __post_init__(self) -> None:
        registry.one_of("version", self.version, "wmt12", "wmt11")

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the expected wins."""
        won, tied, lost = outcomes
        if self.version == "wmt12":
            return mean_share(counts, won, lost)
        total = won + tied + lost
        return share(counts.add_up(won + tied, lost + tied), counts.add_up(total, total))
