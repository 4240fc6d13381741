"""Sums by buckets of units on engines of many machines (Dask, Spark): only bucket sums come back."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.buckets import (
    BITS,
    MIX,
    Factor,
    MissingUnitError,
    Wanted,
    collected,
    factor_of,
    hashed,
)
from betterthan.engine.table import Distinct

#: Collects the columns of a lazy frame as lists; says what they are.
Collect = Callable[[nw.LazyFrame[Any], str], Mapping[str, Sequence[Any]]]


def bucket_sums(
    frame: nw.LazyFrame[Any], wanted: Wanted, distinct: Distinct, named: Callable[[str], nw.Expr], collect: Collect
) -> list[FloatArray]:
    """Look up what every row adds, and the bucket of its units, and add up; `named` makes a column of names."""
    amounts = wanted.amounts(distinct)
    found = {"l": amounts.first, "r": amounts.second, "g": amounts.value}
    if amounts.shared is not None:
        found["h"] = amounts.shared
    keys = [f"k{place}" for place in range(len(wanted.columns))]
    texts = {key: distinct.columns[column].texts().tolist() for key, column in zip(keys, wanted.columns, strict=True)}
    look = _frame_like(frame, {**texts, **{name: values.tolist() for name, values in found.items()}})
    chosen = [named(column).alias(key) for key, column in zip(keys, wanted.columns, strict=True)]
    units = [named(factor.column).alias(f"v{place}") for place, factor in enumerate(wanted.factors)]
    rows = frame.select(*chosen, *units)
    sizes = []
    for place, factor in enumerate(wanted.factors):
        rows, size = _levelled(rows, place, factor, wanted.seed, collect)
        sizes.append(size)
    if wanted.ways == 3:
        both = ((nw.col("u0") * MIX + nw.col("u1")) % 2**BITS) * wanted.buckets // 2**BITS
        rows = rows.with_columns(both.alias("b2"))
        sizes.append(wanted.buckets)
    rows = rows.join(look, on=keys, how="inner")
    shared = "h" in found
    summed = _entries(rows, len(sizes), shared=shared).group_by("w", "b", "s").agg(nw.col("g").sum(), nw.col("h").sum())
    answer = {
        name: np.array(values, dtype=np.int64) for name, values in collect(summed, "sums by bucket and system").items()
    }
    if np.any(answer["b"] < 0):
        raise MissingUnitError
    return [_way(answer, way, size, wanted.systems, shared=shared) for way, size in enumerate(sizes)]


def _levelled(
    rows: nw.LazyFrame[Any], place: int, factor: Factor, seed: int, collect: Collect
) -> tuple[nw.LazyFrame[Any], int]:
    """Add the seeded hash of a unit, and its level; few units are numbered by their hashes."""
    name, unit = f"u{place}", f"v{place}"
    rows = nw.from_native(_with_hash(rows, unit, name)).lazy()
    # Whoever lacks a name keeps a hash below zero, and with it a bucket below zero.
    mixed = nw.when(nw.col(name) < 0).then(-(2**BITS)).otherwise(nw.col(name) * factor_of(seed) % 2**BITS)
    rows = rows.with_columns(mixed.alias(name))
    if factor.buckets is not None:
        return rows.with_columns((nw.col(name) * factor.buckets // 2**BITS).alias(f"b{place}")), factor.buckets
    names = collect(rows.select(unit).unique(), f"the names of few {factor.column}")[unit]
    if any(name is None for name in names):
        raise MissingUnitError
    labels = sorted(names, key=hashed)
    levels = _frame_like(rows, {unit: labels, f"b{place}": list(range(len(labels)))})
    return rows.join(levels, on=unit, how="inner"), len(labels)


def _entries(rows: nw.LazyFrame[Any], ways: int, *, shared: bool) -> nw.LazyFrame[Any]:
    """Return what every row adds, a line per way and side, so that one pass over the rows adds up everything."""
    native: Any = rows.to_native()
    sides = [(way, side, sign) for way in range(ways) for side, sign in (("l", 1), ("r", -1))]
    if rows.implementation.is_dask():  # which makes what all parts have in common once
        parts = [
            rows.select(
                nw.lit(way).alias("w"), nw.col(f"b{way}").alias("b"), nw.col(side).alias("s"),
                (nw.col("g") * sign).alias("g"),
                nw.col("h").alias("h") if shared and side == "l" else nw.lit(0).alias("h"),
            )
            for way, side, sign in sides
        ]  # fmt: skip
        return nw.concat(parts)
    from pyspark.sql import functions as F  # noqa: N812, PLC0415

    lines = [
        F.struct(
            F.lit(way).alias("w"), F.col(f"b{way}").alias("b"), F.col(side).alias("s"),
            (F.col("g") * sign).alias("g"),
            (F.col("h") if shared and side == "l" else F.lit(0)).cast("long").alias("h"),
        )
        for way, side, sign in sides
    ]  # fmt: skip
    made: nw.LazyFrame[Any] = nw.from_native(native.select(F.explode(F.array(*lines)).alias("e")).select("e.*")).lazy()
    return made


def _way(answer: Mapping[str, IntArray], way: int, levels: int, systems: int, *, shared: bool) -> FloatArray:
    """Return the sums of one way, levels × (systems, then what all pairs share)."""
    here = answer["w"] == way
    bucket, system, sums, common = (answer[name][here] for name in ("b", "s", "g", "h"))
    parts = [(bucket, system, sums)]
    if shared:
        parts.append((bucket, np.full(len(bucket), systems), common))
    return collected(parts, levels, systems + shared)


def _with_hash(rows: nw.LazyFrame[Any], unit: str, name: str) -> Any:
    """Add the last bits of the hash of a unit's name, on the engine that holds the rows."""
    native = rows.to_native()
    if rows.implementation.is_dask():
        return native.assign(**{name: native[unit].map_partitions(_low_bits, meta=(name, "int64"))})
    from pyspark.sql import functions as F  # noqa: N812, PLC0415

    # Bytes 8 to 11 of the digest, the lowest first.
    digits = F.md5(F.encode(F.col(unit), "UTF-8"))
    swapped = F.concat(*(F.substring(digits, place, 2) for place in (23, 21, 19, 17)))
    return native.withColumn(name, F.coalesce(F.conv(swapped, 16, 10).cast("long"), F.lit(-1)))


def _low_bits(labels: Any) -> Any:
    """Hash a part of a column; of a plain type, because Arrow's numbers know no remainder."""
    import pandas as pd  # noqa: PLC0415

    found = [-1 if pd.isna(label) else hashed(label) % 2**BITS for label in labels]
    return pd.Series(found, index=labels.index, dtype="int64")


def _frame_like(frame: nw.LazyFrame[Any], columns: Mapping[str, Sequence[Any]]) -> nw.LazyFrame[Any]:
    """Return a small frame on the engine of another one."""
    native: Any = frame.to_native()
    if frame.implementation.is_dask():
        import dask.dataframe as dd  # noqa: PLC0415
        import pandas as pd  # noqa: PLC0415

        made: Any = dd.from_pandas(pd.DataFrame(columns), npartitions=1)
    else:
        rows = [tuple(row) for row in zip(*columns.values(), strict=True)]
        made = native.sparkSession.createDataFrame(rows, list(columns))
    lazy: nw.LazyFrame[Any] = nw.from_native(made).lazy()
    return lazy
