"""The DuckDB engine for files and user relations: rows are streamed and encoded inside DuckDB.

It is spoken to in SQL rather than through Narwhals: there, collecting needs PyArrow, and strings could not be turned
into codes before they become Python objects.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import duckdb
import numpy as np

from betterthan.base import BetterthanError, EvidenceError, FloatArray, IntArray
from betterthan.engine.conditions import Condition
from betterthan.engine.duckdb.connection import Ask
from betterthan.engine.duckdb.sql import (
    NUMBERS,
    incomparable,
    label,
    literal,
    quote_name,
    test,
    texts_at,
    units_of,
    within,
)
from betterthan.engine.table import LOW_BITS, MISSING, Coded, Distinct, Table

if TYPE_CHECKING:
    from betterthan.engine.buckets.bucket_sums import Wanted

#: A column of more distinct values is encoded outside DuckDB when a table is read row by row.
_MANY = 4000
#: From that many more columns of numbers than of names on, names are encoded outside DuckDB.
_WIDE = 50
#: That many distinct rows or fewer are encoded outside DuckDB: to plan a join per column takes longer.
_FEW = 5000
#: Types whose values DuckDB formats as Python does; fractions and times are different.
_NAMED_ALIKE = (
    "VARCHAR",
    "ENUM",
    "BOOLEAN",
    "DATE",
    "UUID",
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
)
#: Temporary tables have unique names: several threads may use one connection.
_HELD = count()


@dataclass(frozen=True, eq=False)
class DuckTable(Table):
    """Rows that DuckDB reads: `source` is their SQL expression, `kinds` are the types of the columns."""

    source: str
    kinds: Mapping[str, str]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self.kinds)

    @property
    @abstractmethod
    def columnar(self) -> bool:
        """Whether single columns can be read without the others."""

    @abstractmethod
    def _asking(self) -> AbstractContextManager[Ask]:
        """Open a way to ask that no other thread uses."""

    def _unreadable(self, ask: Ask) -> tuple[int, str]:
        """Return the number of lines that could not be read when all rows were just requested, and an example."""
        del ask
        return 0, ""

    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Count distinct combinations of these columns in one group-by, and encode them."""
        keys = list(dict.fromkeys(columns))
        # A table, because both the codes and their labels are asked of it.
        with self._asking() as ask, self._grouped(ask, keys) as rows:
            return self._coded(ask, rows, keys)

    def _grouped(self, ask: Ask, keys: Sequence[str]) -> AbstractContextManager[str]:
        """Hold the distinct combinations of columns, and how often each occurs."""
        return held(ask, self._counted(keys))

    def _counted(self, keys: Sequence[str]) -> str:
        chosen = ", ".join(f"{quote_name(key)} AS k{place}" for place, key in enumerate(keys))
        grouped = f"SELECT {chosen}, count(*) AS times FROM {self.source} GROUP BY ALL"
        # Numbered here: DuckDB's own numbers are huge where a transaction is open.
        return f"SELECT *, CAST(row_number() OVER () - 1 AS INTEGER) AS row FROM ({grouped})"

    def _coded(self, ask: Ask, held: str, keys: Sequence[str], *, in_order: bool = False) -> Distinct:
        """Return distinct rows that a temporary table holds, perhaps in its order."""
        order = f" ORDER BY {held}.row ASC" if in_order else ""
        if ask(f"SELECT count(*) FROM {held}").fetchall()[0][0] <= _FEW:
            named = ", ".join(f"k{place}" for place in range(len(keys)))
            few = ask(f"SELECT {named}, times FROM {held}{order}").fetchall()
            rows = np.arange(len(few))
            found = {key: Coded.relabel(rows, [row[place] for row in few]) for place, key in enumerate(keys)}
            times = np.array([row[-1] for row in few], dtype=np.int64)
            return Distinct(found, times, *self._unreadable(ask))
        joins = "".join(
            " JOIN (SELECT v, CAST(row_number() OVER (ORDER BY v) - 1 AS INTEGER) AS c FROM"
            f" (SELECT DISTINCT k{place} AS v FROM {held})) AS d{place}"
            f" ON {held}.k{place} IS NOT DISTINCT FROM d{place}.v"
            for place in range(len(keys))
        )
        codes = ", ".join(f"d{place}.c AS c{place}" for place in range(len(keys)))
        answer = ask(f"SELECT {codes}, times FROM {held}{joins}{order}").fetchnumpy()
        coded = {}
        for place, key in enumerate(keys):
            # The same order as the codes above; nulls come last in both.
            values = ask(f"SELECT DISTINCT k{place} AS v FROM {held} ORDER BY v").fetchall()
            coded[key] = Coded.relabel(answer[f"c{place}"].astype(np.int64), [value for (value,) in values])
        return Distinct(coded, answer["times"].astype(np.int64), *self._unreadable(ask))

    def bucket_sums(self, wanted: "Wanted") -> list[FloatArray]:
        """Add up what rows say about systems by buckets of units, looked up inside DuckDB."""
        if not all(self.kinds[factor.column].startswith(_NAMED_ALIKE) for factor in wanted.factors):
            return super().bucket_sums(wanted)
        from betterthan.engine.buckets.duckdb_buckets import BucketQuery, bucket_sums  # noqa: PLC0415 (for many units)

        with self._asking() as ask:
            asked = BucketQuery(
                ask,
                lambda sql: held(ask, sql),
                lambda: self._grouped(ask, wanted.columns),
                lambda rows: self._coded(ask, rows, wanted.columns, in_order=True),
                lambda column: self._units(ask, column),
                self.source,
            )
            return bucket_sums(asked, wanted)

    def _units(self, ask: Ask, column: str) -> AbstractContextManager[str]:
        """Hold the units of a column with their hashes."""
        return held(ask, units_of(self.source, column, self.kinds[column]))

    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Collect these columns row by row, in the relation's order: one scan, unless columns cost no more alone."""
        keys, plain = list(dict.fromkeys(columns)), list(dict.fromkeys(numbers))
        with self._asking() as ask:
            if len(plain) > _WIDE + len(keys):  # so wide that its rows are few, and their names as Python objects too
                answer = self._wide(ask, keys, plain)
                coded = {key: Coded.of(answer[f"k{place}"]) for place, key in enumerate(keys)}
            else:
                answer, coded = self._encoded(ask, keys, plain)
            size = len(next(iter(answer.values())))
            found = {name: np.ma.filled(answer[f"n{place}"], np.inf) for place, name in enumerate(plain)}
            once = np.ones(size, dtype=np.int64)
            return Distinct(coded, once, *self._unreadable(ask), numbers=found, one_by_one=True)

    def _wanted(self, keys: Sequence[str], plain: Sequence[str]) -> str:
        chosen = [f"{quote_name(key)} AS k{place}" for place, key in enumerate(keys)]
        chosen += [f"{self._number(name)} AS n{place}" for place, name in enumerate(plain)]
        return f"SELECT {', '.join(chosen)} FROM {self.source}"

    def _wide(self, ask: Ask, keys: Sequence[str], plain: Sequence[str]) -> dict[str, Any]:
        """Answer with mostly numeric columns."""
        return dict(ask(self._wanted(keys, plain)).fetchnumpy())

    def _encoded(self, ask: Ask, keys: Sequence[str], plain: Sequence[str]) -> tuple[dict[str, Any], dict[str, Coded]]:
        """Answer with columns that were encoded inside DuckDB where they hold few words."""
        wanted = self._wanted(keys, plain)
        with _inline(wanted) if self.columnar else held(ask, wanted) as rows:
            few = {place: words for place in range(len(keys)) if (words := _few_words(ask, rows, f"k{place}"))}
            chosen = [f"{few[place].sql if place in few else f'k{place}'} AS c{place}" for place in range(len(keys))]
            chosen += [f"n{place}" for place in range(len(plain))]
            answer = dict(ask(f"SELECT {', '.join(chosen)} FROM {rows}").fetchnumpy())
        codes = [answer[f"c{place}"] for place in range(len(keys))]
        coded = [few[place].read(found) if place in few else Coded.of(found) for place, found in enumerate(codes)]
        return answer, dict(zip(keys, coded, strict=True))

    def _number(self, column: str) -> str:
        """Return a column as a number: NaN where it is empty, NULL where it holds something else."""
        if self.kinds[column].startswith(NUMBERS):
            return f"coalesce(CAST({quote_name(column)} AS DOUBLE), CAST('nan' AS DOUBLE))"
        text = quote_name(column) if self.kinds[column] == "VARCHAR" else f"CAST({quote_name(column)} AS VARCHAR)"
        # Named once only: DuckDB looks for common parts among all columns, in time that grows with their square.
        return f"TRY_CAST(coalesce({text}, 'nan') AS DOUBLE)"

    def numeric(self, columns: Sequence[str]) -> tuple[bool, ...]:
        """Return for each column whether all its present values are numbers."""
        texts = [column for column in columns if not self.kinds[column].startswith(NUMBERS)]
        known = dict.fromkeys(columns, True)
        if texts:  # they may be numbers all the same
            trimmed = [f"nullif(trim(CAST({quote_name(column)} AS VARCHAR)), '')" for column in texts]
            asked = ", ".join(f"count({text}) = count(TRY_CAST({text} AS DOUBLE))" for text in trimmed)
            known |= dict(zip(texts, map(bool, self._values(f"SELECT {asked} FROM {self.source}")[0]), strict=True))
        return tuple(known[column] for column in columns)

    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column, in one pass."""
        present = (f"count(DISTINCT {self._present(column)})" for column in columns)
        counted = ", ".join(["count(*)", *present])
        return tuple(int(value) for value in self._values(f"SELECT {counted} FROM {self.source}")[0])

    def lack(self, columns: Sequence[str]) -> bool:
        """Return whether some row has no value in one of these columns."""
        nothing = " OR ".join(f"{label(quote_name(column), self.kinds[column])} IS NULL" for column in columns)
        return bool(self._values(f"SELECT 1 FROM {self.source} WHERE {nothing} LIMIT 1"))

    def _present(self, column: str) -> str:
        """Return a column whose blank texts are missing values."""
        name = quote_name(column)
        return f"CASE WHEN trim({name}) <> '' THEN {name} END" if self.kinds[column] == "VARCHAR" else name

    def _where(self, conditions: Sequence[Condition], *, unreadable: bool) -> Self:
        del unreadable  # a relation has no lines
        tests = [test(condition, self.kinds[condition.column]) for condition in conditions]
        return replace(self, source=f"(SELECT * FROM {self.source} WHERE {' AND '.join(tests)})")

    def _incomparable(self, condition: Condition) -> str | None:
        text, odd = incomparable(condition, self.kinds[condition.column])
        found = self._values(f"SELECT {text} FROM {self.source} WHERE {odd} LIMIT 1")
        return found[0][0] if found else None

    def _reached(self, name: str, column: str, path: tuple[str, ...]) -> Self | None:
        if (inside := within(quote_name(column), self.kinds[column], path)) is not None:
            return self._with(name, *inside)
        ways = texts_at(quote_name(column), self.kinds[column], path)
        if not ways:
            return None
        counts = self._values(f"SELECT {', '.join(f'count({way})' for way in ways)} FROM {self.source}")[0]
        found = [way for way, count in zip(ways, counts, strict=True) if count]
        return self._with(name, f"coalesce({', '.join(found)})", "VARCHAR") if found else None

    def _joined(self, name: str, keys: Sequence[str]) -> Self:
        return self._with(name, " || '-' || ".join(label(quote_name(key), self.kinds[key]) for key in keys), "VARCHAR")

    def compared(self, name: str, sides: tuple[str, str]) -> Self:
        """Return the table with one more column, which says whose number is larger: left, tie or right."""
        texts = [label(quote_name(side), self.kinds[side]) for side in sides]
        left, right = (f"TRY_CAST({text} AS DOUBLE)" for text in texts)
        finite = f"isfinite({left}) AND isfinite({right})"
        larger = f"CASE WHEN {left} > {right} THEN 'left' WHEN {left} < {right} THEN 'right' ELSE 'tie' END"
        both = " || ' : ' || ".join(texts)
        return self._with(name, f"CASE WHEN {finite} THEN {larger} ELSE {both} END", "VARCHAR")

    def hashed(self, name: str, column: str) -> Self:
        """Return the table with one more column: a whole number for every value."""
        # words: hash is the name of a function of DuckDB
        return self._with(name, f"CAST(hash({quote_name(column)}) & {LOW_BITS} AS DOUBLE)", "DOUBLE")

    def head(self, rows: int) -> Self:
        """Return a table of the first rows."""
        return replace(self, source=f"(SELECT * FROM {self.source} LIMIT {rows})")

    def _with(self, name: str, sql: str, kind: str) -> Self:
        source = f"(SELECT *, {sql} AS {quote_name(name)} FROM {self.source})"
        return replace(self, source=source, kinds={**self.kinds, name: kind})

    def without(self, columns: Sequence[str]) -> Self:
        """Return the table without some columns."""
        if not columns:
            return self
        source = f"(SELECT * EXCLUDE ({', '.join(map(quote_name, columns))}) FROM {self.source})"
        kinds = {name: kind for name, kind in self.kinds.items() if name not in columns}
        return replace(self, source=source, kinds=kinds)

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Return the location of the first row with these values (the first is row 1)."""
        found = self._first_row(values, self.source)
        return self.name if found is None else f"{self.name}, row {found}"

    def _first_row(self, values: Mapping[str, str | None], inside: str) -> int | None:
        # A missing value may be written as an empty string or as blanks.
        tests = [
            f"nullif(trim(CAST({quote_name(column)} AS VARCHAR)), '') IS "
            + ("NULL" if value is None else f"NOT DISTINCT FROM trim({literal(value)})")
            for column, value in values.items()
        ]
        numbered = f"SELECT *, row_number() OVER () AS betterthan_row FROM {inside}"
        sql = f"SELECT min(betterthan_row) FROM ({numbered}) WHERE {' AND '.join(tests)}"
        found: int | None = self._values(sql)[0][0]
        return found

    def _values(self, sql: str) -> list[tuple[Any, ...]]:
        with self._asking() as ask:
            return ask(sql).fetchall()  # type: ignore[no-any-return]

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


@contextmanager
def held(ask: Ask, sql: str) -> Iterator[str]:
    """Store the answer in a temporary table, for several queries."""
    name = f"betterthan_held_{next(_HELD)}"
    ask(f"CREATE TEMP TABLE {name} AS {sql}")
    try:
        yield name
    finally:
        ask(f"DROP TABLE {name}")


@contextmanager
def _inline(sql: str) -> Iterator[str]:
    """Query the rows where they are: each query reads only its own columns."""
    yield f"({sql})"


def _few_words(ask: Ask, rows: str, column: str) -> "_Words | None":
    """Return the distinct values of a column that holds few of them, else None."""
    found = ask(f"SELECT DISTINCT {column}, hash({column}) FROM {rows} LIMIT {_MANY + 1}").fetchall()
    return _Words.of(column, found) if len(found) <= _MANY else None


@dataclass(frozen=True)
class _Words:
    """A column of few distinct values, distinguished by some bits of their hashes.

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
                    sql = f"CAST((hash({column}) >> {shift}) & {2**bits - 1} AS {kind})"
                    return cls(sql, codes, values.labels)
        return None

    def read(self, places: Any) -> Coded:
        """Return the column."""
        return Coded(self.codes[places], self.labels)


def without_zones(kinds: Mapping[str, str], source: str) -> tuple[dict[str, str], str]:
    """Turn times with a zone into times of UTC: as objects they would need pytz."""
    zoned = {name for name, kind in kinds.items() if kind == "TIMESTAMP WITH TIME ZONE"}
    if not zoned:
        return dict(kinds), source
    chosen = (
        f"timezone('UTC', {quote_name(name)}) AS {quote_name(name)}" if name in zoned else quote_name(name)
        for name in kinds
    )
    return {name: "TIMESTAMP" if name in zoned else kind for name, kind in kinds.items()}, (
        f"(SELECT {', '.join(chosen)} FROM {source})"
    )
