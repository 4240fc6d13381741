"""Types of arrays, for every layer, and columns of codes taken as one."""

from collections.abc import Sequence

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
