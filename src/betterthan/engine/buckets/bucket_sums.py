"""Assign units to buckets by a hash function that all engines share.

Millions of items or judges are too many to leave an engine one by one. Sums of independent units are independent, so
units that share a bucket can be resampled together. What leaves the engine are sums by bucket and system: whole
numbers, so that no order of rows changes a bit of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import md5

import numpy as np
from numpy.typing import NDArray

from betterthan.base import BoolArray, FloatArray, IntArray, arrays
from betterthan.engine.table import MISSING, Distinct

UnsignedArray = NDArray[np.uint64]

#: Bits of a hash that decide about a bucket, so that products stay below 2⁶³. MD5 is slow, but every engine has it.
BITS = 32
#: What hashes of two units are mixed by: an odd number that keeps the product below 2⁶³ on every engine.
MIX = 1_000_003
#: The largest weight is about this many steps in sums of whole numbers; fewer than some are not exact enough.
STEPS, _FEWEST_STEPS = 2**30, 2**12
#: What sums must stay below to fit into 64 bits.
_ROOM = 2.0**62


@dataclass(frozen=True)
class Amounts:
    """Amounts of distinct rows: `value` is added to the `first` system and subtracted from the `second`; `shared`
    belongs to no system.

    Amounts are integers: this many steps make one. `shared` belongs to a parameter of all pairs, such as the tie width.
    Rows that are not `kept` add nothing and define no unit.
    """

    first: IntArray
    second: IntArray
    value: IntArray
    shared: IntArray | None
    steps: float
    kept: BoolArray | None = None  # None: all

    @classmethod
    def of(
        cls,
        first: IntArray,
        second: IntArray,
        value: FloatArray,
        shared: FloatArray | None,
        *,
        weight: FloatArray,
        times: FloatArray,
    ) -> "Amounts":
        """Round amounts of judgments with a weight, which occur that many times.

        The largest weight makes 2³⁰ steps or somewhat fewer, far fewer only where sums would not fit into 64 bits.
        """
        amounts = [None if each is None else each * weight for each in (value, shared)]
        largest = 2.0 ** np.ceil(np.log2(weight.max()))
        summed = max(float(np.abs(each) @ times) for each in amounts if each is not None)
        steps = min(STEPS / largest, 2.0 ** np.floor(np.log2(_ROOM / max(summed, 1e-300))))
        if steps * largest < _FEWEST_STEPS:
            raise NoBucketsError
        rounded = [None if each is None else np.rint(each * steps).astype(np.int64) for each in amounts]
        assert rounded[0] is not None
        # A system whose judgments all weigh next to nothing compared with others would be rounded away.
        most = np.zeros(1 + int(max(first.max(), second.max())), dtype=np.int64)
        for side in (first, second):
            np.maximum.at(most, side, np.abs(rounded[0]))
        if np.any(most[np.union1d(first, second)] < _FEWEST_STEPS):
            raise NoBucketsError
        return cls(first, second, rounded[0], rounded[1], steps)

    def onto(self, rows: IntArray, times: IntArray, size: int) -> "Amounts":
        """Return the amounts of that many rows, to which these belong, each that many times."""
        first, second, value = (np.zeros(size, dtype=np.int64) for _ in range(3))
        first[rows], second[rows] = self.first, self.second
        np.add.at(value, rows, self.value * times)
        kept = np.zeros(size, dtype=bool)
        kept[rows] = True
        shared = None
        if self.shared is not None:
            shared = np.zeros(size, dtype=np.int64)
            np.add.at(shared, rows, self.shared * times)
        return Amounts(first, second, value, shared, self.steps, None if np.all(kept) else kept)

    def take(self, rows: IntArray) -> "Amounts":
        """Return the amounts of some rows, all of which are kept."""
        shared = None if self.shared is None else self.shared[rows]
        return Amounts(self.first[rows], self.second[rows], self.value[rows], shared, self.steps)

    def rows_kept(self, times: IntArray) -> int:
        """Return how many rows are kept, if they occur that many times."""
        return int(np.sum(times if self.kept is None else times[self.kept]))


@dataclass(frozen=True)
class Factor:
    """A column of units and its number of buckets; None where each unit is separate."""

    column: str
    buckets: int | None


@dataclass(frozen=True)
class Wanted:
    """The sums to compute, by bucket and system: of one factor, or of two and of their combinations."""

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


class NoBucketsError(Exception):
    """Sums by bucket are unavailable or would be wrong; units are stored one by one instead.

    Some row has no unit, two names have the same hash, amounts do not fit into steps, or too many rows were refused.
    """


@dataclass(frozen=True)
class UnitHashes:
    """The units of some rows: seeded hashes, and numbers where units are few and separate."""

    bits: IntArray
    level: IntArray | None = None


class Sums:
    """Sums by bucket, in integer steps, to which batches of rows are added."""

    def __init__(self, amounts: Amounts, sizes: Sequence[int], *, buckets: int, systems: int) -> None:
        self._amounts, self._buckets, self._systems = amounts, buckets, systems
        self._width = systems + (amounts.shared is not None)
        numbers = [*sizes, *([buckets] if len(sizes) == 2 else [])]
        self._totals = [np.zeros(number * self._width, dtype=np.int64) for number in numbers]
        self._known: list[BoolArray | slice] = [slice(None)] * len(numbers)  # levels that are kept rows' own
        self._seen = np.zeros(len(amounts.first), dtype=np.int64)  # how often each distinct row was added

    def add(self, rows: IntArray | slice, units: Sequence[UnitHashes], times: IntArray | None = None) -> None:
        """Add rows: each adds the amount of this number, once or that many times."""
        amounts, buckets = self._amounts, self._buckets
        first, second, value = amounts.first[rows], amounts.second[rows], amounts.value[rows]
        shared = None if amounts.shared is None else amounts.shared[rows]
        kept = None if amounts.kept is None else amounts.kept[rows]
        self._seen += np.bincount(rows, minlength=len(self._seen)) if isinstance(rows, np.ndarray) else 1
        levels = [unit.bits * buckets >> BITS if unit.level is None else unit.level for unit in units]
        if len(units) == 2:
            levels.append(((units[0].bits * MIX + units[1].bits) % 2**BITS) * buckets >> BITS)
        if times is not None:
            value, shared = value * times, None if shared is None else shared * times
        for total, level in zip(self._totals, levels, strict=True):
            start = level * self._width
            np.add.at(total, start + first, value)
            np.subtract.at(total, start + second, value)
            if shared is not None:
                np.add.at(total, start + self._systems, shared)

        for place, unit in enumerate(units):
            if kept is not None and unit.level is not None:
                self._see(place, unit.level[kept])

    def _see(self, place: int, level: IntArray) -> None:
        """Note which of few units have rows that are kept."""
        known = self._known[place]
        if isinstance(known, slice):
            known = self._known[place] = np.zeros(len(self._totals[place]) // self._width, dtype=bool)
        known[level] = True

    def need(self, times: IntArray) -> None:
        """Refuse sums of other rows than all that are kept, given how often each distinct row occurs."""
        kept = slice(None) if self._amounts.kept is None else self._amounts.kept
        if not np.array_equal(self._seen[kept], times[kept]):
            raise NoBucketsError

    @property
    def in_steps(self) -> list[IntArray]:
        """For every way levels × (systems, then shared amounts)."""
        return [total.reshape(-1, self._width) for total in self._totals]

    @property
    def found(self) -> list[FloatArray]:
        """The same as numbers, of levels that some row is known by."""
        return [total[known] / self._amounts.steps for total, known in zip(self.in_steps, self._known, strict=True)]


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
    """Add up amounts of rows in memory: for every way buckets × (systems, then shared amounts)."""
    columns = [rows.columns[each.column] for each in wanted.factors]
    units = [(column.codes, all_hashed(column.labels)) for column in columns]
    return added(wanted.amounts(rows), rows.times, units, wanted)


def added(
    amounts: Amounts, times: IntArray, units: Sequence[tuple[IntArray, UnsignedArray]], wanted: Wanted
) -> list[FloatArray]:
    """Add up weighted amounts of rows, given the codes and label hashes of every factor."""
    numbered = [_numbered(*unit, factor, wanted.seed) for unit, factor in zip(units, wanted.factors, strict=True)]
    sizes = [size for _, size in numbered]
    sums = Sums(amounts, sizes, buckets=wanted.buckets, systems=wanted.systems)
    sums.add(slice(None), [each for each, _ in numbered], times)
    return sums.found


def _numbered(codes: IntArray, full: UnsignedArray, factor: Factor, seed: int) -> tuple[UnitHashes, int]:
    """Return the units of all rows, and how many levels there are."""
    if np.any(codes == MISSING):
        raise NoBucketsError
    bits = mixed(full, seed)[codes]
    if factor.buckets is not None:
        return UnitHashes(bits), factor.buckets
    used = arrays.distinct(codes)
    level, number = numbered(full[used])
    level_of = np.empty(len(full), dtype=np.int64)
    level_of[used] = level
    return UnitHashes(bits, level_of[codes]), number


def numbered(full: UnsignedArray) -> tuple[IntArray, int]:
    """Number units by their hashes; return the numbers, and how many there are."""
    found, level = np.unique(full, return_inverse=True)
    return level.ravel(), len(found)


def mixed(full: UnsignedArray, seed: int) -> IntArray:
    """Return the bits of hashes that decide about buckets, for this seed."""
    bits: IntArray = (full % 2**BITS).astype(np.int64) * factor_of(seed) % 2**BITS
    return bits


def collected(parts: Sequence[tuple[IntArray, IntArray, IntArray]], levels: int, width: int) -> IntArray:
    """Put sums of single cells (level, column, amount in steps) into a matrix."""
    total = np.zeros((levels, width), dtype=np.int64)
    for level, column, amount in parts:
        np.add.at(total, (level, column), amount)
    return total
