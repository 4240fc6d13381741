"""Means of people's labels, of which a judge's scores of all items predict those that are missing."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets import GoldMatrix
from betterthan.models.direct.additive import AdditiveFit, Influences

#: Labels of a system for each coefficient of its prediction.
_LABELS = 5
#: A judge who varies by no more than this share of its size does not vary.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class GoldRegression:
    """The mean label of every system over all items.

    A system's labels are predicted by least squares from the judge's score of it and from the mean score of the item,
    for all items. The mean of what the labels differ by from that corrects the mean of the predictions. The error of
    the judge may therefore be any, and differ from system to system. It is the regression estimator of surveys (Cochran
    1977, chapter 7), and prediction-powered inference with the best λ (Angelopoulos, Duchi & Zrnic 2023).
    """

    statistic: GoldMatrix

    @classmethod
    def of(cls, statistic: GoldMatrix) -> "GoldRegression":
        """Return the regression of a statistic, which is fitted once."""
        return statistic.made("regression", lambda: cls(statistic))

    @cached_property
    def _item(self) -> FloatArray:
        """The judge's mean score of every item, over all systems; NaN where there is none."""
        there = ~np.isnan(self.statistic.judged)
        number = there.sum(axis=1)
        total = np.where(there, self.statistic.judged, 0.0).sum(axis=1)
        mean: FloatArray = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0)
        return mean

    @cached_property
    def _fitted(self) -> tuple[FloatArray, FloatArray, IntArray]:
        """Predictions (items × systems), the slope of the judge's own score, and the number of coefficients."""
        statistic = self.statistic
        predicted = np.full(statistic.judged.shape, np.nan)
        slope, used = np.zeros(statistic.size), np.zeros(statistic.size, dtype=np.int64)
        for place in range(statistic.size):
            known = ~np.isnan(statistic.judged[:, place])
            rows = np.flatnonzero(statistic.labelled[:, place])
            features = self._features(place, len(rows) // _LABELS)
            weight = np.sqrt(statistic.weight[rows, place])
            chosen = features[rows] * weight[:, None]
            coefficients, _, rank, _ = np.linalg.lstsq(chosen, statistic.gold[rows, place] * weight, rcond=1e-9)
            predicted[known, place] = features[known] @ coefficients
            slope[place] = coefficients[1] if len(coefficients) > 1 else 0.0
            used[place] = max(int(rank) - 1, 0)
        return predicted, slope, used

    def _features(self, place: int, most: int) -> FloatArray:
        """Return ones, and up to `most` of the judge's score and the item's mean score."""
        own = self.statistic.judged[:, place]
        found = [np.ones(len(own))]
        for feature in (own, self._item)[: min(most, 1 if self.statistic.size == 1 else 2)]:
            middle = float(np.nanmean(feature))
            gaps = np.nan_to_num(feature - middle)
            if np.max(np.abs(gaps)) > _ROUNDING * max(abs(middle), 1.0):
                found.append(gaps)
        return np.stack(found, axis=1)

    @property
    def predicted(self) -> FloatArray:
        """The label that is expected of every item (items × systems)."""
        return self._fitted[0]

    @property
    def slope(self) -> FloatArray:
        """By how much the expected label rises with the judge's score, of every system: the λ of the correction."""
        return self._fitted[1]

    @property
    def coefficients(self) -> IntArray:
        """How many coefficients predict the labels of every system."""
        return self._fitted[2]

    @cached_property
    def _share(self) -> FloatArray:
        """The share of every label in the mean of its system."""
        weight = np.where(self.statistic.labelled, self.statistic.weight, 0.0)
        share: FloatArray = weight / np.maximum(weight.sum(axis=0), 1e-300)
        return share

    @cached_property
    def _of_predictions(self) -> Influences:
        """What every item adds to the means of predictions, adjusted for items that the judge did not score."""
        predicted = self.predicted
        missing = np.isnan(predicted)
        adjusted = np.any(missing[~np.all(missing, axis=1)])
        return AdditiveFit(predicted).influences if adjusted else Influences.plain(predicted)

    @cached_property
    def residual(self) -> FloatArray:
        """What labels differ by from their prediction, 0 where there is none."""
        gaps: FloatArray = np.where(self.statistic.labelled, self.statistic.gold - self.predicted, 0.0)
        return gaps

    @cached_property
    def mean(self) -> FloatArray:
        """The corrected mean of every system; NaN for one without labels."""
        corrected = self._of_predictions.mean + (self._share * self.residual).sum(axis=0)
        return np.where(self.statistic.labels > 0, corrected, np.nan)

    @cached_property
    def influences(self) -> Influences:
        """What every item adds to the corrected means, to first order.

        Residuals of a least-squares fit are smaller than those of other items, which their factor makes up for.
        """
        left = np.maximum(self.statistic.labels - 1 - self.coefficients, 1)
        factor = np.sqrt(np.maximum(self.statistic.labels - 1, 1) / left)
        centred = self.residual - (self._share * self.residual).sum(axis=0)
        own = self._share * centred * factor
        number = len(self.statistic.judged)
        return Influences(self.mean, self._of_predictions.parts + own, np.full(own.shape, 1 / max(number, 1)))

    @cached_property
    def by_labels(self) -> FloatArray:
        """The mean of the labels alone."""
        mean = (self._share * np.nan_to_num(self.statistic.gold)).sum(axis=0)
        return np.where(self.statistic.labels > 0, mean, np.nan)

    @cached_property
    def by_judge(self) -> FloatArray:
        """The mean of the judge's scores alone, adjusted for items that it did not score."""
        missing = np.isnan(self.statistic.judged)
        adjusted = np.any(missing[~np.all(missing, axis=1)])
        values = self.statistic.judged
        return AdditiveFit(values).mean if adjusted else Influences.plain(values).mean
