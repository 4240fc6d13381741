"""Corpus-level metrics of labels, from predicted and true labels."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from betterthan.base import FloatArray
from betterthan.metrics.base import TOGETHER, Influence, Measured, Metric, WrongOutputError
from betterthan.metrics.families.values import label, one_reference


class OfLabels(Metric):
    """A metric that is a function of the counts of predicted labels, true labels, and both.

    The parts of an item are the numbers of its two labels, in the order of all labels. The score of a single item is 1
    if they are equal.
    """

    item_score: ClassVar[str] = "right or wrong"
    by_item: ClassVar[bool] = False
    instead: ClassVar[str] = "accuracy"
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

    def influence(self, parts: FloatArray) -> Influence:
        """Return how far the score falls without each item, by the jackknife; equal items are computed once."""
        labels = np.unique(parts)
        cells, cell = np.unique(np.searchsorted(labels, parts), axis=0, return_inverse=True)
        number, mark = np.bincount(cell.ravel()).astype(float), np.eye(len(labels))
        said, true = (mark[:, cells[:, place]] for place in (0, 1))
        # Half of the added item of every label is right.
        counts = [(marks @ number + added)[:, None] for marks, added in ((said * true, 0.5), (said, 1.0), (true, 1.0))]

        def moved(both: FloatArray, said: FloatArray, true: FloatArray) -> FloatArray:
            return self.of_counts(counts[0] + both, counts[1] + said, counts[2] + true)

        none = np.zeros_like(mark)
        smoothed = self.of_counts(*counts)
        return Influence(
            smoothed=float(smoothed[0]),
            items=(smoothed - moved(-said * true, -said, -true))[cell.ravel()],
            kind=np.searchsorted(labels, parts[:, 1]),
            kinds=labels,
            added=smoothed - moved(-mark / 2, -mark, -mark),
            chance=np.abs(moved(mark / 2, none, none) - moved(-mark / 2, none, none)) / 2,
        )

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
