"""Recall of relevant documents."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.base import registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.retrieval import OfRankedDocuments


@register_metric
@dataclass(frozen=True)
class Recall(OfRankedDocuments):
    """Share of the relevant documents among the first k, by trec_eval; recall@100 unless `k` says otherwise."""

    k: int = 100

    name: ClassVar[str] = "recall"

    def __post_init__(self) -> None:
        registry.number("k", self.k, least=1, most=1e6, whole=True)

    @property
    def measured(self) -> str:
        """The name in trec_eval."""
        return f"recall.{self.k}"
