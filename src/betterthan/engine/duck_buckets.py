"""Sums by buckets of units inside DuckDB: one pass over the rows, and nothing that grows with units leaves it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.buckets import BITS, MIX, Factor, MissingUnitError, Wanted, collected, factor_of
from betterthan.engine.sql import label, literal, quote
from betterthan.engine.table import Distinct


@dataclass(frozen=True)
class Asked:
    """Where sums are asked for: rows, their types, and what is held on the way."""

    ask: Callable[[str], Any]
    hold: Callable[[str], AbstractContextManager[str]]  # the answer to a question, in a temporary table
    coded: Callable[[str], Distinct]  # the distinct rows that such a table holds, in its order
    units: Callable[[str], AbstractContextManager[str]]  # of a column, see `units_of`
    source: str
    kinds: Mapping[str, str]


def units_of(source: str, column: str, kind: str) -> str:
    """Return the question for every unit's key (DuckDB's own hash of its name) and hash, null where it is missing."""
    return (
        f"SELECT hash(v) AS k, md5_number_lower(v) AS full_hash FROM"
        f" (SELECT DISTINCT {label(quote(column), kind)} AS v FROM {source})"
    )


def bucket_sums(asked: Asked, wanted: Wanted) -> list[FloatArray]:
    """Look up what every row adds, and the bucket of its units, and add up.

    Names are compared by DuckDB's own 64-bit hash: of a million names two are alike once in 30 million runs, and then
    two units count as one.
    """
    keys = ", ".join(f"{quote(column)} AS k{place}" for place, column in enumerate(wanted.columns))
    with ExitStack() as held:
        rows = held.enter_context(asked.hold(f"SELECT {keys}, count(*) AS times FROM {asked.source} GROUP BY ALL"))
        amounts = wanted.amounts(asked.coded(rows))
        found = {"l": amounts.first, "r": amounts.second, "g": amounts.value}
        if amounts.shared is not None:
            found["h"] = amounts.shared
        look = held.enter_context(asked.hold(_looked_up(rows, len(wanted.columns), found)))
        units = []
        for factor in wanted.factors:
            unit = held.enter_context(asked.units(factor.column))
            if _count(asked, f"{unit} WHERE full_hash IS NULL"):
                raise MissingUnitError
            found_by = _levels(unit, factor, wanted.seed)
            # Few are numbered once; many would be held twice, here and where rows look them up.
            units.append(held.enter_context(asked.hold(found_by)) if factor.buckets is None else f"({found_by})")
        sizes = [factor.buckets or _count(asked, unit) for factor, unit in zip(wanted.factors, units, strict=True)]
        answer = asked.ask(_summed(asked, wanted, look, units, shared="h" in found)).fetchnumpy()
    levels = [*sizes, *([wanted.buckets] if wanted.ways == 3 else [])]
    width = wanted.systems + ("h" in found)
    return [_way(answer, way, number, wanted.systems, width) for way, number in enumerate(levels)]


def _count(asked: Asked, rows: str) -> int:
    return int(asked.ask(f"SELECT count(*) FROM {rows}").fetchall()[0][0])


def _looked_up(rows: str, columns: int, found: Mapping[str, IntArray]) -> str:
    """Return the question for what the distinct rows add, by DuckDB's hash of their names."""
    listed = ", ".join(f"unnest({_list(values)}) AS {name}" for name, values in found.items())
    numbered = f"SELECT row_number() OVER () AS place, * FROM (SELECT {listed})"
    own = ", ".join(f"k{place}" for place in range(columns))
    return (
        f"SELECT hash({own}) AS k, {', '.join(found)} FROM {rows} JOIN ({numbered}) AS n ON n.place = {rows}.rowid + 1"
    )


def _list(values: IntArray) -> str:
    return f"CAST(string_split({literal(','.join(map(str, values.tolist())))}, ',') AS BIGINT[])"


def _levels(units: str, factor: Factor, seed: int) -> str:
    """Return the question for every unit's key, seeded hash and, of few units, level."""
    mixed = f"CAST((CAST(full_hash & {2**BITS - 1} AS BIGINT) * {factor_of(seed)}) % {2**BITS} AS UINTEGER) AS u"
    if factor.buckets is not None:
        return f"SELECT k, {mixed} FROM {units}"
    return f"SELECT k, {mixed}, CAST(row_number() OVER (ORDER BY full_hash) - 1 AS INTEGER) AS b FROM {units}"


def _summed(asked: Asked, wanted: Wanted, look: str, units: list[str], *, shared: bool) -> str:
    """Return the question: sums of every way by bucket and first system, and by bucket and second system."""
    own = ", ".join(map(quote, wanted.columns))
    named = [label(quote(factor.column), asked.kinds[factor.column]) for factor in wanted.factors]
    joins = "".join(
        # words: hash is the name of a function of DuckDB
        f" JOIN {unit} AS u{place} ON u{place}.k = hash({named[place]})"
        for place, unit in enumerate(units)
    )
    bits = [f"CAST(u{place}.u AS BIGINT)" for place in range(len(units))]
    levels = [
        f"u{place}.b AS b{place}" if factor.buckets is None else _bucket(bits[place], factor.buckets, place)
        for place, factor in enumerate(wanted.factors)
    ]
    if wanted.ways == 3:
        levels.append(_bucket(f"(({bits[0]} * {MIX} + {bits[1]}) % {2**BITS})", wanted.buckets, 2))
    more = ", h" if shared else ""
    # words: hash is the name of a function of DuckDB
    found = f"{asked.source} JOIN {look} AS look ON look.k = hash({own}){joins}"
    rows = f"SELECT l, r, g{more}, {', '.join(levels)} FROM {found}"
    sets = ", ".join(f"(b{way}, {side})" for way in range(wanted.ways) for side in ("l", "r"))
    chosen = ", ".join(f"b{way}" for way in range(wanted.ways))
    total = ", CAST(sum(h) AS BIGINT) AS h" if shared else ""
    return (
        f"SELECT {chosen}, CAST(l AS INTEGER) AS l, CAST(r AS INTEGER) AS r, CAST(sum(g) AS BIGINT) AS g{total}"
        f" FROM ({rows}) GROUP BY GROUPING SETS ({sets})"
    )


def _bucket(bits: str, buckets: int, way: int) -> str:
    return f"CAST(({bits} * {buckets}) >> {BITS} AS INTEGER) AS b{way}"


def _way(answer: Mapping[str, Any], way: int, levels: int, systems: int, width: int) -> FloatArray:
    """Return buckets × (systems, then what is shared) of one way."""
    bucket = answer[f"b{way}"]
    here = ~np.ma.getmaskarray(bucket)
    parts = []
    for side, sign in (("l", 1), ("r", -1)):
        of_side = here & ~np.ma.getmaskarray(answer[side])
        level = np.ma.getdata(bucket)[of_side].astype(np.int64)
        parts.append((level, np.ma.getdata(answer[side])[of_side].astype(np.int64), sign * answer["g"][of_side]))
        if side == "l" and width > systems:
            parts.append((level, np.full(len(level), systems), answer["h"][of_side]))
    return collected(parts, levels, width)
