"""The matrix of scores by a judge with people's labels of some of them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, Memo, digest_of
from betterthan.datasets.units.crossed_variance import add_up
from betterthan.datasets.units.numbered_units import numbered_units
from betterthan.datasets.units.units import RowWeights
from betterthan.engine import Coded
from betterthan.evidence import ScoreTable


@dataclass(frozen=True)
class GoldMatrix:
    """Scores by a judge and people's labels (items × systems), higher is better, NaN where there is none.

    Labels of scores that the judge did not give are left out. `weight` is how much each label counts.
    """

    systems: tuple[str, ...]
    judged: FloatArray
    gold: FloatArray
    weight: FloatArray
    lower_is_better: bool  # as given: held negated here
    units: RowWeights
    unused: int = 0  # labels of what the judge did not score
    made: Memo = field(default_factory=Memo, repr=False, compare=False)  # what was derived from these

    @staticmethod
    def of(table: ScoreTable, groups: Coded | None = None) -> "GoldMatrix":
        """Keep scores and labels; the item is the unit, or its group."""
        assert table.gold is not None
        items = len(table.items)
        units = numbered_units("item", items) if groups is None else RowWeights.of(items, {"group": groups})
        labels = np.where(np.isnan(table.values), np.nan, table.gold.values)
        unused = int(np.sum(~np.isnan(table.gold.values) & np.isnan(table.values))) + table.gold.unmatched
        return GoldMatrix(table.systems, table.values, labels, table.gold.weight, table.negated, units, unused)

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @cached_property
    def labelled(self) -> BoolArray:
        """Where there is a label."""
        return ~np.isnan(self.gold)

    @cached_property
    def labels(self) -> IntArray:
        """How many labels every system has."""
        number: IntArray = self.labelled.sum(axis=0)
        return number

    @property
    def step(self) -> float:
        """The smallest difference of two labels that people gave, or of one to the judge's scores; 0 of equal ones."""
        values = np.unique(self.gold[self.labelled])
        if len(values) == 1:
            scores = np.unique(self.judged[~np.isnan(self.judged)])
            values = scores if values[0] in scores else values
        return float(np.min(np.diff(values))) if len(values) > 1 else 0.0

    def appearances(self, unit: IntArray, units: int) -> Any:
        """Count the labels of each system by their units (units × systems): the judge's scores are many more."""
        return add_up(self.labelled * self.weight, unit, units)

    def digest(self) -> str:
        """Return a short digest that no order of items changes."""
        parts = (*self.judged.T, *self.gold.T, *self.weight.T, *self.units.factors)
        order = np.lexsort(parts)
        columns = (self.judged + 0.0, self.gold + 0.0, self.weight, *self.units.factors)
        return digest_of(self.systems, *(column[order] for column in columns))
