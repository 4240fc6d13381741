"""Reciprocal rank of the first relevant document."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import register_metric
from betterthan.metrics.families.retrieval import OfRankedDocuments


@register_metric
@dataclass(frozen=True)
class Rr(OfRankedDocuments):
    """Reciprocal rank of the first relevant document, by trec_eval; its mean is MRR."""

    name: ClassVar[str] = "rr"

    @property
    def measured(self) -> str:
        """The name in trec_eval."""
        return "recip_rank"
