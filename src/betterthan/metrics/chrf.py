"""chrF and chrF++, by sacrebleu."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.sacre import FromSacrebleu


@register_metric
@dataclass(frozen=True)
class Chrf(FromSacrebleu):
    """chrF: F of character n-grams up to 6, by sacrebleu; `words=2` is chrF++.

    `characters` is the longest character n-gram, `beta` how much recall weighs, `case=lower` ignores case.
    """

    characters: int = 6
    words: int = 0
    beta: int = 2
    case: Literal["mixed", "lower"] = "mixed"

    name: ClassVar[str] = "chrf"
    bounds: ClassVar[tuple[float, float] | None] = (0, 100)
    item_score: ClassVar[str] = "sentence chrF"

    def __post_init__(self) -> None:
        registry.number("characters", self.characters, least=1, most=20, whole=True)
        registry.number("words", self.words, least=0, most=20, whole=True)
        registry.number("beta", self.beta, least=1, most=10, whole=True)
        registry.one_of("case", self.case, "mixed", "lower")

    def made(self, metrics: Any) -> Any:
        """Make sacrebleu's chrF."""
        return metrics.CHRF(
            char_order=self.characters, word_order=self.words, beta=self.beta, lowercase=self.case == "lower"
        )

    def statistic(self, sums: FloatArray) -> FloatArray:
        """Return F of the mean precision and recall over the orders that both sides have."""
        output, reference, match = sums[0::3], sums[1::3], sums[2::3]
        both = (output > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=0), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(both, match / output, 0.0).sum(axis=0) / orders
            recall = np.where(both, match / reference, 0.0).sum(axis=0) / orders
            factor = self.beta**2
            score = 100 * (1 + factor) * precision * recall / (factor * precision + recall)
        return np.where(precision + recall > 0, score, 0.0)
