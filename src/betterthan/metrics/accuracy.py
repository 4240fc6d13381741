"""Accuracy of labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.values import label


@register_metric
@dataclass(frozen=True)
class Accuracy(ByItem):
    """1 where the label is that of a reference, else 0; 3 and 3.0 are the same label."""

    name: ClassVar[str] = "accuracy"

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare labels."""
        said = label(output)
        return float(any(said == label(text) for text in references))
