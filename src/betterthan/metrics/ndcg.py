"""Normalised discounted cumulative gain of ranked documents."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import register
from betterthan.metrics.families.retrieval import OfRankedDocuments
from betterthan.named import number


@register
@dataclass(frozen=True)
class Ndcg(OfRankedDocuments):
    """Normalised discounted cumulative gain of ranked documents, by trec_eval; ndcg@10 looks at the first 10 (`k`)."""

    k: int | None = None

    name: ClassVar[str] = "ndcg"

    def __post_init__(self) -> None:
        if self.k is not None:
            number("k", self.k, least=1, most=1e6, whole=True)

    @property
    def measured(self) -> str:
        """What trec_eval calls it."""
        return "ndcg" if self.k is None else f"ndcg_cut.{self.k}"
