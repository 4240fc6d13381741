"""Matthews correlation coefficient."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray
from betterthan.metrics.base import register_metric
from betterthan.metrics.families.labels import OfLabels


@register_metric
@dataclass(frozen=True)
class Mcc(OfLabels):
    """Matthews correlation of predicted and true labels, of two labels or more; 0 where either never varies.

    Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient.
    """

    name: ClassVar[str] = "mcc"
    bounds: ClassVar[tuple[float, float] | None] = (-1, 1)

    def of_counts(self, both: FloatArray, said: FloatArray, true: FloatArray) -> FloatArray:
        """Return the covariance of the labels over their spreads."""
        number = said.sum(axis=0)
        covariance = both.sum(axis=0) * number - (said * true).sum(axis=0)
        spread = (number**2 - (said**2).sum(axis=0)) * (number**2 - (true**2).sum(axis=0))
        score = np.divide(covariance, np.sqrt(np.maximum(spread, 0)), out=np.zeros_like(number), where=spread > 0)
        return np.where(number > 0, score, np.nan)
