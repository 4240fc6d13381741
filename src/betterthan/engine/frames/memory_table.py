"""Tables in memory: columns from lists, arrays or codes."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from betterthan.base import ArrayEquality, EvidenceError, FloatArray
from betterthan.base import arrays as code_arrays
from betterthan.engine.conditions import Condition
from betterthan.engine.nested import Reach
from betterthan.engine.table import MISSING, Coded, Distinct, Table


@dataclass(frozen=True, eq=False)
class MemoryTable(ArrayEquality, Table):
    """Columns of equal length, as codes or as arrays, which are encoded on first use."""

    held: Mapping[str, Coded | Any]

    @classmethod
    def of(cls, arrays: Mapping[str, Any], name: str = "the given arrays") -> "MemoryTable":
        """Take lists or NumPy arrays, one per column."""
        held = {
            str(column): values if isinstance(values, Coded) else _array(values) for column, values in arrays.items()
        }
        lengths = {column: _length(values) for column, values in held.items()}
        if len(set(lengths.values())) > 1:
            sizes = ", ".join(f"{column} has {length}" for column, length in lengths.items())
            raise EvidenceError(
                f"columns must be of equal length; {sizes}", where=name, remedy="Give one value per row."
            )
        return cls(name, held)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.held)

    def _size(self) -> int:
        return max((_length(held) for held in self.held.values()), default=0)

    def _coded(self, column: str) -> Coded:
        held = self.held[column]
        return held if isinstance(held, Coded) else self.once(column, lambda: Coded.of(held.astype(object)))

    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Return the rows uncounted: callers add them up anyway."""
        return replace(self.rows(columns), one_by_one=False)

    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Return the rows in order."""
        coded = {column: self._coded(column) for column in columns}
        plain = {name: self._numbers(name) for name in numbers}
        return Distinct(coded, np.ones(self._size(), dtype=np.int64), numbers=plain, one_by_one=True)

    def _numbers(self, column: str) -> FloatArray:
        held = self.held[column]
        if not isinstance(held, Coded) and held.dtype.kind in "fiu":
            return held.astype(np.float64)  # type: ignore[no-any-return]
        return as_numbers(self._coded(column))

    def numeric(self, columns: Sequence[str]) -> tuple[bool, ...]:
        """Return for each column whether all its present values are numbers."""
        return tuple(not np.any(np.isinf(self._numbers(column))) for column in columns)

    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column."""
        present = (code_arrays.distinct(self._coded(column).codes) for column in columns)
        return (self._size(), *(int(np.sum(codes != MISSING)) for codes in present))

    def lack(self, columns: Sequence[str]) -> bool:
        """Return whether some row has no value in one of these columns."""
        return any(bool(np.any(self._coded(column).codes == MISSING)) for column in columns)

    def _where(self, conditions: Sequence[Condition], *, unreadable: bool) -> Self:
        del unreadable  # there are no lines
        keep = np.ones(self._size(), dtype=bool)
        for condition in conditions:
            coded = self._coded(condition.column)
            keep &= np.array([*map(condition.keeps, coded.labels), condition.keeps(None)])[coded.codes]
        held = {
            column: held.take(keep) if isinstance(held, Coded) else held[keep] for column, held in self.held.items()
        }
        return replace(self, held=held)

    def _incomparable(self, condition: Condition) -> str | None:
        labels = self._coded(condition.column).labels
        return next((label for label in labels if not condition.comparable(label)), None)

    def _reached(self, name: str, column: str, path: tuple[str, ...]) -> Self | None:
        held, reach = self.held[column], Reach(path)
        if isinstance(held, Coded):
            found = Coded.relabel(held.codes, [*map(reach, held.labels), None])
        else:
            found = Coded.of(map(reach, held))
        return replace(self, held={**self.held, name: found}) if found.labels else None

    def _joined(self, name: str, keys: Sequence[str]) -> Self:
        rows = zip(*(self._coded(key).texts() for key in keys), strict=True)
        joined = Coded.of(None if None in row else "-".join(row) for row in rows)
        return replace(self, held={**self.held, name: joined})

    def compared(self, name: str, sides: tuple[str, str]) -> Self:
        """Return the table with one more column, which says whose number is larger: left, tie or right."""
        left, right = (self._numbers(side) for side in sides)
        texts = zip(*(self._coded(side).texts() for side in sides), strict=True)
        larger = [
            None if None in text else word if np.isfinite([one, other]).all() else " : ".join(text)
            for one, other, word, text in zip(left, right, _larger(left, right), texts, strict=True)
        ]
        return replace(self, held={**self.held, name: Coded.of(larger)})

    def head(self, rows: int) -> Self:
        """Return a table of the first rows."""
        held = {
            name: held.take(slice(rows)) if isinstance(held, Coded) else held[:rows] for name, held in self.held.items()
        }
        return replace(self, held=held)

    def without(self, columns: Sequence[str]) -> Self:
        """Return the table without some columns."""
        return replace(self, held={name: held for name, held in self.held.items() if name not in columns})

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Return the location of the first row with these values."""
        match = np.ones(self._size(), dtype=bool)
        for column, value in values.items():
            match &= self._is(column, value)
        return self.place(int(np.argmax(match)))

    def _is(self, column: str, value: str | None) -> Any:
        """Mark the rows in which a column has this value."""
        coded = self._coded(column)
        if value is None:
            return coded.codes == MISSING
        return coded.codes == (coded.labels.index(value) if value in coded.labels else MISSING - 1)


def _larger(left: FloatArray, right: FloatArray) -> list[str]:
    """Return which side of each row is larger."""
    return [("right", "tie", "left")[int(sign)] for sign in np.sign(np.nan_to_num(left) - np.nan_to_num(right)) + 1]


def as_numbers(column: Coded) -> FloatArray:
    """Read a column as numbers: NaN where it is empty, infinite where it holds something else."""
    values = np.full(len(column.labels) + 1, np.inf)
    values[MISSING] = np.nan
    for place, label in enumerate(column.labels):
        with suppress(ValueError):
            values[place] = float(label)
    return values[column.codes]


def _length(held: Coded | Any) -> int:
    return len(held.codes if isinstance(held, Coded) else held)


def _array(values: Any) -> Any:
    """Keep numbers as they are, and everything else as objects: NumPy would convert a mixture to one type."""
    array = np.asarray(values) if isinstance(values, np.ndarray) else None
    if array is not None and array.dtype.kind in "fiu":
        return array.ravel()
    return np.asarray(values, dtype=object).ravel()
