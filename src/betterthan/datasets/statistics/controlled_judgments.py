"""Judgments one by one with covariates: how the two outputs differ in addition to their systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray, Memo, PlanError, digest_of, spelling
from betterthan.datasets.statistics.pair_counts import PairCounts, totals
from betterthan.datasets.statistics.sparse_matrices import matrix_of
from betterthan.datasets.units.row_gradients import RowGradients
from betterthan.datasets.units.units import BUCKETS, MANY, RowWeights
from betterthan.evidence import Account, Tally

#: The most counted judgments that are listed one by one, so that each can be drawn.
_MOST = 10_000_000


@dataclass(frozen=True)
class Covariate:
    """One column of the covariates: its name, the columns it is made of, and what one unit of it is.

    `scale` is the standard deviation that differences were divided by, None where they are as they were.
    """

    name: str
    columns: tuple[str, ...]
    unit: str
    scale: float | None = None


@dataclass(frozen=True, eq=False)
class ControlledJudgments:
    """Judgments with weighted outcomes (3 × judgments: first won, tied, second won) and covariates.

    `counts` are the same judgments by pairs, without covariates.
    """

    systems: tuple[str, ...]
    first: IntArray
    second: IntArray
    outcomes: FloatArray
    values: FloatArray  # judgments × covariates: of the first output, less those of the second
    covariates: tuple[Covariate, ...]
    units: RowWeights
    counts: PairCounts
    account: Account
    number: float
    effective: float | None
    digest: str
    made: Memo = field(default_factory=Memo, init=False, repr=False, compare=False)  # what was derived from these

    @classmethod
    def of(
        cls,
        tally: Tally,
        values: FloatArray,
        covariates: Sequence[Covariate],
        by: Mapping[str, tuple[IntArray, int]],
    ) -> "ControlledJudgments":
        """Take the judgments of a tally; `by` has their units of resampling (none: single judgments)."""
        counts = PairCounts.of(tally)
        rows = np.arange(len(tally.left))
        if not by and np.any(tally.times != 1.0):
            rows = _each(tally.times)
        amount = tally.weight[rows] if len(rows) != len(tally.left) else tally.weight * tally.times
        outcomes = np.zeros((3, len(rows)))
        outcomes[tally.outcome[rows], np.arange(len(rows))] = amount
        factors, levels = tuple(codes for codes, _ in by.values()), tuple(number for _, number in by.values())
        name = "+".join(by) or "row"
        units = RowWeights(name, factors, levels or (len(rows),), len(rows))
        return cls(
            tally.systems,
            tally.left[rows],
            tally.right[rows],
            outcomes,
            values[rows],
            tuple(covariates),
            units,
            counts,
            tally.account,
            tally.number,
            tally.effective,
            digest_of([counts.digest(), *(each.name for each in covariates)], _folded(tally, values)),
        )

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @property
    def _sides(self) -> tuple[IntArray, IntArray]:
        return self.first, self.second

    def appearances(self, group: IntArray, groups: int) -> Any:
        """Return how many judgments every group has of every system (groups × systems)."""
        if groups > MANY:  # their number is large, however it is counted
            bucket = group % BUCKETS
            one, two = (np.bincount(bucket * self.size + side, minlength=BUCKETS * self.size) for side in self._sides)
            return (one + two).astype(np.float64).reshape(BUCKETS, self.size)
        ones = np.ones(2 * len(self.first))
        return matrix_of(
            ones, np.concatenate([group, group]), np.concatenate([self.first, self.second]), (groups, self.size)
        )

    def gradients(self, by_gap: FloatArray) -> RowGradients:
        """Return what every judgment adds to the gradient, from its derivative by the gap."""
        return RowGradients(self.first, self.second, by_gap, self.values, self.size)

    @property
    def totals(self) -> tuple[float, float]:
        """Decided and tied judgments."""
        return totals(self.counts.outcomes)

    def kept(self, columns: Sequence[int]) -> "ControlledJudgments":
        """Keep some of the covariates only."""
        if len(columns) == len(self.covariates):
            return self
        chosen = list(columns)
        return replace(
            self, values=self.values[:, chosen], covariates=tuple(self.covariates[place] for place in chosen)
        )


def _each(times: FloatArray) -> IntArray:
    """Return the row of every single judgment, where rows say how often they occurred."""
    if np.any(times != np.round(times)) or not times.sum() <= _MOST:
        raise PlanError(
            f"counts that are fractions, or more than {_MOST:,}, cannot be resampled by row with covariates",
            remedy=f"Choose a unit with {spelling.option('unit')}, or pass counts as {spelling.option('weight')}.",
        )
    return np.repeat(np.arange(len(times)), times.astype(np.int64))


def _folded(tally: Tally, values: FloatArray) -> NDArray[np.uint64]:
    """Return numbers that depend on which judgments there are, and not on their order or sides."""
    turned = tally.left > tally.right
    sign = np.where(turned, -1.0, 1.0)
    key = np.zeros(len(turned), dtype=np.uint64)
    outcome = np.where(turned, 2 - tally.outcome, tally.outcome)
    sided = [np.where(turned, *sides) for sides in ((tally.right, tally.left), (tally.left, tally.right))]
    differing = [np.round(sign * column, 9) + 0.0 for column in values.T]
    for column in (*sided, outcome, tally.weight * tally.times, *differing):
        bits = np.ascontiguousarray(column).view(np.uint64)
        with np.errstate(over="ignore"):
            key = (key ^ bits) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
    with np.errstate(over="ignore"):
        return np.array([key.sum(), (key * key).sum(), (key >> np.uint64(7)).sum()], dtype=np.uint64)
