"""Average precision of ranked documents; its mean is MAP."""

from dataclasses import dataclass
from typing import ClassVar

from betterthan.base import registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.retrieval import OfRankedDocuments


@register_metric
@dataclass(frozen=True)
class Ap(OfRankedDocuments):
    """Average precision of ranked documents; its mean is MAP, by trec_eval; ap@10 uses the first 10 (`k`)."""

    k: int | None = None

    name: ClassVar[str] = "ap"

    def __post_init__(self) -> None:
        if self.k is not None:
            registry.number("k", self.k, least=1, most=1e6, whole=True)

    @property
    def measured(self) -> str:
        """The name in trec_eval."""
        return "map" if self.k is None else f"map_cut.{self.k}"
