"""Average ranks, a transformation of Borda points."""

from dataclasses import dataclass
from typing import Any, ClassVar

from betterthan.base import FloatArray
from betterthan.datasets import PairCounts
from betterthan.models.base import register_model
from betterthan.models.borda import Borda


@register_model
@dataclass(frozen=True, kw_only=True)
class AverageRank(Borda):
    """The average rank of a system among all systems, ties sharing the mean of their ranks; 1 is best.

    Assumes nothing about how judgments come about. Consumes any evidence, as pair counts. The score is the mean rank
    in a ranking of all systems, as Friedman's test uses it, and the number of systems less the Borda points. It has
    no likelihood.

    Friedman (1937), The use of ranks to avoid the assumption of normality, JASA 32.
    """

    name: ClassVar[str] = "average-rank"
    score: ClassVar[str] = "mean rank"

    def strengths(self, counts: PairCounts, outcomes: FloatArray) -> FloatArray:
        """Return the average rank with its sign turned, so that higher is better."""
        return super().strengths(counts, outcomes) - counts.size

    def facts(self, counts: PairCounts) -> dict[str, Any]:
        """Return the fact that lower is better."""
        del counts
        return {"lower_is_better": True}
