"""Exact match of texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from betterthan.base import registry
from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.words import plain_answer


@register_metric
@dataclass(frozen=True)
class ExactMatch(ByItem):
    """1 where the output equals a reference but for white space at its ends, else 0; `text=squad` normalises both."""

    text: Literal["as-is", "squad"] = "as-is"

    name: ClassVar[str] = "exact-match"

    def __post_init__(self) -> None:
        registry.one_of("text", self.text, "as-is", "squad")

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare with every reference."""
        plain = plain_answer if self.text == "squad" else str.strip
        return float(any(plain(output) == plain(text) for text in references))
