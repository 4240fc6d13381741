"""The table protocol between engines and evidence: distinct rows and their counts."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from betterthan.base import ArrayEquality, EvidenceError, FloatArray, IntArray, Memo, spelling
from betterthan.engine.conditions import Condition, exactly
from betterthan.engine.labels import is_missing, label_of

#: From that many rows on, units are likely to be put into buckets, and to count them takes longer than to rank.
MANY_ROWS = 1_000_000
MISSING = -1
#: The bits of a hash that a floating-point number holds.
LOW_BITS = 2**52 - 1
_T = TypeVar("_T", bound="Table")

if TYPE_CHECKING:
    from betterthan.engine.buckets.bucket_sums import Wanted

#: Whether a bad row stops the run, or is counted and left out; if most rows are bad, only where that was requested.
OnError = Literal["refuse", "skip", "skip-most"]


@dataclass(frozen=True, eq=False)
class Coded(ArrayEquality):
    """A column as integer codes into sorted labels; code −1 is a missing value."""

    codes: IntArray
    labels: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        """Encode any values; numbers that are whole lose their '.0', so that engines agree on names."""
        try:
            found = _plain(values)
            index = {value: code for code, value in enumerate(dict.fromkeys(found))}
            codes = np.fromiter(map(index.__getitem__, found), dtype=np.int64, count=len(found))
        except (TypeError, ValueError):
            raise EvidenceError(
                "a column holds lists or other nested values", remedy="Turn it into text or numbers first."
            ) from None
        return cls.relabel(codes, list(index))

    @classmethod
    def relabel(cls, codes: IntArray, values: Sequence[Any]) -> Self:
        """Build from codes into unsorted raw values: labels become sorted, unique strings."""
        texts = [label_of(value) for value in values]
        labels = sorted({text for text in texts if text is not None})
        place: dict[str | None, int] = dict(zip(labels, range(len(labels)), strict=True))
        place[None] = MISSING
        lookup = np.fromiter(map(place.__getitem__, (*texts, None)), dtype=np.int64, count=len(texts) + 1)
        return cls(lookup[codes], tuple(labels))

    @property
    def compact(self) -> tuple[IntArray, int]:
        """Return codes without gaps, in the same order, and how many there are (no value may be missing)."""
        used = np.zeros(len(self.labels), dtype=bool)
        used[self.codes] = True
        return (np.cumsum(used) - 1)[self.codes], int(used.sum())

    def __iter__(self) -> Iterator[str | None]:
        return iter(self.texts())

    def take(self, rows: NDArray[Any] | slice) -> "Coded":
        """Keep some rows; labels stay as they are."""
        return Coded(self.codes[rows], self.labels)

    def texts(self) -> NDArray[Any]:
        """Return the column as an object array of strings, None where missing."""
        lookup = np.array([*self.labels, None], dtype=object)
        return lookup[self.codes]


@dataclass(frozen=True)
class Distinct:
    """Distinct rows with their counts, and the lines that no parser could split.

    `numbers` are columns requested as numbers instead of codes. NaN marks an empty cell, infinity a value that is not a
    number.
    """

    columns: Mapping[str, Coded]
    times: IntArray
    unparsable: int = 0
    unparsable_example: str = ""
    numbers: Mapping[str, FloatArray] = field(default_factory=dict)
    one_by_one: bool = False  # every row, in the table's order where it has one


@dataclass(frozen=True, eq=False)
class Table(ABC):
    """The rows of files, of a data frame of any library, or of memory.

    A table is thread-safe, and a context manager that closes what it opened.
    """

    #: What to call this table in a message.
    name: str
    #: Columns that only some of several files have, with one that lacks each.
    lacking: Mapping[str, str] = field(default_factory=dict, kw_only=True, repr=False, compare=False)
    #: Files of a folder that are no tables.
    other_files: tuple[str, ...] = field(default=(), kw_only=True, repr=False, compare=False)
    #: Cached properties of the table, such as which of its columns are numbers.
    once: Memo = field(default_factory=Memo, init=False, repr=False, compare=False)

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""

    @property
    def changes(self) -> tuple[str, ...]:
        """What was left out of files around their tables, and numbers that were read in another notation."""
        return ()

    @property
    def ordered(self) -> bool:
        """Whether the rows have an order."""
        return True

    @abstractmethod
    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Count distinct combinations of these columns: one group-by on the engine."""

    @abstractmethod
    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Collect these columns row by row, in order where the engine has one; every row has times 1.

        Some may be requested as `numbers`: millions of distinct ones are not worth codes.
        """

    @abstractmethod
    def numeric(self, columns: Sequence[str]) -> tuple[bool, ...]:
        """Return for each column whether all its present values are numbers."""

    @abstractmethod
    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column, in one pass."""

    @abstractmethod
    def lack(self, columns: Sequence[str]) -> bool:
        """Return whether some row has no value in one of these columns."""

    def kept(self, columns: Sequence[str]) -> Self:
        """Return a table for these columns, which will be requested several times.

        Engines that go over whole files for every answer read the columns once and keep them.
        """
        del columns
        return self

    def bucket_sums(self, wanted: "Wanted") -> list[FloatArray]:
        """Add up what rows say about systems by buckets of units, on the engine where it can (see `buckets.py`)."""
        from betterthan.engine.buckets.bucket_sums import from_rows  # noqa: PLC0415 (it builds on this module)

        return from_rows(self.rows([*wanted.columns, *(factor.column for factor in wanted.factors)]), wanted)

    def where(self, wanted: Mapping[str, str] | Sequence[Condition], *, unreadable: bool = True) -> Self:
        """Keep the rows that meet all conditions; a mapping names the exact value of each column.

        Lines that cannot be read are counted among them, or left out.
        """
        conditions = exactly(wanted) if isinstance(wanted, Mapping) else tuple(wanted)
        table = self
        for condition in conditions:
            table = table.derived(condition.column) or table
            if condition.ordering and (odd := table._incomparable(condition)) is not None:
                raise EvidenceError(
                    f"{spelling.option('where', str(condition))} needs {condition.needs}, but the column "
                    f"{condition.column!r} "
                    f"holds {odd!r}",
                    where=self.name,
                    remedy="Compare texts with =, !=, in or ~.",
                )
        kept = table._where(conditions, unreadable=unreadable).without(
            [column for column in table.columns if column not in self.columns]
        )
        return replace(kept, name=f"{self.name} ({', '.join(map(str, conditions))})")

    def derived(self, name: str) -> Self | None:
        """Return the table with one more column, None where there is no such column.

        A path such as `metadata.tokens` reaches into structs and JSON text; `source+target` joins columns by a hyphen.
        Nothing is computed before it is requested, and a column that has exactly this name comes first.
        """
        if name in self.columns:
            return self
        from betterthan.engine.nested import starts  # noqa: PLC0415 (most names are those of columns)

        for column, path in starts(name, self.columns):
            if (found := self._reached(name, column, path)) is not None:
                return found
        return self._combined(name)

    def _combined(self, name: str) -> Self | None:
        """Join several columns, whose names may contain the sign that joins them."""
        table, parts, keys = self, name.split("+"), list[str]()
        while parts:
            for size in range(len(parts) - (not keys), 0, -1):
                key = "+".join(parts[:size])
                if key and (found := table if key in table.columns else _single(table, key)) is not None:
                    table, parts = found, parts[size:]
                    keys.append(key)
                    break
            else:
                return None
        return table._joined(name, keys).without([key for key in keys if key not in self.columns])

    @abstractmethod
    def _reached(self, name: str, column: str, path: tuple[str, ...]) -> Self | None:
        """Add what lies at a path inside a column, None where no row has something there."""

    @abstractmethod
    def _joined(self, name: str, keys: Sequence[str]) -> Self:
        """Add a column of the names in these columns, joined by a hyphen; missing where one of them is."""

    @abstractmethod
    def compared(self, name: str, sides: tuple[str, str]) -> Self:
        """Return the table with one more column, which says whose number is larger: left, tie or right.

        It is missing where a number is, and holds both texts where one is no number.
        """

    def hashed(self, name: str, column: str) -> Self | None:
        """Return the table with one more column, a whole number for every value; None where labels do as well."""
        del name, column
        return None

    @abstractmethod
    def head(self, rows: int) -> Self:
        """Return a table of some of the first rows; of several files, some of each."""

    @abstractmethod
    def without(self, columns: Sequence[str]) -> Self:
        """Return the table without some columns."""

    @abstractmethod
    def _where(self, conditions: Sequence[Condition], *, unreadable: bool) -> Self:
        """Keep the rows that meet all conditions."""

    @abstractmethod
    def _incomparable(self, condition: Condition) -> str | None:
        """Return a value of the column that has no order, None where there is none."""

    @abstractmethod
    def locate(self, values: Mapping[str, str | None]) -> str:
        """Return the location of the first row with these values."""

    def place(self, row: int) -> str:
        """Return the location of a row, counted from 0 as `rows` returns them."""
        return f"{self.name}, row {row + 1}"

    def explain(self) -> str:
        """Report what left the engine that holds the rows."""
        return f"The rows of {self.name} are read in this process and go nowhere else."

    def close(self) -> None:  # noqa: B027 (most tables have nothing to close)
        """Release resources outside memory; tables narrowed from it are closed with it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _single(table: _T, name: str) -> _T | None:
    """Add one column that a path leads to."""
    return table.derived(name) if "+" not in name else None


def _plain(values: Iterable[Any]) -> list[Any]:
    """List values, with None for missing ones: a NaN is unequal to itself and would get a code per row."""
    if isinstance(values, np.ma.MaskedArray):
        # filled(None) would mean "the default filling", a question mark
        plain = values.data.astype(object)
        plain[np.ma.getmaskarray(values)] = None
        values = plain
    found = list(values)
    texts = set(map(type, found)) == {str}  # by far the most frequent, and nothing is missing then
    return found if texts else [None if is_missing(value) else value for value in found]
