"""BLEU, by sacrebleu."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, PlanError, registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.sacre import FromSacrebleu

#: Tokenizers that need no download.
_TOKENIZERS = ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab")
_ORDERS = 4


@register_metric
@dataclass(frozen=True)
class Bleu(FromSacrebleu):
    """BLEU of n-grams up to 4, by sacrebleu; of a single item with effective order.

    `tokenize` is 13a, intl, zh, char, none, ja-mecab or ko-mecab; `case=lower` ignores case.
    """

    tokenize: str = "13a"
    case: Literal["mixed", "lower"] = "mixed"

    name: ClassVar[str] = "bleu"
    bounds: ClassVar[tuple[float, float] | None] = (0, 100)
    per_second: ClassVar[float] = 2000
    item_score: ClassVar[str] = "sentence BLEU with effective order"

    def __post_init__(self) -> None:
        registry.one_of("tokenize", self.tokenize, *_TOKENIZERS)
        registry.one_of("case", self.case, "mixed", "lower")

    def made(self, metrics: Any) -> Any:
        """Make sacrebleu's BLEU."""
        try:
            return metrics.BLEU(tokenize=self.tokenize, lowercase=self.case == "lower")
        except (RuntimeError, ImportError) as error:
            raise PlanError(
                f"the tokenizer {self.tokenize} cannot be loaded: {str(error).strip().splitlines()[0]}",
                remedy="Install what it needs, or choose another with bleu(tokenize=…).",
            ) from None

    def of_segments(self, statistics: FloatArray) -> FloatArray:
        """Use only the orders that a segment is long enough for."""
        return _bleu(statistics, effective=True)

    def statistic(self, sums: FloatArray) -> FloatArray:
        """Return corpus BLEU from lengths, matches and totals."""
        return _bleu(sums, effective=False)


def _bleu(sums: FloatArray, *, effective: bool) -> FloatArray:
    """Return BLEU with exponential smoothing (Chen and Cherry 2014, method 3) of every column."""
    length, reference = sums[0], sums[1]
    correct, total = sums[2 : 2 + _ORDERS], sums[2 + _ORDERS : 2 + 2 * _ORDERS]
    # Orders count up to the first one that no text is long enough for.
    there = np.logical_and.accumulate(total > 0, axis=0)
    halved = np.cumsum(there & (correct == 0), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(correct > 0, correct, 0.5**halved) / total
        logarithm = np.where(there, np.log(precision), 0.0).sum(axis=0)
        orders = there.sum(axis=0) if effective else np.full(there.shape[1], _ORDERS)
        logarithm = np.where(there.all(axis=0) | effective, logarithm / np.maximum(orders, 1), -np.inf)
        penalty = np.where(length < reference, np.where(length > 0, 1 - reference / length, -np.inf), 0.0)
    score = 100 * np.exp(logarithm + penalty)
    return np.where(np.isnan(length), np.nan, np.where(np.any(correct > 0, axis=0), score, 0.0))
