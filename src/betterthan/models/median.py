"""Median: the score in the middle."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from betterthan.base import FloatArray, registry
from betterthan.datasets import SortedColumns
from betterthan.models.base import register_model
from betterthan.models.direct.counts import share
from betterthan.models.direct.scores import FromScores


@register_model
@dataclass(frozen=True, kw_only=True)
class Median(FromScores):
    """The median score of every system.

    Assumes only that scores have an order. Consumes scores; the score is in their unit. `of="differences"` uses the
    pairing: it takes the median of the differences to each other system on the same items, and averages over the
    other systems. It has no likelihood.

    Peyrard et al. (2021), Better than average: paired evaluation of NLP systems, ACL.
    """

    of: Literal["scores", "differences"] = "scores"

    name: ClassVar[str] = "median"
    score: ClassVar[str] = "median"
    smooth: ClassVar[bool] = False

    def __post_init__(self) -> None:
        registry.one_of("of", self.of, "scores", "differences")

    def averager(self, values: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """Sort every column, or every pair's differences, once."""
        if self.of == "scores":
            return SortedColumns(values).median
        size = values.shape[1]
        first, second = np.triu_indices(size, 1)
        differences = SortedColumns(values[:, first] - values[:, second])

        def average(times: FloatArray) -> FloatArray:
            medians = differences.median(times)
            known = ~np.isnan(medians)
            total, number = np.zeros((size, times.shape[1])), np.zeros((size, times.shape[1]))
            np.add.at(total, first, np.nan_to_num(medians))
            np.add.at(total, second, -np.nan_to_num(medians))
            for side in (first, second):
                np.add.at(number, side, known)
            return share(total, number)

        return average
