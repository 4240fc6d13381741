"""Draws: the one matrix from which every statement of uncertainty is read."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from betterthan.engine.table import FloatArray
from betterthan.models.base import RESOLUTION


@dataclass(frozen=True)
class Draws:
    """Strengths of every system in every resample (resamples × systems), and how they were made."""

    strength: FloatArray
    method: str
    unit: str
    units: int
    apart: NDArray[np.bool_]  # systems that cannot be compared with the others
    resolution: float = RESOLUTION  # smaller differences are rounding
    degenerate: int = 0

    def better(self, a: int, b: int) -> float:
        """Return the share of draws in which `a` is stronger than `b`; equal counts half."""
        gap = self._rounded(self.strength[:, a] - self.strength[:, b])
        return float(np.mean((np.sign(gap) + 1) / 2))

    def best(self) -> list[float | None]:
        """Return every system's share of the draws in which it leads; shared leads are shared. Islands have none."""
        strength = self._rounded(np.where(self.apart, -np.inf, self.strength))
        leads = strength == strength.max(axis=1, keepdims=True)
        share = np.mean(leads / leads.sum(axis=1, keepdims=True), axis=0)
        return [None if apart else float(value) for value, apart in zip(share, self.apart, strict=True)]

    def ranks(self) -> tuple[FloatArray, FloatArray]:
        """Return each draw's best and worst possible rank of every system; they differ where strengths are equal.

        Islands may have any rank, and do not move the ranks of the others.
        """
        strength = -self._rounded(np.where(self.apart, -np.inf, self.strength))
        order = np.sort(strength, axis=1)
        low, high = np.empty_like(strength), np.empty_like(strength)
        for row, (values, line) in enumerate(zip(strength, order, strict=True)):
            low[row] = np.searchsorted(line, values, side="left") + 1
            high[row] = np.searchsorted(line, values, side="right")
        low[:, self.apart], high[:, self.apart] = 1, strength.shape[1]
        return low, high

    def _rounded(self, values: FloatArray) -> FloatArray:
        """Make equal what differs by rounding only: identical systems must stay identical."""
        return np.round(values / self.resolution)
