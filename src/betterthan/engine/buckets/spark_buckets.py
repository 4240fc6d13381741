"""Bucket sums in Spark: one pass over the rows, and only sums are returned."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.engine.buckets.bucket_sums import BITS, MIX, NoBucketsError, Wanted, collected, factor_of
from betterthan.engine.buckets.cluster_frames import SUMS, Collect, FrameRows


def bucket_sums(rows: FrameRows, wanted: Wanted, collect: Collect) -> list[FloatArray]:
    """Look up the amounts and unit buckets of every row, and add up."""
    from pyspark.sql import functions as F  # noqa: N812, PLC0415 (an extra)

    amounts = rows.amounts
    found = {"l": amounts.first, "r": amounts.second, "g": amounts.value}
    if amounts.shared is not None:
        found["h"] = amounts.shared
    native: Any = rows.frame.to_native()
    spark = native.sparkSession
    sizes = []
    for place, factor in enumerate(wanted.factors):
        unit, name, bucket = f"v{place}", f"u{place}", f"b{place}"
        native = native.withColumn(name, _mixed(F.col(unit), wanted.seed))
        levels = rows.levels(place, factor, collect)
        if levels is None:
            sizes.append(wanted.buckets)
            native = native.withColumn(bucket, F.floor(F.col(name) * wanted.buckets / 2**BITS).cast("long"))
        else:
            sizes.append(len(levels))
            native = native.join(_frame(spark, {unit: [*levels], bucket: [*levels.values()]}), on=unit, how="inner")
    if wanted.ways == 3:
        sizes.append(wanted.buckets)
        both = (F.col("u0") * MIX + F.col("u1")) % 2**BITS
        native = native.withColumn("b2", F.floor(both * wanted.buckets / 2**BITS).cast("long"))
    look = _frame(spark, {**rows.texts, **{name: values.tolist() for name, values in found.items()}})
    native = native.join(F.broadcast(look), on=[*rows.texts], how="inner")
    # A line per way and side, so that one pass over the rows adds up everything.
    lines = [
        F.struct(
            F.lit(way).alias("w"),
            F.col(f"b{way}").alias("b"),
            F.col(side).alias("s"),
            (F.col("g") * sign).alias("g"),
            (F.col("h") if "h" in found and side == "l" else F.lit(0)).cast("long").alias("h"),
        )
        for way in range(len(sizes))
        for side, sign in (("l", 1), ("r", -1))
    ]
    exploded = native.select(F.explode(F.array(*lines)).alias("e")).select("e.*")
    summed = exploded.groupBy("w", "b", "s").agg(F.sum("g").alias("g"), F.sum("h").alias("h"), F.count("g").alias("n"))
    answer = {
        name: np.array(values, dtype=np.int64) for name, values in collect(nw.from_native(summed).lazy(), SUMS).items()
    }
    if np.any(answer["b"] < 0):
        raise NoBucketsError
    rows.need(int(answer["n"][answer["w"] == 0].sum()) // 2)  # both sides of every row
    return [
        _way(answer, way, size, wanted.systems, shared="h" in found) / amounts.steps for way, size in enumerate(sizes)
    ]


def _mixed(column: Any, seed: int) -> Any:
    """Return the last bits of the hash of a unit's name, mixed by the seed; below zero where there is no name."""
    from pyspark.sql import functions as F  # noqa: N812, PLC0415

    # Bytes 8 to 11 of the digest, the lowest first.
    digits = F.md5(F.encode(column, "UTF-8"))
    swapped = F.concat(*(F.substring(digits, place, 2) for place in (23, 21, 19, 17)))
    return F.coalesce(F.conv(swapped, 16, 10).cast("long") * factor_of(seed) % 2**BITS, F.lit(-(2**BITS)))


def _way(answer: Mapping[str, IntArray], way: int, levels: int, systems: int, *, shared: bool) -> IntArray:
    """Return the sums of one way, in steps, levels × (systems, then what all pairs share)."""
    here = answer["w"] == way
    bucket, system, sums, common = (answer[name][here] for name in ("b", "s", "g", "h"))
    parts = [(bucket, system, sums)]
    if shared:
        parts.append((bucket, np.full(len(bucket), systems), common))
    return collected(parts, levels, systems + shared)


def _frame(spark: Any, columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return a small frame."""
    return spark.createDataFrame([tuple(row) for row in zip(*columns.values(), strict=True)], list(columns))
