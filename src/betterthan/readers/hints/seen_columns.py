"""The columns of a sample as a person would see them: types, examples, and which numbers they hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.engine import MISSING, Coded, Table, conditions
from betterthan.evidence import text_numbers

#: Rows that a trial reads at most, and cells of all columns.
ROWS, _CELLS = 50_000, 5_000_000
#: Of wider tables nobody would read a list of columns; and only narrow ones have columns for several roles, of which
#: all combinations are looked through.
MOST_COLUMNS, FEW_COLUMNS = 500, 40
_EXAMPLES = 3
_FIRST = 2_000


@dataclass(frozen=True, eq=False)
class SeenColumn:
    """One column of a sample."""

    name: str
    values: Coded

    @cached_property
    def numbers(self) -> FloatArray:
        """The numbers of all rows, NaN where a row has none."""
        return text_numbers.numbers(self.values).values

    @cached_property
    def number_of_values(self) -> int:
        """The number of distinct values."""
        return len(np.unique(self.values.codes[self.values.codes != MISSING]))

    @cached_property
    def is_complete(self) -> bool:
        """Whether every row has a value."""
        return not np.any(self.values.codes == MISSING)

    @cached_property
    def is_number(self) -> bool:
        """Whether all values that are there are numbers."""
        present = self.values.codes != MISSING
        return bool(np.any(present) and np.all(np.isfinite(self.numbers[present])))

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values that are there are whole numbers."""
        there = self.numbers[~np.isnan(self.numbers)]
        return self.is_number and bool(np.all(there == np.round(there)))

    @property
    def is_unique(self) -> bool:
        """Whether no value occurs twice."""
        return self.is_complete and self.number_of_values == len(self.values.codes)

    @property
    def counts_rows(self) -> bool:
        """Whether these are whole numbers that only grow, as of rows, games or days."""
        several = len(self.values.codes) > 2
        return several and self.is_whole and self.is_unique and bool(np.all(np.diff(self.numbers) > 0))

    @property
    def counts_values(self) -> bool:
        """Whether the values are 0, 1, 2 … or 1, 2, 3 …, as those of runs."""
        if not self.is_whole:
            return False
        low, high = np.nanmin(self.numbers), np.nanmax(self.numbers)
        return bool(low in {0.0, 1.0} and high - low + 1 == self.number_of_values)

    @cached_property
    def labels(self) -> set[str]:
        """The distinct values as texts."""
        return {self.values.labels[code] for code in np.unique(self.values.codes) if code != MISSING}

    @property
    def examples(self) -> tuple[str, ...]:
        """The first distinct values."""
        codes: IntArray = self.values.codes[self.values.codes != MISSING]
        _, first = np.unique(codes, return_index=True)
        return tuple(self.values.labels[codes[row]] for row in np.sort(first)[:_EXAMPLES])

    @property
    def kind(self) -> str:
        """The type in a word or two."""
        if self.number_of_values == 0:
            return "empty"
        return "whole numbers" if self.is_whole else "numbers" if self.is_number else "texts"


def sample_of(table: Table) -> Table:
    """Return the first rows of a table, few enough to be read several times."""
    return table.head(max(1, min(ROWS, _CELLS // max(1, len(table.columns)))))


def seen_columns(sample: Table) -> tuple[SeenColumn, ...]:
    """Return the columns of a sample, none where there are too many."""
    names: Sequence[str] = sample.columns
    if not names or len(names) > MOST_COLUMNS:
        return ()
    rows = sample.rows(names)
    return tuple(SeenColumn(name, _without_absent(rows.columns[name])) for name in names)


def _without_absent(values: Coded) -> Coded:
    """Return a column in which words for absence, such as NA, are missing values."""
    absent = np.array([*map(conditions.is_absent, values.labels), True])
    return Coded(np.where(absent[values.codes], MISSING, values.codes), values.labels)


def rows_are_distinct(columns: Sequence[SeenColumn]) -> bool:
    """Whether no two rows have the same values in all of these columns."""
    size = len(columns[0].values.codes)
    if prod(column.number_of_values for column in columns) < size or not all(each.is_complete for each in columns):
        return False
    for rows in (_FIRST, size):  # most combinations repeat early
        key: IntArray = np.zeros(min(rows, size), dtype=np.int64)
        for column in columns:
            key = key * (len(column.values.labels) + 1) + column.values.codes[:rows]
            key = np.unique(key, return_inverse=True)[1].ravel()
        if len(np.unique(key)) < len(key):
            return False
    return True
