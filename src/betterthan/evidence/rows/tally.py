"""Valid judgments reduced to distinct ones with counts, the input of all statistics of judgments."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from betterthan.base import ArrayEquality, FloatArray, IntArray, arrays
from betterthan.engine import Coded
from betterthan.evidence.outcomes import LEFT, RIGHT
from betterthan.evidence.rows.account import Account

#: Up to this many distinct judgments are sorted here; more are sorted by the code that adds up fractions.
FEW = 200_000
#: That many are read again in no time.
_READ_AGAIN = 20_000


@dataclass(frozen=True, eq=False)
class Tally(ArrayEquality):
    """Valid distinct judgments: codes into `systems`, outcome from the left, weight and count of each.

    `numbers` are columns that were requested as they are, one value per judgment.
    """

    systems: tuple[str, ...]
    left: IntArray
    right: IntArray
    outcome: IntArray
    weight: FloatArray
    times: FloatArray
    units: Mapping[str, Coded]
    account: Account
    numbers: Mapping[str, FloatArray] = field(default_factory=dict)
    part: FloatArray | None = None  # how much of a judgment a row is: one with a share for each side is two rows

    @property
    def number(self) -> float:
        """How many judgments there are."""
        return float(self.times.sum() if self.part is None else self.times @ self.part)

    def take(self, rows: IntArray) -> "Tally":
        """Return some rows, or all in another order."""
        return replace(
            self,
            left=self.left[rows],
            right=self.right[rows],
            outcome=self.outcome[rows],
            weight=self.weight[rows],
            times=self.times[rows],
            units={name: column.take(rows) for name, column in self.units.items()},
            numbers={name: column[rows] for name, column in self.numbers.items()},
            part=None if self.part is None else self.part[rows],
        )

    @property
    def effective(self) -> float | None:
        """How many judgments of equal weight tell as much (Kish); None where no judgment has a weight."""
        times = self.times if self.part is None else self.times * self.part
        weight = self.weight if self.part is None else self.weight / self.part
        if np.all(np.abs(weight - 1.0) <= 1e-12):
            return None
        # Neither the order of rows nor whether equal ones were counted together changes these sums.
        rows = np.argsort(times, kind="stable")
        values, place = np.unique(weight[rows], return_inverse=True)
        total, values = np.bincount(place.ravel(), times[rows]), values / values[-1]
        return float(np.sum(total * values) ** 2 / np.sum(total * values**2))

    def in_fixed_order(self) -> "Tally":
        """Return the same judgments sorted: engines return them in any order, and sums feel it in the last digit."""
        codes = [self.outcome, self.right, self.left, *(column.codes for column in self.units.values())]
        key = arrays.joined(codes)
        if key is None:
            return self.take(np.lexsort((self.times, self.weight, *codes)))
        order = np.argsort(key, kind="stable")
        if np.any(np.diff(key[order]) == 0):  # rows of different weights, or that another unit keeps apart
            order = np.lexsort((self.times, self.weight, key))
        return self.take(order)

    def without(self, units: set[str]) -> "Tally":
        """Return the same judgments, not kept apart by some units; equal ones stay separate rows."""
        return replace(self, units={name: column for name, column in self.units.items() if name not in units})

    def sided(self) -> "Tally":
        """Return the same judgments with the smaller code on the left."""
        flip = self.left > self.right
        return replace(
            self,
            left=np.where(flip, self.right, self.left),
            right=np.where(flip, self.left, self.right),
            outcome=np.where(flip, (LEFT + RIGHT) - self.outcome, self.outcome),
        )


def coarser(known: Iterable[Tally], by: tuple[str, ...]) -> Tally | None:
    """Return a tally by these units, derived from a finer one; None if there is none."""
    for tally in known:
        large = len(tally.left) > _READ_AGAIN and not tally.account.refused and tally.part is None
        if large and not tally.numbers and set(by) < set(tally.units):
            return tally.without(set(tally.units) - set(by))
    return None


def covering(known: Iterable[Tally], by: tuple[str, ...]) -> Tally | None:
    """Return a tally that keeps all rows apart by these units; None where there is none."""
    return next((tally for tally in known if set(by) <= set(tally.units) and not tally.account.refused), None)
