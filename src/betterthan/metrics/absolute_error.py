"""Absolute error of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.metrics.base import ByItem, register_metric
from betterthan.metrics.families.values import number_of


@register_metric
@dataclass(frozen=True)
class AbsoluteError(ByItem):
    """Distance of a number from the nearest reference; its mean is the mean absolute error (MAE)."""

    name: ClassVar[str] = "absolute-error"
    lower_is_better: ClassVar[bool] = True  # type: ignore[misc]

    def score(self, output: str, references: Sequence[str]) -> float:
        """Compare numbers."""
        value = number_of(output)
        return min(abs(value - number_of(text, "reference")) for text in references)
