"""Data frames of any library through Narwhals; the library that holds the rows does the group-by."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Self

import narwhals as nw
import numpy as np

from betterthan.base import BetterthanError, EvidenceError, FloatArray
from betterthan.engine.buckets import dask_buckets, local_buckets, spark_buckets
from betterthan.engine.buckets.bucket_sums import NoBucketsError, Wanted
from betterthan.engine.buckets.cluster_frames import FrameRows
from betterthan.engine.conditions import ORDER, Condition, spellings
from betterthan.engine.frames.memory_table import as_numbers
from betterthan.engine.labels import is_missing, label_of
from betterthan.engine.nested import Reach
from betterthan.engine.table import Coded, Distinct, Table
from betterthan.engine.transfer_log import Moved

#: No column has this name: it cannot be typed.
_TIMES = "\x1ftimes"
_ORDERED = {nw.Implementation.PANDAS, nw.Implementation.POLARS, nw.Implementation.PYARROW}


@dataclass(frozen=True, eq=False)
class FrameTable(Table):
    """A lazy Narwhals frame; nothing runs before a query."""

    frame: nw.LazyFrame[Any]
    #: Shared by tables that are narrowed from this one.
    moved: Moved = field(default_factory=Moved)

    @classmethod
    def of(cls, native: Any) -> Self:
        """Wrap a pandas, Polars (eager, lazy), PyArrow, Dask or PySpark frame."""
        if type(native).__module__.startswith("pyarrow") and hasattr(native, "unify_dictionaries"):
            native = native.unify_dictionaries()  # chunks with different dictionaries cannot be grouped
        try:
            frame = nw.from_native(native)
        except TypeError:
            raise EvidenceError(
                f"cannot read evidence from a {type(native).__module__}.{type(native).__qualname__}",
                allowed="paths, a data frame (pandas, Polars, PyArrow, DuckDB, Dask, PySpark), or a mapping of columns",
            ) from None
        except nw.exceptions.NarwhalsError as error:
            raise EvidenceError(f"the data frame cannot be read: {' '.join(str(error).split())}") from None
        return cls(f"the {frame.implementation.name.lower()} frame", frame.lazy())

    def __reduce__(self) -> Any:
        return _wrapped, (self.frame.to_native(), self.name)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        try:
            names = self.frame.collect_schema().names()
        except Exception as error:
            raise EvidenceError(f"{self.name}: its columns cannot be read: {' '.join(str(error).split())}") from error
        if not all(isinstance(name, str) for name in names):
            raise EvidenceError(
                f"every column needs a text as its name, got {names}", where=self.name, remedy="Rename them."
            )
        return tuple(names)

    @property
    def ordered(self) -> bool:
        """A distributed frame has no order of rows."""
        return self.frame.implementation in _ORDERED

    def distinct(self, columns: Sequence[str]) -> Distinct:
        """Count distinct combinations of these columns: one group-by on the engine.

        Only `len` is asked of the engine: conditions inside an aggregation are silently ignored by some
        Narwhals back ends (docs/contributing/decisions.md), so every check is made on the small result.
        """
        keys = tuple(dict.fromkeys(columns))
        # Rows on other machines are not gone over twice.
        return self._counted(keys) if self.ordered else self.once(("distinct", keys), lambda: self._counted(keys))

    def _counted(self, keys: tuple[str, ...]) -> Distinct:
        try:
            grouped = self.frame.select(*keys).group_by(*keys, drop_null_keys=False).agg(nw.len().alias(_TIMES))
        except (TypeError, NotImplementedError):  # pandas cannot hash them, PyArrow cannot group by them
            raise EvidenceError(
                f"one of the columns {', '.join(map(repr, keys))} holds lists or objects",
                where=self.name,
                remedy="Give one value per cell.",
            ) from None
        answer = self._collect(grouped, f"how often each combination of {_listed(keys)} occurs")
        return Distinct({key: Coded.of(answer[key]) for key in keys}, np.asarray(answer[_TIMES], dtype=np.int64))

    def rows(self, columns: Sequence[str], numbers: Sequence[str] = ()) -> Distinct:
        """Collect these columns row by row, in the frame's order."""
        keys = list(dict.fromkeys(columns))
        chosen = dict.fromkeys([*keys, *numbers])
        schema = self.frame.collect_schema()
        if not chosen:
            raise EvidenceError("the table has no columns", where=self.name, remedy="Give a table with rows.")
        numeric = {name for name in numbers if schema[name].is_numeric()}
        wanted = [
            nw.col(name).cast(nw.Float64) if name in numeric and name not in keys else nw.col(name) for name in chosen
        ]
        told = f"every row, with {_listed(chosen)}"
        answer = self._collect(self.frame.select(*wanted), told, arrays=numeric - set(keys))
        coded = {key: Coded.of(answer[key]) for key in keys}
        plain = {
            name: np.array(answer[name], dtype=np.float64) if name in numeric else as_numbers(Coded.of(answer[name]))
            for name in numbers
        }
        size = len(next(iter(answer.values()))) if answer else 0
        return Distinct(coded, np.ones(size, dtype=np.int64), numbers=plain, one_by_one=True)

    def numeric(self, columns: Sequence[str]) -> tuple[bool, ...]:
        """Return for each column whether it holds numbers; texts that look like numbers are texts."""
        schema = self.frame.collect_schema()
        return tuple(schema[column].is_numeric() for column in columns)

    def unique(self, columns: Sequence[str]) -> tuple[int, ...]:
        """Count the rows, then the distinct present values of each column."""
        questions = {"how many rows there are": self.frame}
        for column in columns:
            values = self.frame.select(column).unique().select(self._named(column).alias(column))
            questions[f"how many different {column} there are"] = values.unique().drop_nulls()
        return tuple(
            int(self._collect(question.select(nw.len().alias(_TIMES)), told)[_TIMES][0])
            for told, question in questions.items()
        )

    def lack(self, columns: Sequence[str]) -> bool:
        """Return whether some row has no value in one of these columns."""
        named = self.frame.select(*(self._named(column).alias(column) for column in columns))
        nothing = named.filter(nw.any_horizontal(*(nw.col(column).is_null() for column in columns), ignore_nulls=False))
        found = self._collect(nothing.select(nw.len().alias(_TIMES)), f"how many rows lack {_listed(columns)}")
        return int(found[_TIMES][0]) > 0

    def bucket_sums(self, wanted: Wanted) -> list[FloatArray]:
        """Add up by buckets of units on the engine."""
        engine = self.frame.implementation
        distinct = self.distinct(wanted.columns)
        if not (engine.is_dask() or engine.is_pyspark()):
            with self._translated():
                return local_buckets.bucket_sums(self.frame, wanted, distinct)
        rows = FrameRows.of(self.frame, wanted, distinct, self._named)
        if engine.is_dask():
            return dask_buckets.bucket_sums(rows, wanted, self._collect, self._computed)
        return spark_buckets.bucket_sums(rows, wanted, self._collect)

    def _where(self, conditions: Sequence[Condition], *, unreadable: bool) -> Self:
        del unreadable  # there are no lines
        return replace(self, frame=self.frame.filter(*map(self._test, conditions)))

    def _test(self, condition: Condition) -> nw.Expr:
        """Return a condition as the engine tests it: what its values mean is decided here, not by each engine."""
        kind = self._kind(condition.column)
        if condition.operator == "is":
            return nw.col(condition.column).cast(nw.String).is_in(spellings(condition.values[0]))
        if condition.ordering and kind.is_numeric():
            return _ordered(condition, kind)
        column, values = self._present(condition.column)
        kept = [value for value, label in values if condition.keeps(label)]
        dropped = [value for value, label in values if not condition.keeps(label)]
        test = ~_among(column, dropped) if len(dropped) < len(kept) else _among(column, kept)
        missing = column.is_null() | column.is_nan() if kind.is_float() else column.is_null()
        return test | missing if condition.keeps(None) else test & ~missing

    def _incomparable(self, condition: Condition) -> str | None:
        if self._kind(condition.column).is_numeric() and condition.needs == "numbers":
            return None
        labels = (label for _, label in self._present(condition.column)[1])
        return next((label for label in labels if label is not None and not condition.comparable(label)), None)

    def _kind(self, column: str) -> Any:
        return self.frame.collect_schema()[column]

    def _present(self, name: str) -> tuple[nw.Expr, list[tuple[Any, str | None]]]:
        """Return a column as it is compared, and its distinct values with their names."""
        kind = self._kind(name)
        # Times as texts: as Python objects they lose digits, and categories are no texts on every engine.
        as_text = kind.is_temporal() or kind in {nw.Categorical, nw.Enum}
        # Some engines have a text for missing values, such as NaT.
        column = nw.when(~nw.col(name).is_null()).then(nw.col(name).cast(nw.String)) if as_text else nw.col(name)
        values = self.once(
            ("present", name),
            lambda: self._collect(self.frame.select(column.alias(_TIMES)).unique(), f"the values of {name}")[_TIMES],
        )
        return column, [(value, label_of(value)) for value in values if not is_missing(value)]

    def _reached(self, name: str, column: str, path: tuple[str, ...]) -> Self | None:
        if self.frame.implementation.is_pyspark():  # Narwhals does not quote names there
            raise EvidenceError(
                f"{name!r} lies inside the column {column!r}, which cannot be reached in a Spark frame",
                where=self.name,
                remedy="Make it a column of its own first, with withColumn.",
            )
        frame = nw.from_native(_mapped(self.frame, name, column, Reach(path))).lazy()
        there = self._collect(frame.select(name).drop_nulls().head(1), f"is there any {name}?")[name]
        return replace(self, frame=frame) if len(there) else None

    def _joined(self, name: str, keys: Sequence[str]) -> Self:
        joined = nw.concat_str([self._named(key) for key in keys], separator="-", ignore_nulls=False)
        return replace(self, frame=self.frame.with_columns(joined.alias(name)))

    def compared(self, name: str, sides: tuple[str, str]) -> Self:
        """Return the table with one more column, which says whose number is larger: left, tie or right."""
        left, right = (self._named(side).cast(nw.Float64) for side in sides)
        either = nw.when(left < right).then(nw.lit("right")).otherwise(nw.when(left == right).then(nw.lit("tie")))
        return replace(
            self,
            frame=self.frame.with_columns(nw.when(left > right).then(nw.lit("left")).otherwise(either).alias(name)),
        )

    def head(self, rows: int) -> Self:
        """Return a table of the first rows."""
        return replace(self, frame=self.frame.head(rows))

    def _named(self, name: str) -> nw.Expr:
        """Return a column of the names that its values have everywhere: 3 for 3.0."""
        column, kind = nw.col(name), self._kind(name)
        if kind == nw.Boolean:
            return nw.when(column).then(nw.lit("True")).otherwise(nw.when(~column).then(nw.lit("False")))
        if kind.is_float():
            return nw.when(~column.is_nan()).then(column.cast(nw.String).str.replace_all(r"\.0$", ""))
        text = column.cast(nw.String)
        return nw.when(~column.is_null() & (text.str.strip_chars() != "")).then(text)

    def without(self, columns: Sequence[str]) -> Self:
        """Return the table without some columns."""
        return replace(self, frame=self.frame.drop(list(columns))) if columns else self

    def locate(self, values: Mapping[str, str | None]) -> str:
        """Return the location of the first row with these values; a distributed frame has no first row."""
        if not self.ordered:
            return self.name
        rows = self.rows(list(values))
        wanted = tuple(values.values())
        columns = (rows.columns[column].texts() for column in values)
        for number, row in enumerate(zip(*columns, strict=True), start=1):
            if row == wanted:
                return f"{self.name}, row {number}"
        return self.name

    def explain(self) -> str:
        """Report what left the engine so far."""
        return self.moved.told(self.name)

    def _collect(self, frame: nw.LazyFrame[Any], what: str, arrays: Set[str] = frozenset()) -> dict[str, Any]:
        with self._translated():
            eager = frame.collect()
            self.moved.add(what, len(eager), len(eager.columns))
            # As lists: NumPy would turn whole numbers with one missing among them into floats, and merge large ones.
            return {
                series.name: series.to_numpy() if series.name in arrays else series.to_list()
                for series in eager.iter_columns()
            }

    def _computed(self, work: Any, what: str) -> Any:
        """Return an array that Dask's workers make."""
        with self._translated():
            found = work.compute()
        self.moved.add(what, *found.shape)
        return found

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Convert an engine's error to a sentence."""
        try:
            yield
        except (NoBucketsError, BetterthanError):
            raise
        except Exception as error:
            what = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise EvidenceError(
                f"its engine cannot count these columns: {what}",
                where=self.name,
                remedy="Turn them into text or numbers first.",
            ) from error


def _listed(columns: Collection[str]) -> str:
    """Name columns in a sentence."""
    *first, last = columns
    return f"{', '.join(first)} and {last}" if first else last


def _mapped(frame: nw.LazyFrame[Any], name: str, column: str, of: Reach) -> Any:
    """Add a column of texts that Python makes from each value of another, on the engine that holds the rows."""
    native, engine = frame.to_native(), frame.implementation
    if engine.is_polars():
        import polars as pl  # noqa: PLC0415

        return native.with_columns(pl.col(column).map_elements(of, return_dtype=pl.String).alias(name))
    if engine.is_pyarrow():
        import pyarrow as pa  # noqa: PLC0415

        return native.append_column(name, pa.array(map(of, native[column].to_pylist()), pa.string()))
    if engine.is_dask():
        return native.assign(**{name: native[column].map(of, meta=(name, "object"))})
    return native.assign(**{name: native[column].astype(object).map(of)})


def _among(column: nw.Expr, values: Sequence[Any]) -> nw.Expr:
    """Test whether a column has one of these values; PyArrow does not know the type of none."""
    return column.is_in(values) if values else column.is_null() & ~column.is_null()


def _ordered(condition: Condition, kind: Any) -> nw.Expr:
    """Compare a column of numbers in order."""
    column, operator, value = nw.col(condition.column), condition.operator, float(condition.values[0])
    if kind.is_integer():  # compared with whole numbers: PyArrow refuses large ones next to fractions
        whole = max(min(math.floor(value), 2**63 - 1), -(2**63))
        if whole != value:
            operator = "<=" if operator in {"<", "<="} else ">"
        return ORDER[operator](column, whole)  # type: ignore[return-value]
    test: nw.Expr = ORDER[operator](column, value)  # type: ignore[assignment]
    return test & ~column.is_nan() if kind.is_float() else test


def _wrapped(native: Any, name: str) -> FrameTable:
    """Wrap a frame again that was wrapped before."""
    return FrameTable(name, nw.from_native(native).lazy())
