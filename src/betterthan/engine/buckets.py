"""Units of dependence put into buckets by a hash that is the same on every engine.

Millions of items or judges are too many to leave an engine one by one. Sums of independent units are independent, so
units that share a bucket can be resampled together. What leaves the engine are sums by bucket and system: whole
numbers, so that no order of rows changes a bit of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import md5

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.table import MISSING, Coded, Distinct

#: Bits of a hash that decide about a bucket, so that products stay below 2⁶³. MD5 is slow, but every engine has it.
BITS = 32
#: What hashes of two units are mixed by: an odd number that keeps the product below 2⁶³ on every engine.
MIX = 1_000_003
#: One is this many steps in sums of whole numbers: 2⁶³ leaves room for 2³³ judgments.
STEPS = 2**30


@dataclass(frozen=True)
class Amounts:
    """What every distinct row adds: `value` to its `first` system and −`value` to its `second`, `shared` to nobody.

    Amounts are in steps of 2⁻³⁰. `shared` is what belongs to a parameter of all pairs, such as the width of ties.
    """

    first: IntArray
    second: IntArray
    value: IntArray
    shared: IntArray | None

    @classmethod
    def of(cls, first: IntArray, second: IntArray, value: FloatArray, shared: FloatArray | None) -> "Amounts":
        """Round amounts to steps."""
        rounded = [None if each is None else np.rint(each * STEPS).astype(np.int64) for each in (value, shared)]
        assert rounded[0] is not None
        return cls(first, second, rounded[0], rounded[1])


@dataclass(frozen=True)
class Factor:
    """A column of units, and into how many buckets they go; None where each stays by itself."""

    column: str
    buckets: int | None


@dataclass(frozen=True)
class Wanted:
    """Sums by bucket and system: of one factor, or of two and of their combinations."""

    columns: tuple[str, ...]
    amounts: Callable[[Distinct], Amounts]
    factors: tuple[Factor, ...]
    buckets: int
    systems: int
    seed: int

    @property
    def ways(self) -> int:
        """How many groupings there are."""
        return 3 if len(self.factors) == 2 else 1


class MissingUnitError(Exception):
    """Some row has no unit: who keeps units one by one says where."""


def hashed(label: str) -> int:
    """Return the hash of a unit's name, 64 bits.

    >>> hashed("abc")
    8250560606382298838
    """
    digest = md5(label.encode(errors="surrogatepass"), usedforsecurity=False).digest()
    return int.from_bytes(digest[8:], "little")


def factor_of(seed: int) -> int:
    """Return the odd number that hashes are multiplied by, so that every seed makes other buckets.

    >>> factor_of(0), factor_of(1)
    (1, 671088667)
    """
    return 1 + 2 * (seed * 335_544_333 % 2**29)


def from_rows(rows: Distinct, wanted: Wanted) -> list[FloatArray]:
    """Add up amounts of rows that are in memory: for every way buckets × (systems, then what is shared)."""
    amounts = wanted.amounts(rows)
    hashes, levels = zip(
        *(_levels(rows.columns[each.column], each, wanted.seed) for each in wanted.factors), strict=True
    )
    if len(hashes) == 2:
        both = ((hashes[0] * MIX + hashes[1]) % 2**BITS) * wanted.buckets >> BITS
        levels = (*levels, (both, wanted.buckets))
    return [_summed(place, number, amounts, wanted.systems) for place, number in levels]


def _levels(column: Coded, factor: Factor, seed: int) -> tuple[IntArray, tuple[IntArray, int]]:
    """Return the hash of every row's unit, and its level with the number of levels."""
    if np.any(column.codes == MISSING):
        raise MissingUnitError
    full = np.array([hashed(label) for label in column.labels], dtype=np.uint64)
    mixed = (full % 2**BITS).astype(np.int64) * factor_of(seed) % 2**BITS
    if factor.buckets is None:
        used = np.unique(column.codes)
        level = np.empty(len(full), dtype=np.int64)
        level[used] = np.argsort(np.argsort(full[used]))
        return mixed[column.codes], (level[column.codes], len(used))
    return mixed[column.codes], ((mixed * factor.buckets >> BITS)[column.codes], factor.buckets)


def _summed(level: IntArray, number: int, amounts: Amounts, systems: int) -> FloatArray:
    shared = [] if amounts.shared is None else [amounts.shared]
    total = np.zeros((number, systems + len(shared)), dtype=np.int64)
    np.add.at(total, (level, amounts.first), amounts.value)
    np.add.at(total, (level, amounts.second), -amounts.value)
    for value in shared:
        np.add.at(total[:, systems], level, value)
    return total / STEPS


def collected(parts: Sequence[tuple[IntArray, IntArray, IntArray]], levels: int, width: int) -> FloatArray:
    """Put sums of single cells (level, column, amount in steps) into a matrix."""
    total = np.zeros((levels, width), dtype=np.int64)
    for level, column, amount in parts:
        np.add.at(total, (level, column), amount)
    return total / STEPS
