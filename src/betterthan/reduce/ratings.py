"""Ratings of items by several judges, so that both can be drawn again."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.table import Coded
from betterthan.evidence.scores import ScoreTable
from betterthan.reduce.matrices import matrix_of
from betterthan.reduce.units import RowWeights


@dataclass(frozen=True)
class Ratings:
    """What every judge said of every item: sums and numbers of ratings (rows × systems), a row per item and judge."""

    total: FloatArray
    number: FloatArray
    units: RowWeights
    item: IntArray  # the place of every row's item in the table

    @classmethod
    def of(cls, table: ScoreTable) -> "Ratings":
        """Put the ratings of a table together by item and judge."""
        repeats = table.repeats
        assert repeats is not None
        kept = repeats.take(np.flatnonzero(~np.isnan(repeats.value)))
        assert kept.judge is not None
        judges, systems = len(kept.judge.labels), len(table.systems)
        rows, row = np.unique(kept.instance * judges + kept.judge.codes, return_inverse=True)
        item, judge = np.divmod(rows, judges)
        cell, shape = row.ravel() * systems + kept.system, (len(rows), systems)
        number = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
        total = np.bincount(cell, kept.value, shape[0] * shape[1]).reshape(shape).astype(float)
        columns = {"item": Coded(item, table.instances), "judge": Coded(judge, kept.judge.labels)}
        return cls(total, number, RowWeights.of(len(rows), columns), item)

    @cached_property
    def values(self) -> FloatArray:
        """The ratings, NaN where a judge did not rate a system; of several by the same judge, the mean."""
        with np.errstate(invalid="ignore"):
            return np.where(self.number > 0, self.total / self.number, np.nan)

    @cached_property
    def share(self) -> FloatArray:
        """What ratings count of their item's mean: all ratings of an item count equally, and so do all items."""
        return self.number / self._of_item

    @cached_property
    def weighted(self) -> FloatArray:
        """What ratings add to the mean of their item."""
        return self.total / self._of_item

    @cached_property
    def _of_item(self) -> FloatArray:
        """How many ratings the item of a row has."""
        return np.maximum(self.by_item(self.number)[self.units.factors[0]], 1.0)

    def by_item(self, rows: FloatArray) -> FloatArray:
        """Add up rows by item (items × systems)."""
        return np.asarray(self._items @ rows)

    @cached_property
    def _items(self) -> Any:
        item, items = self.units.factors[0], self.units.levels[0]
        return matrix_of(np.ones(len(item)), item, np.arange(len(item)), (items, len(item)))

    def gradients(self, mean: FloatArray) -> FloatArray:
        """Return what every row adds to the systems' means, to first order (rows × systems)."""
        gradients: FloatArray = (self.weighted - self.share * mean) / np.maximum(self.share.sum(axis=0), 1e-300)
        return gradients

    def of_whole_items(self, times: FloatArray) -> FloatArray | None:
        """Return how often items occur (items × resamples) if each is drawn with all its ratings, else None."""
        item = self.units.factors[0]
        by_item = times[np.unique(item, return_index=True)[1]]
        return by_item if np.array_equal(by_item[item], times) else None

    def averaged(self, times: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield the items' means, NaN without a judge, and how often items occur, of every resample."""
        every = np.maximum(self.by_item(self.share).sum(axis=1), 1e-300)
        for drawn in times.T[:, :, None]:
            occurs = self.by_item(self.share * drawn).sum(axis=1) / every
            yield means(self.by_item(self.total * drawn), self.by_item(self.number * drawn)), _whole(occurs)


def means(total: FloatArray, number: FloatArray) -> FloatArray:
    """Return means of sums and numbers, NaN where there is nothing; equal ratings have equal means to the last bit."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(number > 0, total / number, np.nan)


def _whole(times: FloatArray) -> FloatArray:
    """Return whole numbers where only rounding keeps times from being such."""
    near = np.round(times)
    whole: FloatArray = np.where(np.abs(times - near) < 1e-9, near, times)
    return whole
