"""Borda points: how many of the others a system beats."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.arrays import FloatArray
from betterthan.models.base import register
from betterthan.models.direct.counts import FromCounts, mean_share
from betterthan.reduce.pairs import PairCounts, decided


@register
@dataclass(frozen=True, kw_only=True)
class Borda(FromCounts):
    """The number of the other systems that a system beats on average, a tie counting half.

    Assumes nothing about how judgments come about. Consumes any evidence, as pair counts; the score is the mean Borda
    count of a ranking of all systems, from 0 to their number less one. With complete rankings or scores it is just
    that; otherwise the share won against each opponent stands in for the pairs that were not compared. It has no
    likelihood.

    de Borda (1781), Mémoire sur les élections au scrutin, Académie royale des sciences.
    """

    name: ClassVar[str] = "borda"
    score: ClassVar[str] = "points"

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the mean number of systems beaten."""
        return mean_share(counts, *decided(outcomes)) * (counts.size - 1)
