"""The matrix of scores, for models that average them, and of ratings by several judges."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, digest_of
from betterthan.datasets.statistics.sparse_matrices import matrix_of
from betterthan.datasets.units.crossed_variance import add_up
from betterthan.datasets.units.units import RowWeights
from betterthan.engine import Coded
from betterthan.evidence import ScoreTable


@dataclass(frozen=True)
class RatingMatrix:
    """Ratings by item and judge: sums and counts (rows × systems), one row per item and judge.

    Where scores were repeated without judges, runs of systems take their place: then a row has one system only.
    """

    total: FloatArray
    number: FloatArray
    units: RowWeights
    item: IntArray  # the place of every row's item in the table

    @classmethod
    def of(cls, table: ScoreTable) -> "RatingMatrix":
        """Put the ratings of a table together by item and judge, or by item and run of a system."""
        repeats = table.repeats
        assert repeats is not None
        kept = repeats.take(np.flatnonzero(~np.isnan(repeats.value)))
        systems = len(table.systems)
        if kept.judge is not None:
            name, labels, code, nested = "judge", kept.judge.labels, kept.judge.codes, None
        else:  # two runs with one label are not the same run of two systems
            runs = len(kept.repeat.labels)
            found, code = np.unique(kept.system * runs + kept.repeat.codes, return_inverse=True)
            name, code, nested = "run", code.ravel(), found // runs
            labels = tuple(f"{table.systems[one // runs]} {kept.repeat.labels[one % runs]}" for one in found)
        judges = len(labels)
        rows, row = np.unique(kept.item * judges + code, return_inverse=True)
        item, judge = np.divmod(rows, judges)
        cell, shape = row.ravel() * systems + kept.system, (len(rows), systems)
        number = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
        total = np.bincount(cell, kept.value, shape[0] * shape[1]).reshape(shape).astype(float)
        units = RowWeights.of(len(rows), {"item": Coded(item, table.items), name: Coded(judge, labels)})
        return cls(total, number, replace(units, nested=nested), item)

    @cached_property
    def values(self) -> FloatArray:
        """The ratings, NaN where a judge did not rate a system; of several by the same judge, the mean."""
        with np.errstate(invalid="ignore"):
            return np.where(self.number > 0, self.total / self.number, np.nan)

    @cached_property
    def share(self) -> FloatArray:
        """The weight of ratings in their item's mean: all ratings of an item count equally, and so do all items."""
        return self.number / self._of_item

    @cached_property
    def weighted(self) -> FloatArray:
        """The contributions of ratings to the mean of their item."""
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
        """Return the influence of every row on the systems' means, to first order (rows × systems)."""
        gradients: FloatArray = (self.weighted - self.share * mean) / np.maximum(self.share.sum(axis=0), 1e-300)
        return gradients

    def of_whole_items(self, times: FloatArray) -> FloatArray | None:
        """Return the weights of items (items × resamples) if each is drawn with all its ratings, else None."""
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


@dataclass(frozen=True)
class ScoreMatrix:
    """Items × systems, higher is better, NaN where a score is missing.

    A resample says how often each item occurs; where items and judges are the units, how often each judge's ratings of
    each item do.
    """

    systems: tuple[str, ...]
    values: FloatArray
    lower_is_better: bool  # as given: held negated here
    units: RowWeights
    ratings: RatingMatrix | None = None  # where judges are units too

    @staticmethod
    def of(table: ScoreTable, groups: Coded | None = None) -> "ScoreMatrix":
        """Keep the scores; the item is the unit, or its group."""
        units = RowWeights.of(len(table.items), {} if groups is None else {"group": groups}, "item")
        return ScoreMatrix(table.systems, table.values, table.negated, units)

    @staticmethod
    def of_ratings(table: ScoreTable) -> "ScoreMatrix":
        """Keep the scores of every judge; items and judges are the units."""
        ratings = RatingMatrix.of(table)
        return ScoreMatrix(table.systems, table.values, table.negated, ratings.units, ratings)

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    def appearances(self, unit: IntArray, units: int) -> Any:
        """Count the scores of each system, by their units (units × systems)."""
        return add_up(~np.isnan(self.values) if self.ratings is None else self.ratings.number, unit, units)

    def digest(self) -> str:
        """Return a short digest that no order of items changes."""
        values = (self.values if self.ratings is None else self.ratings.values) + 0.0  # one zero only
        order = np.lexsort((*self.units.factors, *values.T))
        return digest_of(self.systems, *(column[order] for column in (values, *self.units.factors)))

    def some_units(self, amount: int, rng: np.random.Generator) -> "ScoreMatrix":
        """Return the items of that many units, drawn without replacement, in their order."""
        from betterthan.datasets.statistics.subsample import some_rows  # noqa: PLC0415 (few ask for samples)

        rows, units = some_rows(self.units, amount, rng)
        return replace(self, values=self.values[rows], units=units)
