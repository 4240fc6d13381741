"""Bucket sums in DuckDB, in one pass over the rows.

Rows result of it as some small numbers, part by part, and are added up in arrays: many times as fast as its own
group-by of six groupings. DuckDB holds 16 bytes a unit, and nothing that grows with rows.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray
from betterthan.engine.buckets.bucket_sums import BITS, Factor, NoBucketsError, Sums, UnitHashes, Wanted, factor_of
from betterthan.engine.duckdb.connection import Ask
from betterthan.engine.duckdb.sql import quote_name
from betterthan.engine.table import Distinct


@dataclass(frozen=True)
class BucketQuery:
    """A query for bucket sums: rows, their types, and temporary tables."""

    ask: Ask
    hold: Callable[[str], AbstractContextManager[str]]  # the answer to a question, in a temporary table
    grouped: Callable[[], AbstractContextManager[str]]  # the distinct rows, in a table
    coded: Callable[[str], Distinct]  # what such a table holds, in its order
    units: Callable[[str], AbstractContextManager[str]]  # of a column, see `units_of`
    source: str


def bucket_sums(asked: BucketQuery, wanted: Wanted) -> list[FloatArray]:
    """Look up the amounts and unit hashes of every row, and add up.

    Units are compared by DuckDB's own 64-bit hash: of ten million two are alike once in 400,000 runs. Then their rows
    are found twice, which shows.
    """
    with ExitStack() as held:
        rows = held.enter_context(asked.grouped())
        distinct = asked.coded(rows)
        units, sizes = [], []
        for factor in wanted.factors:
            unit = held.enter_context(asked.units(factor.column))
            if _count(asked, f"{unit} WHERE full_hash IS NULL"):
                raise NoBucketsError
            found_by = _levels(unit, factor, wanted.seed)
            # Few are numbered once; many would be held twice, here and where rows look them up.
            units.append(held.enter_context(asked.hold(found_by)) if factor.buckets is None else f"({found_by})")
            sizes.append(factor.buckets or _count(asked, units[-1]))
        sums = Sums(wanted.amounts(distinct), sizes, buckets=wanted.buckets, systems=wanted.systems)
        for part in asked.ask.parts(*_looked_up(asked, wanted, rows, units)):
            sums.add(part["row"], [_units(part, place, factor) for place, factor in enumerate(wanted.factors)])
    sums.need(distinct.times)
    return sums.found


def _count(asked: BucketQuery, rows: str) -> int:
    return int(asked.ask(f"SELECT count(*) FROM {rows}").fetchall()[0][0])


def _levels(units: str, factor: Factor, seed: int) -> str:
    """Return the question for every unit's key, seeded hash and, of few units, level."""
    mixed = f"CAST((CAST(full_hash & {2**BITS - 1} AS BIGINT) * {factor_of(seed)}) % {2**BITS} AS UINTEGER) AS u"
    if factor.buckets is not None:
        return f"SELECT k, {mixed} FROM {units}"
    return f"SELECT k, {mixed}, CAST(row_number() OVER (ORDER BY full_hash) - 1 AS INTEGER) AS b FROM {units}"


def _looked_up(asked: BucketQuery, wanted: Wanted, rows: str, units: list[str]) -> tuple[str, dict[str, str]]:
    """Return the question, and the types of its columns: which distinct row each row is, and its units."""
    own = ", ".join(f"rows.{quote_name(column)}" for column in wanted.columns)
    held = ", ".join(f"k{place}" for place in range(len(wanted.columns)))
    # words: hash is the name of a function of DuckDB
    look = f"(SELECT hash({held}) AS k, row FROM {rows}) AS look"
    chosen, kinds = ["look.row"], {"row": "i4"}
    # words: hash is the name of a function of DuckDB
    joins = [f" JOIN {look} ON look.k = hash({own})"]
    for place, (factor, unit) in enumerate(zip(wanted.factors, units, strict=True)):
        # words: hash is the name of a function of DuckDB
        joins.append(f" JOIN {unit} AS u{place} ON u{place}.k = hash(rows.{quote_name(factor.column)})")
        chosen.append(f"u{place}.u")
        kinds[f"u{place}"] = "u4"
        if factor.buckets is None:
            chosen.append(f"u{place}.b")
            kinds[f"b{place}"] = "i4"
    return f"SELECT {', '.join(chosen)} FROM {asked.source} AS rows{''.join(joins)}", kinds


def _units(part: Mapping[str, NDArray[Any]], place: int, factor: Factor) -> UnitHashes:
    level = part[f"b{place}"].astype(np.int64) if factor.buckets is None else None
    return UnitHashes(part[f"u{place}"].astype(np.int64), level)
