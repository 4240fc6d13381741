"""Sparse matrices, dense where they are small, so that small evidence does not load SciPy.

`@`, `abs`, `.T` and multiplication by a vector per column are the same for both; what differs is here.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy

#: Up to this many numbers a dense matrix is as fast as a sparse one.
_DENSE = 100_000


def matrix_of(values: FloatArray, rows: IntArray, columns: IntArray, shape: tuple[int, int]) -> Any:
    """Return the matrix with these values at these places; those of one place are added up."""
    if shape[0] * shape[1] <= _DENSE:
        return np.bincount(rows * shape[1] + columns, values, shape[0] * shape[1]).reshape(shape)
    return scipy.sparse.coo_array((values, (rows, columns)), shape=shape).tocsr()


def positive(matrix: Any) -> Any:
    """Return the values above zero, and zero elsewhere."""
    return (abs(matrix) + matrix) / 2


def side_by_side(parts: Sequence[Any]) -> Any:
    """Put matrices with the same rows side by side: dense if any of them is."""
    if any(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate([dense(part) for part in parts], axis=1)
    return scipy.sparse.hstack(parts).tocsr()


def dense(matrix: Any) -> FloatArray:
    """Return a matrix with its zeros."""
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())
