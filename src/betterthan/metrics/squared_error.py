"""Squared error of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.values import number_of


@register_metric
@dataclass(frozen=True)
class SquaredError(ByItem):
    """Squared distance of a number from the nearest reference; its mean is the mean squared error (MSE)."""

    name: ClassVar[str] = "squared-error"
    lower_is_better: ClassVar[bool] = True  # type: ignore[misc]

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare numbers."""
        value = number_of(output)
        return min((value - number_of(text, "reference")) ** 2 for text in references)
