"""DuckDB: the engine for files, and for relations that users bring. Rows stream, codes are made inside it.

It is spoken to in SQL rather than through Narwhals: there, collecting needs PyArrow, and strings could not be turned
into codes before they become Python objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

import duckdb
import numpy as np

from betterthan.arrays import IntArray
from betterthan.engine.table import MISSING, Coded, Distinct, Table, narrowed, spellings
from betterthan.errors import BetterthanError, EvidenceError

#: A column of more distinct values is encoded outside DuckDB when a table is read row by row.
_MANY = 4000
#: How the names of DuckDB's numeric types start.
_NUMBERS = ("DOUBLE", "FLOAT", "DECIMAL", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINY", "USMALL",
            "UINTEGER", "UBIGINT", "UHUGEINT")  # fmt: skip
#: No column has this name: it cannot be typed.
_TIMES = "\x1ftimes"


@dataclass(frozen=True)
class DuckTable(Table):
    """A DuckDB relation."""

    relation: Any
    name: str = "the DuckDB relation"

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.relation.columns)

    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Count distinct combinations of these columns in one group-by, and encode them inside DuckDB."""
        keys = list(dict.fromkeys(columns))
        names = [quote(key) for key in keys]
        # A temporary table, because both the codes and their labels are asked of it.
        held = f"betterthan_held_{id(self.relation)}"
        counted = f"SELECT {', '.join(names)}, count(*) AS {quote(_TIMES)} FROM source GROUP BY ALL"
        self._run(f"CREATE TEMP TABLE {held} AS {counted}")
        try:
            joins = "".join(
                " JOIN (SELECT v, CAST(row_number() OVER (ORDER BY v) - 1 AS INTEGER) AS c FROM"
                f" (SELECT DISTINCT {name} AS v FROM {held})) AS d{place}"
                f" ON {held}.{name} IS NOT DISTINCT FROM d{place}.v"
                for place, name in enumerate(names)
            )
            codes = ", ".join(f"d{place}.c AS c{place}" for place in range(len(names)))
            answer = self._arrays(f"SELECT {codes}, {quote(_TIMES)} FROM {held}{joins}")
            coded = {}
            for place, (key, name) in enumerate(zip(keys, names, strict=True)):
                # The same order as the codes above; nulls come last in both.
                values = self._values(f"SELECT DISTINCT {name} AS v FROM {held} ORDER BY v")
                coded[key] = Coded.relabel(answer[f"c{place}"].astype(np.int64), [value for (value,) in values])
        finally:
            self._run(f"DROP TABLE IF EXISTS {held}")
        return Distinct(coded, answer[_TIMES].astype(np.int64))

    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Collect these columns row by row, in the relation's order."""
        keys = list(dict.fromkeys(columns))
        few = {key: words for key in keys if (words := self._few_words(key)) is not None}
        chosen = [f"{few[key].sql} AS {quote(key)}" if key in few else quote(key) for key in keys]
        chosen += [f"TRY_CAST({quote(name)} AS DOUBLE) AS n{place}" for place, name in enumerate(numbers)]
        answer = self._arrays(f"SELECT {', '.join(chosen)} FROM source")
        coded = {key: few[key].read(answer[key]) if key in few else Coded.of(answer[key]) for key in keys}
        plain = {name: np.ma.filled(answer[f"n{place}"], np.nan) for place, name in enumerate(numbers)}
        return Distinct(coded, np.ones(len(coded[keys[0]].codes), dtype=np.int64), numbers=plain)

    def numeric(self, columns: Sequence[str]) -> tuple[bool, ...]:
        """Say of each column whether all its present values are numbers."""
        kind = dict(zip(self.relation.columns, map(str, self.relation.types), strict=True))
        texts = [column for column in columns if not kind[column].startswith(_NUMBERS)]
        known = dict.fromkeys(columns, True)
        if texts:  # they may be numbers all the same
            trimmed = [f"nullif(trim(CAST({quote(column)} AS VARCHAR)), '')" for column in texts]
            asked = ", ".join(f"count({text}) = count(TRY_CAST({text} AS DOUBLE))" for text in trimmed)
            known |= dict(zip(texts, map(bool, self._values(f"SELECT {asked} FROM source")[0]), strict=True))
        return tuple(known[column] for column in columns)

    def _few_words(self, column: str) -> "_Words | None":
        """Return the distinct values of a column that holds few of them, else None."""
        found = self._values(f"SELECT DISTINCT {quote(column)}, hash({quote(column)}) FROM source LIMIT {_MANY + 1}")
        return _Words.of(column, found) if len(found) <= _MANY else None

    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column, in one pass."""
        counted = ", ".join(["count(*)", *(f"count(DISTINCT {quote(column)})" for column in columns)])
        return tuple(int(value) for value in self._values(f"SELECT {counted} FROM source")[0])

    def where(self, conditions: Mapping[str, str]) -> Self:
        """Keep the rows whose columns have these values."""
        tests = [
            f"CAST({quote(column)} AS VARCHAR) IN ({', '.join(literal(text) for text in spellings(value))})"
            for column, value in conditions.items()
        ]
        relation = self.relation.filter(" AND ".join(tests))
        return replace(self, relation=relation, name=narrowed(self.name, conditions))

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Say where the first row with these values stands (the first is row 1)."""
        found = self._first_row(values)
        return self.name if found is None else f"{self.name}, row {found}"

    def _first_row(self, values: Mapping[str, str | None], inside: str = "source") -> int | None:
        # A missing value may be written as an empty string or as blanks.
        tests = [
            f"nullif(trim(CAST({quote(column)} AS VARCHAR)), '') IS "
            + ("NULL" if value is None else f"NOT DISTINCT FROM trim({literal(value)})")
            for column, value in values.items()
        ]
        numbered = f"SELECT *, row_number() OVER () AS betterthan_row FROM {inside}"
        sql = f"SELECT min(betterthan_row) FROM ({numbered}) WHERE {' AND '.join(tests)}"
        found: int | None = self._values(sql)[0][0]
        return found

    def _run(self, sql: str) -> Any:
        """Run SQL on the relation's own connection; `source` is the relation."""
        with self._translated():
            return self.relation.query("source", sql)

    def _values(self, sql: str) -> list[tuple[Any, ...]]:
        with self._translated():
            return self.relation.query("source", sql).fetchall()  # type: ignore[no-any-return]

    def _arrays(self, sql: str) -> dict[str, Any]:
        with self._translated():
            return dict(self.relation.query("source", sql).fetchnumpy())

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            raise self._translate(error) from None
        except RuntimeError as error:
            if "interrupted" in str(error):  # how DuckDB passes on Ctrl-C
                raise KeyboardInterrupt from None
            raise

    def _translate(self, error: Exception) -> BetterthanError:
        return EvidenceError(f"{self.name}: cannot be read: {str(error).strip().splitlines()[0]}")


@dataclass(frozen=True)
class _Words:
    """A column of few distinct values, told apart by some bits of their hashes.

    So texts become numbers inside DuckDB, dictionary by dictionary, and millions of them never become Python objects.
    """

    sql: str
    codes: IntArray  # by those bits
    labels: tuple[str, ...]

    @classmethod
    def of(cls, column: str, found: Sequence[tuple[Any, int]]) -> "_Words | None":
        """Find bits that differ for all values; None in the unlikely case that there are none."""
        values = Coded.relabel(np.arange(len(found)), [value for value, _ in found])
        hashes = np.array([number for _, number in found], dtype=np.uint64)
        for bits, kind in ((16, "USMALLINT"), (24, "UINTEGER")):
            for shift in range(0, 64 - bits, 4):
                places = (hashes >> np.uint64(shift)) & np.uint64(2**bits - 1)
                if len(np.unique(places)) == len(places):
                    codes = np.full(2**bits, MISSING, dtype=np.int64)
                    codes[places] = values.codes
                    sql = f"CAST((hash({quote(column)}) >> {shift}) & {2**bits - 1} AS {kind})"
                    return cls(sql, codes, values.labels)
        return None

    def read(self, places: Any) -> Coded:
        """Return the column."""
        return Coded(self.codes[places], self.labels)


def without_zones(relation: Any) -> Any:
    """Turn times with a zone into microseconds: as objects they would need pytz."""
    zoned = [str(kind) == "TIMESTAMP WITH TIME ZONE" for kind in relation.types]
    if not any(zoned):
        return relation
    names = [quote(name) for name in relation.columns]
    chosen = (f"epoch_us({name}) AS {name}" if zone else name for name, zone in zip(names, zoned, strict=True))
    return relation.project(", ".join(chosen))


def quote(name: str) -> str:
    """Quote a column's name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"
