"""Sorted scores, for medians over resamples."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray, arrays


class SortedColumns:
    """Sorted columns, for averages that use the middle values."""

    def __init__(self, values: FloatArray) -> None:
        self.size = np.sum(~np.isnan(values), axis=0)
        self.order = np.argsort(values, axis=0, kind="stable")  # NaN last
        self.values = np.take_along_axis(values, self.order, axis=0)

    def median(self, times: FloatArray) -> FloatArray:
        """Return the median of every column with rows repeated as often as said (columns × resamples).

        Rows below a window round the middle are counted at once, and the middle is looked for inside it only.
        """
        light = times.astype(np.float32)  # whole numbers, exact up to 2**24
        total, below = self._present @ light, self._below @ light
        medians = [self._median(column, light, total[column], below[column]) for column in range(len(self.size))]
        return np.stack(medians)

    @cached_property
    def _window(self) -> tuple[IntArray, IntArray]:
        """Where the middle of a column lies in almost every resample."""
        reach = 4 * np.sqrt(self.size).astype(np.int64) + 8
        return np.maximum(self.size // 2 - reach, 0), np.minimum(self.size // 2 + reach, self.size)

    @cached_property
    def _present(self) -> NDArray[np.float32]:
        return self._up_to(self.size)

    @cached_property
    def _below(self) -> NDArray[np.float32]:
        return self._up_to(self._window[0])

    def _up_to(self, number: IntArray) -> NDArray[np.float32]:
        """Mark the lowest rows of every column (columns × rows)."""
        marked = np.zeros(self.order.shape, dtype=np.float32)
        np.put_along_axis(marked, self.order, (np.arange(len(marked))[:, None] < number).astype(np.float32), axis=0)
        return np.ascontiguousarray(marked.T)

    def _median(
        self, column: int, times: NDArray[np.float32], total: NDArray[np.float32], below: NDArray[np.float32]
    ) -> FloatArray:
        low, high, size = (int(places[column]) for places in (*self._window, self.size))
        if size == 0:
            return np.full(len(total), np.nan)
        order, values, half = self.order[:size, column], self.values[:size, column], total.astype(float) / 2
        upto = below + arrays.running_sums(times[order[low:high]])
        first = np.minimum(np.sum(upto < half, axis=0), high - low - 1) + low
        second = np.minimum(np.sum(upto <= half, axis=0), high - low - 1) + low
        median: FloatArray = (values[first] + values[second]) / 2
        for resample in np.flatnonzero((below >= half) | (upto[-1] <= half)):  # outside the window, or nothing left
            repeated = np.repeat(values, times[order, resample].astype(int))
            median[resample] = np.median(repeated) if len(repeated) else np.nan
        return median

    def trimmed(self, times: FloatArray, cut: float) -> FloatArray:
        """Return every column's mean without the share `cut` of rows at each end (columns × resamples)."""
        means = []
        for column, size in enumerate(self.size):
            upto = arrays.running_sums(times[self.order[:size, column]])
            total = upto[-1] if size else np.zeros(times.shape[1])
            dropped = np.floor(cut * total + 1e-9)
            kept = np.diff(np.clip(upto, dropped, total - dropped), axis=0, prepend=dropped[None, :])
            rest = total - 2 * dropped
            summed = self.values[:size, column] @ kept
            means.append(np.divide(summed, rest, out=np.full(len(rest), np.nan), where=rest > 0))
        return np.stack(means)
