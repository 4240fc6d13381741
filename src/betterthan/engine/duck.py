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

from betterthan.engine.table import Coded, Distinct, Table, narrowed, spellings
from betterthan.errors import BetterthanError, EvidenceError

#: From this many distinct texts on, a column of a table read row by row is encoded outside DuckDB.
_MANY = 10_000
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

    def rows(self, columns: Sequence[str]) -> Distinct:
        """Collect these columns row by row, in the relation's order."""
        keys = list(dict.fromkeys(columns))
        few = {key: words for key in keys if (words := self._few_words(key)) is not None}
        # Texts of few kinds become codes inside DuckDB: millions of them never become Python objects.
        chosen = [
            f"enum_code(CAST({quote(key)} AS ENUM ({', '.join(map(literal, few[key]))}))) AS {quote(key)}"
            if few.get(key)
            else quote(key)
            for key in keys
        ]
        answer = self._arrays(f"SELECT {', '.join(chosen)} FROM source")
        coded = {key: _coded(answer[key], few.get(key)) for key in keys}
        return Distinct(coded, np.ones(len(coded[keys[0]].codes), dtype=np.int64))

    def _few_words(self, column: str) -> list[str] | None:
        """Return the distinct texts of a column that holds few of them, else None."""
        if str(self.relation.types[self.relation.columns.index(column)]) != "VARCHAR":
            return None
        words = self._values(f"SELECT DISTINCT {quote(column)} FROM source LIMIT {_MANY + 1}")
        return [word for (word,) in words if word is not None] if len(words) <= _MANY else None

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


def _coded(values: Any, words: list[str] | None) -> Coded:
    if not words:
        return Coded.of(values)
    codes = (
        np.ma.filled(values.astype(np.int64), len(words)) if np.ma.isMaskedArray(values) else values.astype(np.int64)
    )
    return Coded.relabel(codes, [*words, None])


def quote(name: str) -> str:
    """Quote a column's name."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"
