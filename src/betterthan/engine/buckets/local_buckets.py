"""Bucket sums of local data frames.

What results of it are some small numbers per row, never texts: millions of those would become Python objects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray
from betterthan.engine.buckets.bucket_sums import NoBucketsError, Sums, UnitHashes, Wanted, all_hashed, mixed, numbered
from betterthan.engine.labels import label_of
from betterthan.engine.table import Distinct


def bucket_sums(frame: nw.LazyFrame[Any], wanted: Wanted, distinct: Distinct) -> list[FloatArray]:
    """Look up the amounts and unit hashes of every row, and add up."""
    columns = dict.fromkeys((*wanted.columns, *(factor.column for factor in wanted.factors)))
    plain = frame.select(*(_plain(frame, name) for name in columns))
    looked = plain.join(_rows(_Values.of(plain, wanted.columns), wanted, distinct), on=[*wanted.columns])
    sizes = []
    for place, factor in enumerate(wanted.factors):
        values = _Values.of(plain, [factor.column])
        names = [name for name in values.names[factor.column] if name is not None]
        if len(names) < len(values.frame):
            raise NoBucketsError
        full = all_hashed(names)
        found = {f"\x1fu{place}": mixed(full, wanted.seed)}
        number = factor.buckets
        if number is None:
            found[f"\x1fb{place}"], number = numbered(full)
        looked = looked.join(values.beside(found), on=[factor.column])
        sizes.append(number)
    sums = Sums(wanted.amounts(distinct), sizes, buckets=wanted.buckets, systems=wanted.systems)
    for part in _parts(looked.select(*(name for name in looked.collect_schema().names() if name.startswith("\x1f")))):
        units = [UnitHashes(part[f"\x1fu{place}"], part.get(f"\x1fb{place}")) for place in range(len(wanted.factors))]
        sums.add(part["\x1frow"], units)
    sums.need(distinct.times)
    return sums.found


def _plain(frame: nw.LazyFrame[Any], name: str) -> nw.Expr:
    """Return a column by which rows can be looked up on every engine."""
    categories = frame.collect_schema()[name] in {nw.Categorical, nw.Enum}
    return nw.col(name).cast(nw.String) if categories else nw.col(name)


@dataclass(frozen=True)
class _Values:
    """Distinct values of some columns, as the engine stores them, and their names."""

    frame: nw.DataFrame[Any]
    names: dict[str, list[str | None]]

    @classmethod
    def of(cls, frame: nw.LazyFrame[Any], columns: Sequence[str]) -> "_Values":
        """Query the distinct values; only these few are named, with the shared labels."""
        found = frame.select(*columns).unique().collect()
        return cls(found, {column: [*map(label_of, found[column].to_list())] for column in columns})

    def beside(self, found: dict[str, IntArray]) -> nw.LazyFrame[Any]:
        """Return the values with more columns."""
        backend = self.frame.implementation
        return self.frame.with_columns(
            *(nw.new_series(name, values, backend=backend) for name, values in found.items())
        ).lazy()


def _rows(values: _Values, wanted: Wanted, distinct: Distinct) -> nw.LazyFrame[Any]:
    """Return the values of the columns that tell amounts, with the numbers of the distinct rows that they are."""
    texts = zip(*(distinct.columns[column].texts().tolist() for column in wanted.columns), strict=True)
    row_of = {row: number for number, row in enumerate(texts)}
    named = zip(*(values.names[column] for column in wanted.columns), strict=True)
    if len(rows := [row_of[row] for row in named if row in row_of]) < len(values.frame):
        raise NoBucketsError  # categories of numbers have other names as texts
    return values.beside({"\x1frow": np.array(rows, dtype=np.int64)})


def _parts(frame: nw.LazyFrame[Any]) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield the rows, part by part where the engine streams."""
    native: Any = frame.to_native()
    parts = native.collect_batches() if hasattr(native, "collect_batches") else [frame.collect().to_native()]
    for part in parts:
        eager = nw.from_native(part, eager_only=True)
        yield {series.name: series.to_numpy().astype(np.int64, copy=False) for series in eager.iter_columns()}
