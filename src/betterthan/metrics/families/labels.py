"""Corpus-level metrics of labels, from predicted and true labels."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray
from betterthan.metrics.base import TOGETHER, Measured, Metric, WrongOutputError
from betterthan.metrics.families.values import label, one_reference


class OfLabels(Metric):
    """A metric that is a function of the counts of predicted labels, true labels, and both.

    The parts of an item are the numbers of its two labels, in the order of all labels. The score of a single item is 1
    if they are equal.
    """

    item_score: ClassVar[str] = "right or wrong"
    by_item: ClassVar[bool] = False
    per_second: ClassVar[float] = TOGETHER  # labels are numbered

    def measure(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Measured:
        """Number the labels."""
        said = [label(output) for output in outputs]
        true = [label(text) for text in _truths(references)]
        number = {name: place for place, name in enumerate(sorted({*said, *true}))}
        parts = np.array([[number[one], number[two]] for one, two in zip(said, true, strict=True)], dtype=float)
        return Measured((parts[:, 0] == parts[:, 1]).astype(float), parts)

    def whole(self, parts: FloatArray, weights: FloatArray) -> FloatArray:
        """Count labels, each item as often as its weight says."""
        labels = np.unique(parts)
        said, true = (parts[:, [place]] == labels for place in (0, 1))
        return self.of_counts(*((marks.astype(float).T @ weights) for marks in (said & true, said, true)))

    @abstractmethod
    def of_counts(self, both: FloatArray, said: FloatArray, true: FloatArray) -> FloatArray:
        """Return the score from how often each label was rightly said, said and true (labels × resamples)."""


def _truths(references: Sequence[Sequence[str]]) -> list[str]:
    truths = []
    for place, given in enumerate(references):
        try:
            truths.append(one_reference(given))
        except WrongOutputError as error:
            raise WrongOutputError(place, error.what, error.remedy) from None
    return truths
