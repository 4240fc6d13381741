"""Tables already in memory: columns of codes, from lists, arrays or a conversion."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.engine.table import MISSING, Coded, Distinct, Table, narrowed
from betterthan.errors import EvidenceError


@dataclass(frozen=True)
class MemoryTable(Table):
    """Coded columns of equal length."""

    coded: Mapping[str, Coded]
    name: str = "the given arrays"

    @classmethod
    def of(cls, arrays: Mapping[str, Any], name: str = "the given arrays") -> "MemoryTable":
        """Encode lists or NumPy arrays, one per column."""
        coded = {str(column): Coded.of(np.asarray(values, dtype=object).ravel()) for column, values in arrays.items()}
        lengths = {column: len(values.codes) for column, values in coded.items()}
        if len(set(lengths.values())) > 1:
            sizes = ", ".join(f"{column} has {length}" for column, length in lengths.items())
            raise EvidenceError(f"{name}: columns must be of equal length; {sizes}. Give one value per row.")
        return cls(coded, name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.coded)

    def _size(self) -> int:
        return max((len(column.codes) for column in self.coded.values()), default=0)

    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Return the rows as they are: whoever counts them adds them up anyway."""
        return self.rows(columns)

    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Return the rows in order."""
        coded = {column: self.coded[column] for column in columns}
        plain = {name: _as_numbers(self.coded[name])[self.coded[name].codes] for name in numbers}
        return Distinct(coded, np.ones(self._size(), dtype=np.int64), numbers=plain)

    def numeric(self, columns: Sequence[str]) -> tuple[bool, ...]:
        """Say of each column whether all its present values are numbers."""
        return tuple(not np.any(np.isnan(_as_numbers(self.coded[column])[:-1])) for column in columns)

    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column."""
        present = (np.unique(self.coded[column].codes) for column in columns)
        return (self._size(), *(int(np.sum(codes != MISSING)) for codes in present))

    def where(self, conditions: Mapping[str, str]) -> Self:
        """Keep the rows whose columns have these values."""
        keep = np.ones(self._size(), dtype=bool)
        for column, value in conditions.items():
            labels = self.coded[column].labels
            keep &= self.coded[column].codes == (labels.index(value) if value in labels else MISSING - 1)
        coded = {column: values.take(keep) for column, values in self.coded.items()}
        return replace(self, coded=coded, name=narrowed(self.name, conditions))

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Say where the first row with these values stands."""
        match = np.ones(self._size(), dtype=bool)
        for column, value in values.items():
            labels = self.coded[column].labels
            match &= self.coded[column].codes == (MISSING if value is None else labels.index(value))
        return f"{self.name}, row {int(np.argmax(match)) + 1}"


def _as_numbers(column: Coded) -> FloatArray:
    """Read every label as a number, NaN where it is none; the last entry is that of a missing value."""
    values = np.full(len(column.labels) + 1, np.nan)
    for place, label in enumerate(column.labels):
        with suppress(ValueError):
            values[place] = float(label)
    return values
