"""F1 of labels."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.labels import OfLabels


@register_metric
@dataclass(frozen=True)
class F1(OfLabels):
    """F1 of labels over the whole test set: the mean over labels (macro), or over all items (micro).

    Labels that are neither said nor true count for nothing.
    """

    average: Literal["macro", "micro"] = "macro"

    name: ClassVar[str] = "f1"
    bounds: ClassVar[tuple[float, float] | None] = (0, 1)

    def __post_init__(self) -> None:
        registry.one_of("average", self.average, "macro", "micro")

    def of_counts(self, both: FloatArray, said: FloatArray, true: FloatArray) -> FloatArray:
        """Average over the labels that occur."""
        if self.average == "micro":
            both, said, true = (counts.sum(axis=0, keepdims=True) for counts in (both, said, true))
        there = said + true > 0
        f = np.divide(2 * both, said + true, out=np.zeros_like(both), where=there)
        number = there.sum(axis=0)
        mean: FloatArray = np.full(number.shape, np.nan)
        np.divide(f.sum(axis=0), number, out=mean, where=number > 0)
        return mean
