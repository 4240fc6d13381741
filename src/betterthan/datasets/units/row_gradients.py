"""Gradients of single judgments by strengths and by what they are controlled for."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.statistics.sparse_matrices import matrix_of


@dataclass(frozen=True, eq=False)
class RowGradients:
    """What every judgment adds to the gradient: `value` to its first system, less to its second, and times covariates.

    Millions of judgments are added up by their systems' codes, without a matrix of them.
    """

    first: IntArray
    second: IntArray
    value: FloatArray
    covariates: FloatArray  # judgments × columns
    systems: int

    @property
    def shape(self) -> tuple[int, int]:
        """Judgments and parameters."""
        return len(self.value), self.systems + self.covariates.shape[1]

    def added(self, level: IntArray, levels: int) -> FloatArray:
        """Add up the gradients of judgments by a level that each has (levels × parameters)."""
        size, width = self.systems, self.shape[1]
        start = level * width
        won, lost = (np.bincount(start + side, self.value, levels * width) for side in (self.first, self.second))
        total: FloatArray = (won - lost).astype(np.float64).reshape(levels, width)
        for place, column in enumerate(self.covariates.T, start=size):
            total[:, place] = np.bincount(level, self.value * column, levels)
        return total

    @cached_property
    def matrix(self) -> Any:
        """The gradients as a matrix (judgments × parameters)."""
        rows, width = self.shape
        every, columns = np.arange(rows), range(self.systems, width)
        return matrix_of(
            np.concatenate([self.value, -self.value, *(self.value * column for column in self.covariates.T)]),
            np.concatenate([every] * (2 + len(columns))),
            np.concatenate([self.first, self.second, *(np.full(rows, column) for column in columns)]),
            (rows, width),
        )
