"""Judgments by a machine with people's outcomes of some of them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, Memo, digest_of
from betterthan.datasets.statistics.sparse_matrices import matrix_of
from betterthan.datasets.units.numbered_units import numbered_units
from betterthan.datasets.units.units import RowWeights
from betterthan.evidence import ABSENT, Tally

#: What the left side won by outcome: all, half of a tie, nothing.
_WON = np.array([1.0, 0.5, 0.0])


@dataclass(frozen=True)
class GoldJudgments:
    """Judgments one by one: what the left side won by the machine, and by people (NaN where they did not judge).

    `amount` is the weight of a judgment.
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    judged: FloatArray
    gold: FloatArray
    amount: FloatArray
    units: RowWeights
    made: Memo = field(default_factory=Memo, repr=False, compare=False)  # what was derived from these

    @staticmethod
    def of(tally: Tally, gold: IntArray, by: tuple[str, ...]) -> "GoldJudgments":
        """Take a tally and the outcomes by people, in the tally's order, one of `ABSENT` where there is none."""
        row = np.repeat(np.arange(len(tally.left)), np.round(tally.times).astype(np.int64))
        columns = {name: tally.units[name].take(row) for name in by}
        units = RowWeights.of(len(row), columns) if by else numbered_units("row", len(row))
        people = np.where(gold == ABSENT, np.nan, _WON[np.where(gold == ABSENT, 0, gold)])
        sides = tally.left[row], tally.right[row]
        return GoldJudgments(tally.systems, *sides, _WON[tally.outcome[row]], people[row], tally.weight[row], units)

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @cached_property
    def cells(self) -> "GoldJudgments":
        """The same judgments, those that are alike added up; their units are lost."""
        won, people = (
            np.where(np.isnan(values), 3, 2 * values).astype(np.int64) for values in (self.judged, self.gold)
        )
        key = ((self.left * self.size + self.right) * 3 + won) * 4 + people
        amount: FloatArray = np.bincount(key, self.amount, 12 * self.size**2).astype(np.float64)
        kept = np.flatnonzero(amount)
        rest, label = np.divmod(kept, 4)
        sides, judged = np.divmod(rest, 3)
        left, right = np.divmod(sides, self.size)
        gold = np.where(label == 3, np.nan, label / 2)
        units = RowWeights.of(len(kept), {})
        return GoldJudgments(self.systems, left, right, judged / 2, gold, amount[kept], units)

    @cached_property
    def labelled(self) -> BoolArray:
        """Which judgments people made as well."""
        return ~np.isnan(self.gold)

    @cached_property
    def labels(self) -> IntArray:
        """How many labelled judgments every system has."""
        number = sum(np.bincount(side[self.labelled], minlength=self.size) for side in (self.left, self.right))
        return np.asarray(number, dtype=np.int64)

    @property
    def effective(self) -> float:
        """How many labelled judgments of equal weight say as much (Kish)."""
        amount = self.amount[self.labelled]
        return float(amount.sum()) ** 2 / float(amount @ amount)

    @property
    def step(self) -> float:
        """The smallest difference of two outcomes that people gave: half a win where they gave ties."""
        return 0.5 if np.any(self.gold == _WON[1]) else 1.0

    def sided(self, values: FloatArray) -> Any:
        """Return values of judgments for the left system, and against the right one (judgments × systems)."""
        rows = np.arange(len(values))
        both = np.concatenate([values, -values])
        return matrix_of(
            both, np.concatenate([rows, rows]), np.concatenate([self.left, self.right]), (len(rows), self.size)
        )

    def appearances(self, unit: IntArray, units: int) -> Any:
        """Count labelled judgments of each system, by their units (units × systems): others are many more."""
        amount = self.amount * self.labelled
        return sum(matrix_of(amount, unit, side, (units, self.size)) for side in (self.left, self.right))

    def digest(self) -> str:
        """Return a short digest that no order of judgments and no side changes."""
        turned = self.left > self.right
        left, right = np.where(turned, self.right, self.left), np.where(turned, self.left, self.right)
        won, people = (np.where(turned, 1 - values, values) for values in (self.judged, self.gold))
        columns = (left, right, won, people, self.amount, *self.units.factors)
        order = np.lexsort(columns[::-1])
        return digest_of(self.systems, *(np.asarray(column, dtype=np.float64)[order] for column in columns))
