"""Area under the ROC curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray
from betterthan.metrics.base import Influence, Measured, Metric, WrongOutputError, register_metric
from betterthan.metrics.families.values import is_positive, number_of, one_reference


@register_metric
@dataclass(frozen=True)
class RocAuc(Metric):
    """Chance that a positive item has a higher decision value than a negative one; equal values count half.

    The truth is 1 or 0, true or false, yes or no; `positive` names the label that is sought where it is another word.
    The score of a single item is the share of items of the other kind that it is rightly above or below. These shares
    are dependent, and their covariance is that of the areas (DeLong et al. 1988).
    """

    positive: str = ""

    name: ClassVar[str] = "roc-auc"
    bounds: ClassVar[tuple[float, float] | None] = (0, 1)
    item_score: ClassVar[str] = "the share of items of the other kind that are rightly ordered"
    by_item: ClassVar[bool] = False
    swappable: ClassVar[bool] = False

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Read decision values and truths; scores of single items follow from all items of a system."""
        parts = np.empty((len(outputs), 2))
        for place, (output, given) in enumerate(zip(outputs, references, strict=True)):
            try:
                parts[place] = number_of(output), is_positive(one_reference(given), self.positive)
            except WrongOutputError as error:
                raise WrongOutputError(place, error.what, error.remedy) from None
        return Measured(np.full(len(outputs), np.nan), parts)

    def of_system(self, measured: Measured) -> Measured:
        """Compare every item with those of the other kind."""
        assert measured.parts is not None
        return Measured(self._shares(measured.parts), measured.parts)

    @staticmethod
    def _shares(parts: FloatArray) -> FloatArray:
        """Return the share of items of the other kind that every item is rightly above or below."""
        value, true = parts[:, 0], parts[:, 1] == 1
        scores = np.full(len(parts), np.nan)
        for kind, sign in ((True, 1.0), (False, -1.0)):
            others = np.sort(sign * value[true != kind])
            own = sign * value[true == kind]
            below = np.searchsorted(others, own, "left") + np.searchsorted(others, own, "right")
            if len(others):
                scores[true == kind] = below / (2 * len(others))
        return scores

    def influence(self, parts: FloatArray) -> Influence:
        """Return DeLong's components, each less the area and over the number of its kind.

        An item that is ordered by chance has a share of 1/2 on average, with the variance 1/12.
        """
        shares, kind = self._shares(parts), parts[:, 1].astype(np.int64)
        number = np.maximum(np.bincount(kind, minlength=2), 1)
        area, fewest = shares[kind == 1].mean(), number.min()
        away = np.where(number > 1, area - 0.5, 0.5)  # of a single item the variance is unknown
        return Influence(
            smoothed=float((fewest * area + 0.5) / (fewest + 1)),
            items=(shares - area) / np.sqrt(number * np.maximum(number - 1, 1))[kind],
            kind=kind,
            kinds=np.arange(2.0),
            added=away / number,
            chance=np.sqrt(1 / 12) / number,
        )

    def whole(self, parts: FloatArray, weights: FloatArray) -> FloatArray:
        """Sum over values in their order: positives above all lower negatives, and half of the equal ones."""
        order = np.argsort(parts[:, 0], kind="stable")
        value, true, weights = parts[order, 0], parts[order, 1:], weights[order]
        ends = np.flatnonzero(np.append(np.diff(value) > 0, True))  # the last item of every value
        positives, negatives = (np.cumsum(weights * kind, axis=0)[ends] for kind in (true, 1 - true))
        positive, negative = (np.diff(counts, axis=0, prepend=0.0) for counts in (positives, negatives))
        below = negatives - negative / 2
        pairs = positives[-1] * negatives[-1]
        area: FloatArray = np.full(pairs.shape, np.nan)
        np.divide((positive * below).sum(axis=0), pairs, out=area, where=pairs > 0)
        return area
