"""The rows that rankings or scores were read from, for further columns that a formula names."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.base import EvidenceError, IntArray
from betterthan.engine import MISSING, Coded, Table


@dataclass(frozen=True, eq=False)
class SourceRows:
    """A table, some of its rows, and what each of them belongs to: the number of a ranking or an item.

    Columns are read when they are needed. Copies in other processes have no table: they unpickle as None.
    """

    table: Table
    row: IntArray
    of: IntArray
    rows: int  # of the table, when it was read

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return self.table.columns

    def has(self, name: str) -> bool:
        """Whether there is such a column."""
        return self.table.derived(name) is not None

    def _column(self, name: str) -> Coded:
        """Return a column, row by row of the whole table."""
        table = self.table.derived(name)
        assert table is not None
        found = table.rows([name]).columns[name]
        if len(found.codes) != self.rows:
            raise EvidenceError(
                f"it had {self.rows:,} rows when it was read, and has {len(found.codes):,} now",
                where=self.table.name,
                remedy="Read it again.",
            )
        return found

    def kept(self, place: IntArray) -> "SourceRows":
        """Renumber what rows belong to; −1 leaves out."""
        moved = place[self.of]
        there = np.flatnonzero(moved >= 0)
        return SourceRows(self.table, self.row[there], moved[there], self.rows)

    def regrouped(self, row: IntArray, of: IntArray) -> "SourceRows":
        """Return other rows of the same table, and what they belong to."""
        return SourceRows(self.table, row, of, self.rows)

    def each(self, name: str, number: int) -> Coded | None:
        """Return a column ranking by ranking or item by item; None where it differs within one.

        Of what has no row, the value is missing.
        """
        column, value = self._column(name).take(self.row), np.full(number, MISSING, dtype=np.int64)
        value[self.of[::-1]] = column.codes[::-1]
        return Coded(value, column.labels) if np.array_equal(value[self.of], column.codes) else None

    def __reduce__(self) -> Any:
        return _nothing, ()


def _nothing() -> None:
    return None
