"""Normalised discounted cumulative gain of ranked documents."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.base import registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.retrieval import OfRankedDocuments


@register_metric
@dataclass(frozen=True)
class Ndcg(OfRankedDocuments):
    """Normalised discounted cumulative gain of ranked documents, by trec_eval; ndcg@10 uses the first 10 (`k`)."""

    k: int | None = None

    name: ClassVar[str] = "ndcg"

    def __post_init__(self) -> None:
        if self.k is not None:
            registry.number("k", self.k, least=1, most=1e6, whole=True)

    @property
    def measured(self) -> str:
        """The name in trec_eval."""
        return "ndcg" if self.k is None else f"ndcg_cut.{self.k}"
