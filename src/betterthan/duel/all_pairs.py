"""Every pair of systems at once: differences or chances, and their tests, corrected for how many there are."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.duel.plots import AllPairsPlots
from betterthan.infer.paired import Test
from betterthan.options.compare import ComparePairsOptions
from betterthan.present.table import Column, Table, wrapped
from betterthan.results.result import Result

_MOST_SHOWN = 12


@dataclass(frozen=True)
class Pair:
    """Two systems: a difference or a chance to win, and the test's p; None where they never met."""

    a: str
    b: str
    value: float | None
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AllPairs(Result):
    """Systems from best to worst by a model; row against column: `values`, `p` and corrected `p_adjusted`.

    Values are differences for mean and median, chances to win for models that have them. `ranks` are average ranks over
    complete instances, told apart where they differ by more than `critical_difference` (Nemenyi).

    >>> import betterthan as bt
    >>> pairs = bt.compare_all({"owl": [3, 5, 4, 6.5], "yak": [2, 1, 4, 3], "elk": [0, 1, 2, 1]}, model="mean")
    >>> pairs.systems, float(pairs.values[0, 1])
    (('owl', 'yak', 'elk'), 2.125)
    """

    verb: ClassVar[str] = "compare-all"
    schema: ClassVar[str] = "pairs/1"
    holds = (
        "model", "test", "correction", "level", "systems", "pairs", "omnibus", ("average_ranks", "ranks"),
        "critical_difference",
    )  # fmt: skip

    settings: ComparePairsOptions
    test: str
    systems: tuple[str, ...]
    values: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    omnibus: tuple[Test, ...]
    ranks: dict[str, float] | None
    critical_difference: float | None

    @property
    def model(self) -> str:
        """The model with its options."""
        return self.settings.model

    @property
    def correction(self) -> str:
        """How p is corrected for the number of pairs."""
        return self.settings.correction

    @property
    def level(self) -> float:
        """The level of the tests."""
        return self.settings.level

    @property
    def plot(self) -> AllPairsPlots:
        """Pictures: `plot.matrix()`, and of scores `plot.critical_difference()`."""
        return AllPairsPlots(self)

    def separated(self) -> int:
        """Count the pairs that the corrected test tells apart."""
        upper = np.triu_indices(len(self.systems), 1)
        return int(np.sum(self.p_adjusted[upper] <= 1 - self.level))

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per pair, the better system first."""
        first, second = np.triu_indices(len(self.systems), 1)
        return {
            "a": [self.systems[place] for place in first],
            "b": [self.systems[place] for place in second],
            "value": _plain(self.values[first, second]),
            "p": _plain(self.p[first, second]),
            "p_adjusted": _plain(self.p_adjusted[first, second]),
        }

    @property
    def pairs(self) -> list[Pair]:
        """Every pair, the better system first."""
        return [Pair(*row) for row in zip(*self.columns().values(), strict=True)]

    def table(self) -> Table:
        """Return the matrix as a finished table; a star marks pairs that are told apart."""
        columns = [Column("", "left", flexible=True), *(Column(name) for name in self.systems)]
        rows = [
            [name, *("" if row == column else self._cell(row, column) for column in range(len(self.systems)))]
            for row, name in enumerate(self.systems)
        ]
        return Table(columns, rows)

    def _cell(self, row: int, column: int) -> str:
        if np.isnan(self.values[row, column]):
            return "–"
        return f"{self.values[row, column]:.3g}{'*' if self.p_adjusted[row, column] <= 1 - self.level else ''}"

    def tables(self) -> list[Table]:
        """Return the matrix."""
        return [self.table()]

    def to_text(self, width: int | None = None) -> str:
        """Return what the terminal shows: the matrix where it is small, how much it tells apart, omnibus tests."""
        pairs = len(self.systems) * (len(self.systems) - 1) // 2
        parts = [self.table().to_text(width), ""] if len(self.systems) <= _MOST_SHOWN else []
        how = f"by the {self.test} test at {1 - self.level:.3g}, corrected by {self.correction}"
        parts.append(wrapped(f"{self.separated():,} of {pairs:,} pairs are told apart (*) {how}.", width))
        if not parts[:-1]:
            parts.append("The CSV and JSON output hold all pairs.")
        parts += [
            wrapped(f"{test.name}: {test.statistic or 0:.4g}, p = {test.p:.3g} ({test.note})", width)
            for test in self.omnibus
        ]
        if self.ranks and self.critical_difference is not None:
            ranks = ", ".join(f"{name} {self.ranks[name]:.2f}" for name in self.systems[:_MOST_SHOWN])
            parts.append(wrapped(f"Average ranks (critical difference {self.critical_difference:.2f}): {ranks}", width))
        return "\n".join([*parts, *self.closing(width)])


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
