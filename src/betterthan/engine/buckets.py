"""Units of dependence put into buckets by a hash that is the same on every engine.

Millions of items or judges are too many to leave an engine one by one. Sums of independent units are independent, so
units that share a bucket can be resampled together. What leaves the engine are sums by bucket and system: whole
numbers, so that no order of rows changes a bit of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import md5

import numpy as np
from numpy.typing import NDArray

from betterthan.arrays import FloatArray, IntArray, distinct
from betterthan.engine.table import MISSING, Distinct

UnsignedArray = NDArray[np.uint64]

#: Bits of a hash that decide about a bucket, so that products stay below 2⁶³. MD5 is slow, but every engine has it.
BITS = 32
#: From so many rows on, units are likely to be put into buckets, and to count them takes longer than to rank.
MANY_ROWS = 1_000_000
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

    def take(self, rows: IntArray) -> "Amounts":
        """Return the amounts of these rows."""
        shared = None if self.shared is None else self.shared[rows]
        return Amounts(self.first[rows], self.second[rows], self.value[rows], shared)


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


def all_hashed(labels: Sequence[str]) -> UnsignedArray:
    """Return the hashes of all units of a column."""
    return np.fromiter(map(hashed, labels), dtype=np.uint64, count=len(labels))


def factor_of(seed: int) -> int:
    """Return the odd number that hashes are multiplied by, so that every seed makes other buckets.

    >>> factor_of(0), factor_of(1)
    (1, 671088667)
    """
    return 1 + 2 * (seed * 335_544_333 % 2**29)


def from_rows(rows: Distinct, wanted: Wanted) -> list[FloatArray]:
    """Add up amounts of rows that are in memory: for every way buckets × (systems, then what is shared)."""
    columns = [rows.columns[each.column] for each in wanted.factors]
    units = [(column.codes, all_hashed(column.labels)) for column in columns]
    return added(wanted.amounts(rows), rows.times, units, wanted)


def added(
    amounts: Amounts, times: IntArray, units: Sequence[tuple[IntArray, UnsignedArray]], wanted: Wanted
) -> list[FloatArray]:
    """Add up amounts of rows that occur so many times; of every factor the rows' codes and the hashes of its labels."""
    hashes, levels = zip(
        *(_levels(*unit, each, wanted.seed) for unit, each in zip(units, wanted.factors, strict=True)), strict=True
    )
    if len(hashes) == 2:
        both = ((hashes[0] * MIX + hashes[1]) % 2**BITS) * wanted.buckets >> BITS
        levels = (*levels, (both, wanted.buckets))
    return [summed(place, number, amounts, times, wanted.systems) / STEPS for place, number in levels]


def _levels(codes: IntArray, full: UnsignedArray, factor: Factor, seed: int) -> tuple[IntArray, tuple[IntArray, int]]:
    """Return the hash of every row's unit, and its level with the number of levels."""
    if np.any(codes == MISSING):
        raise MissingUnitError
    bits = mixed(full, seed)
    if factor.buckets is None:
        used = distinct(codes)
        level = np.empty(len(full), dtype=np.int64)
        level[used] = np.argsort(np.argsort(full[used]))
        return bits[codes], (level[codes], len(used))
    return bits[codes], ((bits * factor.buckets >> BITS)[codes], factor.buckets)


def mixed(full: UnsignedArray, seed: int) -> IntArray:
    """Return the bits of hashes that decide about buckets, for this seed."""
    bits: IntArray = (full % 2**BITS).astype(np.int64) * factor_of(seed) % 2**BITS
    return bits


def summed(level: IntArray, number: int, amounts: Amounts, times: IntArray, systems: int) -> IntArray:
    """Add up what rows say, levels × (systems, then what is shared), in steps."""
    shared = [] if amounts.shared is None else [amounts.shared]
    width, value = systems + len(shared), amounts.value * times
    total = np.zeros(number * width, dtype=np.int64)
    np.add.at(total, level * width + amounts.first, value)
    np.add.at(total, level * width + amounts.second, -value)
    for each in shared:
        np.add.at(total, level * width + systems, each * times)
    return total.reshape(number, width)


def collected(parts: Sequence[tuple[IntArray, IntArray, IntArray]], levels: int, width: int) -> FloatArray:
    """Put sums of single cells (level, column, amount in steps) into a matrix."""
    total = np.zeros((levels, width), dtype=np.int64)
    for level, column, amount in parts:
        np.add.at(total, (level, column), amount)
    return total / STEPS
