"""Units of resampling: groups of dependent judgments that are drawn as a whole.

Every kind says what its statistic looks like when the units are resampled. Those of pair counts (3 outcomes × pairs)
also say how much the units' own gradients vary (the middle of the sandwich).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from betterthan.base import FloatArray, IntArray, PlanError, spelling
from betterthan.datasets.statistics.sparse_matrices import dense, matrix_of, side_by_side
from betterthan.datasets.units.crossed_variance import add_up, nested_squares, squares, summed_squares
from betterthan.datasets.units.effective_units import kish, per_parent, per_weight
from betterthan.datasets.units.unit_draws import AT_ONCE, draw_multinomial, draw_nested, draw_weights
from betterthan.engine import Coded

#: The default number of buckets: the noise that it adds to the width of an interval is 1 %.
BUCKETS = 4096
#: More units than this go into buckets.
MANY = 20_000


class Units(Protocol):
    """A sample of units."""

    @property
    def name(self) -> str:
        """The unit: row, item, judge, ranking, group, or item+judge."""

    @property
    def size(self) -> int:
        """How many units there are."""

    @property
    def effective(self) -> float:
        """How many units of equal size say as much about the differences between units (Kish's number)."""

    @property
    def width(self) -> int:
        """How many numbers one resample needs in memory."""

    @property
    def crossed(self) -> "tuple[Units, Units, Units] | None":
        """The two factors and their combinations where two are crossed; else None."""

    @property
    def summed_gradients(self) -> bool:
        """Are resamples sums of gradients at the estimate, rather than the statistic itself?"""

    @property
    def in_engine(self) -> bool:
        """Are units left in the engine, which adds up their gradients, because they are many?"""

    @property
    def nested(self) -> IntArray | None:
        """The system that each unit belongs to, where units are its own, such as runs; else None."""

    def appearances(self, statistic: Any) -> Any:
        """Return how much evidence every unit has about every system (units × systems); None: all have alike."""

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw the units again with replacement: the statistic of every resample, resamples last."""


class CellUnits(Units, Protocol):
    """Units over outcome cells: a resample is 3 × pairs × resamples."""

    def scaled(self, factor: FloatArray) -> "CellUnits":
        """Return the same units with a weight factor for every pair."""

    def independent(self, first: IntArray, second: IntArray, size: int) -> FloatArray | float:
        """Return how many independent judgments of weight 1 a unit of weight stands for, by system (Kish's number).

        `first` and `second` are the systems of every pair, `size` is the number of systems.
        """

    def meat(self, terms: "Sequence[Term]") -> FloatArray:
        """Return the sum over units of their squared gradients, the terms' parameters one after the other."""


#: Part of the gradient: each cell's residual (3 × pairs) and systems × pairs, which says whom it moves; or None for one
#: parameter that all pairs share.
Term = tuple[FloatArray, Any]


@dataclass(frozen=True)
class RowUnits:
    """Single judgments as units: a resample is multinomial on distinct (pair, outcome, weight)."""

    cell: IntArray
    weight: FloatArray
    times: FloatArray
    shape: tuple[int, int]

    name = "row"
    crossed = nested = None
    summed_gradients = in_engine = False

    @classmethod
    def of(cls, cell: IntArray, weight: FloatArray, times: FloatArray, shape: tuple[int, ...]) -> Self:
        """Put equal judgments together, in an order that no engine changes."""
        if np.all(weight == 1.0):  # nothing to distinguish within a cell, and no need to sort millions of rows
            summed: FloatArray = np.bincount(cell, weights=times, minlength=shape[0] * shape[1]).astype(float)
            kept = np.flatnonzero(summed)
            return cls(kept, np.ones(len(kept)), summed[kept], (shape[0], shape[1]))
        order = np.lexsort((weight, cell))
        changes = (np.diff(cell[order], prepend=-1) != 0) | (np.diff(weight[order], prepend=np.nan) != 0)
        starts = np.flatnonzero(changes)
        kept = order[starts]
        summed = np.add.reduceat(times[order], starts) if len(starts) else times
        return cls(cell[kept], weight[kept], summed, (shape[0], shape[1]))

    @property
    def size(self) -> int:
        """Number of judgments."""
        return round(float(self.times.sum()))

    @property
    def effective(self) -> float:
        """By the weights of judgments."""
        return kish(self.weight, self.times)

    def appearances(self, statistic: Any) -> None:
        """Return none: the variance of single judgments follows from their mean, however few a system has."""

    @property
    def width(self) -> int:
        """Distinct judgments and cells."""
        return len(self.cell) + self.shape[0] * self.shape[1]

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw as many judgments as there were."""
        if np.any(self.times != np.round(self.times)):
            raise PlanError(
                "fractional counts cannot be resampled by row",
                remedy=f"Use whole counts, pass them as {spelling.option('weight')}, or use "
                f"{spelling.option('ci', 'analytic')}.",
            )
        weighted = draw_multinomial(rng, self.times, resamples) * self.weight[:, None]
        outcomes = np.zeros((self.shape[0] * self.shape[1], resamples))
        if self._one_each:
            outcomes[self.cell] = weighted
        else:
            np.add.at(outcomes, self.cell, weighted)
        return outcomes.reshape(*self.shape, resamples)

    @cached_property
    def _one_each(self) -> bool:
        """Whether every cell has judgments of one weight only."""
        return int(np.bincount(self.cell, minlength=1).max()) <= 1

    def scaled(self, factor: FloatArray) -> "RowUnits":
        """Weigh single judgments."""
        return replace(self, weight=self.weight * factor[self.cell % self.shape[1]])

    def independent(self, first: IntArray, second: IntArray, size: int) -> FloatArray | float:
        """Go by the weights of the judgments."""
        pair = self.cell % self.shape[1]
        return per_weight(first[pair], second[pair], self.weight, self.times, size)

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients of single judgments."""
        pair, pairs = self.cell % self.shape[1], self.shape[1]
        scaled = [self.weight * residuals.ravel()[self.cell] for residuals, _ in terms]
        return np.block(
            [
                [
                    dense(
                        (_onto(left, pairs) * np.bincount(pair, self.times * one * two, pairs)) @ _onto(right, pairs).T
                    )
                    for two, (_, right) in zip(scaled, terms, strict=True)
                ]
                for one, (_, left) in zip(scaled, terms, strict=True)
            ]
        )


@dataclass(frozen=True)
class GroupedUnits:
    """Groups of judgments as units: one factor (items), or two crossed (items and judges, drawn independently)."""

    name: str
    factors: tuple[IntArray, ...]  # per group, its level of each factor
    levels: tuple[int, ...]
    counts: Any  # groups × cells
    shape: tuple[int, int]
    nested: IntArray | None = None  # the system that every level of the only factor belongs to

    summed_gradients = in_engine = False

    @classmethod
    def of(
        cls,
        columns: Sequence[Coded],
        names: Sequence[str],
        cell: IntArray,
        amount: FloatArray,
        shape: tuple[int, ...],
    ) -> Self:
        """Group distinct judgments by the combination of their units."""
        codes, levels = zip(*(column.compact for column in columns), strict=True)
        factors: tuple[IntArray, ...]
        if len(codes) == 1:
            group, factors = codes[0], (np.arange(levels[0]),)
        else:
            keys, group = np.unique(np.ravel_multi_index(codes, levels), return_inverse=True)
            factors = tuple(np.unravel_index(keys, levels))
        counts = matrix_of(amount, group.ravel(), cell, (len(factors[0]), shape[0] * shape[1]))
        return cls("+".join(names), factors, levels, counts, (shape[0], shape[1]))

    @cached_property
    def size(self) -> int:
        """Number of units; with two factors, of the scarcer one."""
        return min(self.levels)

    @cached_property
    def effective(self) -> float:
        """By the judgments that units have."""
        assert len(self.factors) == 1
        if self.nested is not None:
            return per_parent(self.nested)
        return kish(np.asarray(self.counts.sum(axis=1), dtype=np.float64).ravel())

    def appearances(self, statistic: Any) -> Any:
        """Count the judgments of units by the systems that are compared."""
        pairs = self.shape[1]
        met = sum(self.counts[:, side * pairs : (side + 1) * pairs] for side in range(3))
        return met @ abs(statistic.incidence).T

    @property
    def width(self) -> int:
        """Groups, levels and cells."""
        return len(self.factors[0]) + sum(self.levels) + self.shape[0] * self.shape[1]

    @cached_property
    def crossed(self) -> "tuple[GroupedUnits, GroupedUnits, GroupedUnits] | None":
        """The two factors, and their combinations."""
        if len(self.factors) == 1:
            return None
        one, two = (
            replace(
                self,
                name=name,
                factors=(np.arange(levels),),
                levels=(levels,),
                counts=add_up(self.counts, factor, levels),
            )
            for name, factor, levels in zip(self.name.split("+"), self.factors, self.levels, strict=True)
        )
        groups = len(self.factors[0])
        return one, two, replace(self, factors=(np.arange(groups),), levels=(groups,))

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw the levels of the only factor with replacement; two are drawn one by one (see `crossed`)."""
        assert len(self.factors) == 1
        drawn = np.empty((self.counts.shape[1], resamples))
        step = max(1, AT_ONCE // self.levels[0])
        for begin in range(0, resamples, step):
            number = min(step, resamples - begin)
            weights = (
                draw_weights(rng, self.levels[0], number)
                if self.nested is None
                else draw_nested(rng, self.nested, number)
            )
            drawn[:, begin : begin + step] = self.counts.T @ weights
        return drawn.reshape(*self.shape, resamples)

    def scaled(self, factor: FloatArray) -> "GroupedUnits":
        """Weigh what units say."""
        return replace(self, counts=self.counts * np.tile(factor, 3))

    def gradients(self, terms: Sequence[Term]) -> Any:
        """Return the gradients of groups (groups × parameters)."""
        pairs = self.shape[1]
        return side_by_side(
            [
                sum(self.counts[:, side * pairs : (side + 1) * pairs] * residuals[side] for side in range(3))
                @ _onto(incidence, pairs).T
                for residuals, incidence in terms
            ]
        )

    def independent(self, first: IntArray, second: IntArray, size: int) -> float:
        """Take the judgments of groups as they are."""
        del first, second, size
        return 1.0

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients of units."""
        return summed_squares(self.gradients(terms), self.factors, self.levels)


@dataclass(frozen=True)
class ScoredUnits:
    """Items on which all systems were scored: a dense table of wins (1, 0, −1; −2 not both scored)."""

    signs: NDArray[np.int8]

    name = "item"
    crossed = nested = None
    summed_gradients = in_engine = False

    @property
    def size(self) -> int:
        """Number of items."""
        return len(self.signs)

    @property
    def effective(self) -> float:
        """The number of items: all count alike."""
        return float(len(self.signs))

    def appearances(self, statistic: Any) -> FloatArray | None:
        """Return which items have scores of which systems, unless all have all."""
        there = self.signs != -2
        return None if there.all() else np.asarray(abs(statistic.incidence) @ there.T).T

    @property
    def width(self) -> int:
        """Items and cells."""
        return len(self.signs) + 3 * int(self.signs.shape[1])

    def resample(self, rng: np.random.Generator, resamples: int) -> FloatArray:
        """Draw items with replacement."""
        weights = draw_weights(rng, self.size, resamples).astype(np.float32)
        # float32 holds whole numbers up to 2**24 exactly, and no item count comes near that in one cell.
        sides = [(self.signs == sign).astype(np.float32).T @ weights for sign in (1, 0, -1)]
        return np.stack(sides).astype(float)

    def scaled(self, factor: FloatArray) -> "ScoredUnits":
        """Refuse: every pair of systems has the same items."""
        raise PlanError(
            "scores have no pairs that met more often than others", remedy=f"Leave out {spelling.option('reweight')}."
        )

    def independent(self, first: IntArray, second: IntArray, size: int) -> float:
        """Count the comparisons of an item with all others once."""
        del first, second
        return 1.0 / max(size - 1, 1)

    def meat(self, terms: Sequence[Term]) -> FloatArray:
        """Sum squared gradients of items."""
        return squares(self.gradients(terms), self.size)

    def gradients(self, terms: Sequence[Term]) -> FloatArray:
        """Return the gradients of items (items × parameters), in batches, because a row has every pair."""
        step = max(1, AT_ONCE * 8 // max(int(self.signs.shape[1]), 1))
        parts = np.split(self.signs, range(step, self.size, step))
        return np.concatenate([self._gradients(part, terms) for part in parts])

    def _gradients(self, signs: NDArray[np.int8], terms: Sequence[Term]) -> FloatArray:
        of_terms = [
            sum((signs == sign) * residuals[side] for side, sign in enumerate((1, 0, -1)))
            @ _onto(incidence, signs.shape[1]).T
            for residuals, incidence in terms
        ]
        return np.concatenate(of_terms, axis=1)


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

    def appearances(self, statistic: Any) -> Any:
        """Count the rows of units by the systems that they are about."""
        return statistic.appearances(self.factors[0], self.levels[0]) if self.factors else None

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


def _onto(incidence: Any, pairs: int) -> Any:
    """Return parameters × pairs: a parameter that all pairs share is a row of ones."""
    return np.ones((1, pairs)) if incidence is None else incidence


def one_by_one(units: Any) -> Any:
    """Return units one by one, for statistics that buckets cannot replace."""
    return units.exact if units.in_engine else units
