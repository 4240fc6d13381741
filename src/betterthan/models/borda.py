"""Borda points: the number of other systems that a system beats."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.base import FloatArray
from betterthan.datasets import PairCounts
from betterthan.models.base import decided, register_model
from betterthan.models.direct.counts import FromCounts, mean_share


@register_model
@dataclass(frozen=True, kw_only=True)
class Borda(FromCounts):
    """The number of the other systems that a system beats on average, a tie counting half.

    Assumes nothing about how judgments come about. Consumes any evidence, as pair counts; the score is the mean Borda
    count of a ranking of all systems, from 0 to their number less one. With complete rankings or scores it is just
    that; otherwise the share won against each opponent replaces the pairs that were not compared. It has no likelihood.

    de Borda (1781), Mémoire sur les élections au scrutin, Académie royale des sciences.
    """

    name: ClassVar[str] = "borda"
    score: ClassVar[str] = "points"

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the mean number of systems beaten."""
        return mean_share(counts, *decided(outcomes)) * (counts.size - 1)
