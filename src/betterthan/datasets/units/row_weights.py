"""Row weights: units of statistics that counts cannot replace."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.units.unit_draws import draw_nested, draw_weights
from betterthan.datasets.units.units import add_up, kish, nested_squares, per_parent, squares, summed_squares
from betterthan.engine import Coded


@dataclass(frozen=True)
class RowWeights:
    """Row weights, for statistics that counts cannot replace: a resample says how often each row occurs."""

    name: str
    factors: tuple[IntArray, ...]  # per row, its level of each factor; none: every row is its own unit
    levels: tuple[int, ...]
    rows: int
    nested: IntArray | None = None  # the system that every level of the last factor belongs to

    summed_gradients = in_engine = False

    @classmethod
    def of(cls, rows: int, columns: Mapping[str, Coded], single: str = "row") -> Self:
        """Take the units from columns, one value per row; without any, a row is a unit and is called `single`."""
        if not columns:
            return cls(single, (), (rows,), rows)
        codes, levels = zip(*(column.compact for column in columns.values()), strict=True)
        return cls("+".join(columns), codes, levels, rows)

    @cached_property
    def size(self) -> int:
        """Number of units; with two factors, of the scarcer one."""
        return min(self.levels)

    @cached_property
    def effective(self) -> float:
        """By the rows that units have."""
        assert len(self.factors) <= 1
        if self.nested is not None:
            return per_parent(self.nested)
        return kish(np.bincount(self.factors[0]).astype(float)) if self.factors else float(self.rows)

    @property
    def width(self) -> int:
        """Rows and levels."""
        return self.rows + sum(self.levels)

    @cached_property
    def crossed(self) -> "tuple[RowWeights, RowWeights, RowWeights] | None":
        """The two factors, and their combinations."""
        if len(self.factors) < 2:
            return None
        one, two = (
            replace(self, name=name, factors=(factor,), levels=(levels,), nested=parent)
            for name, factor, levels, parent in zip(
                self.name.split("+"), self.factors, self.levels, (None, self.nested), strict=True
            )
        )
        found, both = np.unique(np.ravel_multi_index(self.factors, self.levels), return_inverse=True)
        return one, two, replace(self, factors=(both.ravel(),), levels=(len(found),), nested=None)

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw the levels of the only factor with replacement: how often every row occurs (rows × resamples)."""
        assert len(self.factors) <= 1
        if self.nested is not None:
            return draw_nested(rng, self.nested, resamples)[self.factors[0]]
        drawn = draw_weights(rng, self.levels[0], resamples)
        return drawn[self.factors[0]] if self.factors else drawn

    def gradients(self, of_rows: Any) -> Any:
        """Return the gradients of the only factor's levels, from those of the rows (rows × parameters)."""
        assert len(self.factors) <= 1
        return add_up(of_rows, self.factors[0], self.levels[0]) if self.factors else of_rows

    def meat(self, gradients: Any) -> FloatArray:
        """Return the sum over units of their squared gradients, from the rows' own (rows × parameters)."""
        if not self.factors:
            return squares(gradients, self.rows)
        if self.nested is not None and len(self.factors) == 1:
            return nested_squares(add_up(gradients, self.factors[0], self.levels[0]), self.nested)
        if len(self.factors) == 2 and self.nested is not None:
            assert self.crossed is not None
            of_items, of_runs, of_cells = (units.meat(gradients) for units in self.crossed)
            return of_items + of_runs - of_cells
        if len(self.factors) == 2:
            found, both = np.unique(np.ravel_multi_index(self.factors, self.levels), return_inverse=True)
            return summed_squares(
                add_up(gradients, both, len(found)),
                [np.unravel_index(found, self.levels)[place] for place in range(2)],
                self.levels,
            )
        return summed_squares(gradients, self.factors, self.levels)
