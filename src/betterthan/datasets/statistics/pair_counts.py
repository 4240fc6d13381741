"""Pair counts: wins of each side and ties for every pair of systems."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from betterthan.base import EvidenceError, FloatArray, IntArray, Memo, arrays, digest_of, scipy
from betterthan.datasets.statistics.sparse_matrices import matrix_of, positive
from betterthan.datasets.units.units import CellUnits, GroupedUnits, RowUnits, ScoredUnits
from betterthan.engine import Coded
from betterthan.evidence import LEFT, RIGHT, TIE, ScoreTable, Tally

if TYPE_CHECKING:
    from betterthan.datasets.statistics.score_matrix import RatingMatrix

#: Pairs that met less often keep their weight.
_OFTEN = 50.0


@dataclass(frozen=True)
class PairCounts:
    """Weighted outcomes of each pair (first < second) as three rows: first won, tied, second won.

    A list of the pairs that met serves ten systems as well as fifty thousand; models that want a dense matrix make one.
    """

    systems: tuple[str, ...]
    first: IntArray
    second: IntArray
    outcomes: FloatArray  # 3 × pairs
    units: CellUnits
    made: Memo = field(
        default_factory=Memo, init=False, repr=False, compare=False
    )  # statistics derived from these counts

    @staticmethod
    def of(tally: Tally, unit: tuple[str, ...] = ()) -> "PairCounts":
        """Add up a tally; `unit` names the unit of resampling (none: single judgments)."""
        tally = _in_fixed_order(tally if unit else _folded(tally), unit).sided()
        keys, pair = arrays.distinct_keys(tally.left * len(tally.systems) + tally.right, len(tally.systems) ** 2)
        cell = tally.outcome * len(keys) + pair
        amount = tally.weight * tally.times
        counts = np.bincount(cell, weights=amount, minlength=3 * len(keys)).astype(np.float64).reshape(3, len(keys))
        units: CellUnits
        if unit:
            units = GroupedUnits.of([tally.units[name] for name in unit], unit, cell, amount, counts.shape)
        else:
            units = RowUnits.of(cell, tally.weight, tally.times, counts.shape)
        if not np.all(np.isfinite(counts)) or not np.isfinite(np.sum(counts)):
            raise EvidenceError(
                "the weights add up to more than a number can hold. Divide all of them by a large number."
            )
        return PairCounts(tally.systems, keys // len(tally.systems), keys % len(tally.systems), counts, units)

    @cached_property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    @cached_property
    def incidence(self) -> Any:
        """Return systems × pairs: +1 for the first, −1 for the second of each pair."""
        pairs = np.arange(len(self.first))
        signs = np.concatenate([np.ones(len(pairs)), -np.ones(len(pairs))])
        systems = np.concatenate([self.first, self.second])
        return matrix_of(signs, systems, np.concatenate([pairs, pairs]), (self.size, len(pairs)))

    @cached_property
    def _sides(self) -> tuple[Any, Any]:
        return positive(self.incidence), positive(-self.incidence)

    def add_up(self, of_first: FloatArray, of_second: FloatArray) -> FloatArray:
        """Add up for every system what its pairs give to their first and second member (pairs × anything)."""
        first, second = self._sides
        total: FloatArray = first @ of_first + second @ of_second
        return total

    def per_system(self) -> FloatArray:
        """Return wins, ties and losses of every system (3 × systems)."""
        won, tied, lost = self.outcomes
        return np.stack([self.add_up(won, lost), self.add_up(tied, tied), self.add_up(lost, won)])

    def redrawn(self, rng: np.random.Generator) -> "PairCounts":
        """Return as many units, drawn from these with replacement."""
        return replace(self, outcomes=self.units.resample(rng, 1)[:, :, 0])

    def reweighted(self) -> "PairCounts":
        """Return the counts with judgments of pairs that met often weighing less: 1/max(number, 50) each.

        Then popular pairs do not decide about all others where no one model fits all pairs.
        """
        factor = 1.0 / np.maximum(self.outcomes.sum(axis=0), _OFTEN)
        factor /= factor.max()  # of no consequence, and kinder to solvers
        return replace(self, outcomes=self.outcomes * factor, units=self.units.scaled(factor))

    def some_units(self, amount: int, rng: np.random.Generator) -> "PairCounts":
        """Return that many of the units, drawn without replacement; two kinds of units are one too many."""
        from betterthan.datasets.statistics.subsample import some_of_cells  # noqa: PLC0415 (few ask for samples)

        outcomes, units = some_of_cells(self.units, amount, rng)
        return replace(self, outcomes=outcomes, units=units)

    @cached_property
    def groups(self) -> tuple[int, IntArray]:
        """The number of groups of systems that met, directly or through others, and each system's group."""
        met = abs(self.incidence) @ abs(self.incidence.T)
        number, label = scipy.sparse.csgraph.connected_components(met, directed=False)
        return int(number), label.astype(np.int64)

    def digest(self) -> str:
        """Return a short digest that no order of rows, sides or engines changes."""
        return digest_of(self.systems, self.first, self.second, np.round(self.outcomes, 9) + 0.0)


def _folded(tally: Tally) -> Tally:
    """Count equal judgments of weight 1 together where they are many more than the cells they can fall into."""
    size, cells = len(tally.systems), 3 * len(tally.systems) ** 2
    if len(tally.left) < 4 * cells or cells > 50_000_000 or not np.all(tally.weight == 1.0):
        return tally
    key = (tally.left * size + tally.right) * 3 + tally.outcome
    times = np.bincount(key, weights=None if np.all(tally.times == 1.0) else tally.times, minlength=cells).astype(float)
    kept = np.flatnonzero(times)
    pair, outcome = np.divmod(kept, 3)
    left, right = np.divmod(pair, size)
    return replace(
        tally, left=left, right=right, outcome=outcome, weight=np.ones(len(kept)), times=times[kept], units={}
    )


def _in_fixed_order(tally: Tally, unit: tuple[str, ...]) -> Tally:
    """Sort judgments with fractional weights: engines return rows in any order, and sums feel it in the last digit."""
    if np.all(tally.weight == np.round(tally.weight)) and np.all(tally.times == np.round(tally.times)):
        return tally
    return replace(tally, units={name: tally.units[name] for name in unit}).in_fixed_order()


def count_scores(
    table: ScoreTable, tolerance: float = 0.0, groups: Coded | None = None, ratings: "RatingMatrix | None" = None
) -> PairCounts:
    """Compare all pairs of systems on every item: it is the unit, or its group, or it and its judges."""
    signs, first, second = table.signs(tolerance)
    met = np.any(signs != -2, axis=0)
    signs = signs[:, met]
    if signs.shape[1] == 0:
        raise EvidenceError(
            f"{table.title or 'the scores'}: no two systems were scored on the same item. Check the items."
        )
    outcomes = np.stack([np.sum(signs == sign, axis=0, dtype=np.float64) for sign in (1, 0, -1)])
    units: CellUnits = ScoredUnits(signs) if groups is None else _grouped(signs, groups)
    if ratings is not None:
        from betterthan.datasets.units.rated_units import RatedUnits  # noqa: PLC0415 (only for several judges)

        units = RatedUnits.of(ratings, ScoredUnits(signs), (first[met], second[met]), tolerance)
    return PairCounts(table.systems, first[met], second[met], outcomes, units)


def _grouped(signs: NDArray[np.int8], groups: Coded) -> GroupedUnits:
    """Keep comparisons apart by the group of their item."""
    item, pair = np.nonzero(signs != -2)
    cell = np.array([1, 0, 2])[signs[item, pair]] * signs.shape[1] + pair  # 1 won: 0, 0 tied: 1, −1 lost: 2
    return GroupedUnits.of([groups.take(item)], ("group",), cell, np.ones(len(cell)), (3, signs.shape[1]))


def totals(outcomes: NDArray[Any]) -> tuple[float, float]:
    """Return decided and tied judgments."""
    return float(outcomes[LEFT].sum() + outcomes[RIGHT].sum()), float(outcomes[TIE].sum())
