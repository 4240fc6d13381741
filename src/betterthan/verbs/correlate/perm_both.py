"""The PERM-BOTH test: whether one metric agrees with people more than another.

PERM-BOTH of Deutsch, Dror and Roth (2021), A statistical analysis of summarization evaluation metrics using resampling
methods, TACL; the WMT metrics tasks use it too.
"""

from dataclasses import dataclass

import numpy as np

from betterthan.base import BoolArray, FloatArray, Progress, silent
from betterthan.inference import Test
from betterthan.verbs.correlate.metric_correlation import OF_SYSTEMS, TwoMetrics, of_items, of_means

#: Numbers held at once.
_HELD = 4_000_000


def perm_both(  # noqa: PLR0917 (two metrics, people, and how)
    one: FloatArray,
    two: FloatArray,
    human: FloatArray,
    measure: str,
    permutations: int,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> tuple[float, Test]:
    """Return the difference of two metrics' agreement with people, and its test; NaN where it is not defined.

    Metrics are standardised first, so that a cell may be of either.
    """
    known = ~np.isnan(one) & ~np.isnan(two) & ~np.isnan(human)
    one, two = (_standardised(np.where(known, values, np.nan)) for values in (one, two))
    cells = _Cells(one, two, np.where(known, human, np.nan), measure)
    observed = float(cells.gap(np.zeros((1, *one.shape), dtype=bool))[0])
    size = int(np.clip(_HELD // one.size, 1, 250)) if measure in OF_SYSTEMS else 1
    larger = done = 0
    while done < permutations:
        number = min(size, permutations - done)
        found = np.abs(cells.gap(rng.random((number, *one.shape), dtype=np.float32) < 0.5))
        larger += int(np.sum(~(found < abs(observed) - 1e-12)))  # undefined values count as large
        done += number
        progress(done, permutations)
    test = Test("perm-both", observed, (larger + 1) / (permutations + 1), f"two-sided, {permutations:,} permutations")
    return observed, test


@dataclass(frozen=True)
class _Cells:
    """Scores by two metrics and by people (items × systems) on the cells that all three have."""

    one: FloatArray
    two: FloatArray
    human: FloatArray
    measure: str

    def gap(self, swap: BoolArray) -> FloatArray:
        """Return the difference of agreements where some cells are swapped (permutations × items × systems)."""
        if self.measure in OF_SYSTEMS:
            return self._of_systems(swap)
        found = []
        for each in swap:
            mixed = np.where(each, self.two, self.one), np.where(each, self.one, self.two)
            first, second = (of_items(self.measure, TwoMetrics(values, self.human)) for values in mixed)
            found.append(first - second)
        return np.array(found)

    def _of_systems(self, swap: BoolArray) -> FloatArray:
        """Swap within sums over items, all permutations at once."""
        number = np.sum(~np.isnan(self.human), axis=0)[:, None]
        one, two, human = (np.nan_to_num(values) for values in (self.one, self.two, self.human))
        moved = np.einsum("rij,ij->jr", swap, two - one)
        with np.errstate(invalid="ignore", divide="ignore"):
            first, second = (one.sum(axis=0)[:, None] + moved) / number, (two.sum(axis=0)[:, None] - moved) / number
            people = np.broadcast_to(human.sum(axis=0)[:, None] / number, first.shape)
        return of_means(self.measure, first, people) - of_means(self.measure, second, people)


def _standardised(values: FloatArray) -> FloatArray:
    spread = float(np.nanstd(values))
    return (values - np.nanmean(values)) / (spread or 1.0)
