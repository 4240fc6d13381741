"""Array types used in every layer, equality of dataclasses that hold arrays, and functions on codes and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def distinct(codes: IntArray) -> IntArray:
    """Return the distinct numbers of many, sorted.

    By sorting, or by marking those that occur where they are small: NumPy hashes, which takes twenty times as long.

    >>> distinct(np.array([2, 0, 2, -1]))
    array([-1,  0,  2])
    """
    if not len(codes):
        return codes
    least, most = int(codes.min()), int(codes.max())
    if most - least < 4 * len(codes):
        found: IntArray = np.flatnonzero(np.bincount(codes - least)) + least
        return found
    ordered = np.sort(codes)
    first: BoolArray = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    return ordered[first]


def median(values: FloatArray) -> float:
    """Return the median of some numbers; NumPy's own loads its masked arrays, which takes a hundredth of a second.

    >>> median(np.array([3.0, 1.0, 4.0, 2.0]))
    2.5
    """
    ordered = np.sort(values)
    return float((ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2)


def joined(columns: Sequence[IntArray]) -> IntArray | None:
    """Return one number per row that orders rows as `np.lexsort` does, the last column first; None if they overflow.

    >>> joined([np.array([2, 0, 1]), np.array([0, 1, 1])])
    array([2, 3, 4])
    """
    sizes = [int(column.max(initial=-1)) + 1 for column in columns]
    if np.prod([float(size) for size in sizes]) >= 2**63 or any(column.min(initial=0) < 0 for column in columns):
        return None
    key = columns[-1].astype(np.int64)
    for column, size in zip(columns[-2::-1], sizes[-2::-1], strict=True):
        key = key * size + column
    return key


def grouped(columns: Sequence[IntArray]) -> tuple[IntArray, int]:
    """Number the distinct combinations of codes, sorted by the first column, and say how many there are.

    >>> grouped([np.array([2, 0, 2]), np.array([1, 1, 1])])
    (array([1, 0, 1]), 2)
    """
    key = joined(columns[::-1])
    if key is None:
        found, group = np.unique(np.stack(columns), axis=1, return_inverse=True)
        return group.ravel(), found.shape[1]
    keys, group = np.unique(key, return_inverse=True)
    return group.ravel(), len(keys)


def combinations(columns: Sequence[IntArray]) -> int:
    """Count the distinct combinations of codes.

    >>> combinations([np.array([2, 0, 2]), np.array([1, 1, 1])])
    2
    """
    key = joined(columns)
    return grouped(columns)[1] if key is None else len(distinct(key))


def distinct_keys(key: IntArray, limit: int) -> tuple[IntArray, IntArray]:
    """Return sorted distinct keys below `limit` and each key's place among them, without sorting where a table fits."""
    if limit > 50_000_000:
        keys, place = np.unique(key, return_inverse=True)
        return keys, place.ravel()
    used = np.zeros(limit, dtype=bool)
    used[key] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[key]


def running_sums(rows: FloatArray | NDArray[np.float32]) -> FloatArray:
    """Return the sums of every row and all before it; long rows are added one by one, which is faster.

    >>> running_sums(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist()
    [[1.0, 2.0], [4.0, 6.0]]
    """
    if len(rows) > rows.shape[1]:
        return np.cumsum(rows, axis=0, dtype=np.float64)
    sums = rows.astype(np.float64)
    for place in range(1, len(sums)):
        sums[place] += sums[place - 1]
    return sums


def far_from_the_rest(values: FloatArray, times: float = 1.5) -> BoolArray:
    """Mark values beyond 1.5 interquartile ranges of their column's quartiles; missing ones are not.

    >>> far_from_the_rest(np.array([[1.0], [2.0], [3.0], [99.0]])).ravel().tolist()
    [False, False, False, True]
    """
    low, high = np.nanquantile(values, [0.25, 0.75], axis=0)
    reach = times * (high - low)
    beyond: BoolArray = (values < low - reach) | (values > high + reach)
    return beyond


class ArrayEquality:
    """Equality by fields for dataclasses (with `eq=False`), comparing arrays value by value."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        compared = [field.name for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return all(_same(getattr(self, name), getattr(other, name)) for name in compared)

    __hash__ = None  # type: ignore[assignment]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        floats = np.asarray(one).dtype.kind == "f" and np.asarray(other).dtype.kind == "f"
        return np.array_equal(one, other, equal_nan=floats)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
