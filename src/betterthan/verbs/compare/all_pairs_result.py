"""The result of `compare_all`: differences or win probabilities of all pairs, with corrected tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, spelling
from betterthan.findings import counted
from betterthan.inference import Test
from betterthan.options import JOINT, UNIT_WORDS, ComparePairsOptions
from betterthan.present import Column, Table, chance, in_blocks, wrapped
from betterthan.results import Result
from betterthan.verbs.compare.comparison_plots import AllPairsPlots

_MOST_SHOWN = 12
_OMNIBUS = {"friedman": "Friedman test", "quade": "Quade test", "cochran": "Cochran's Q"}
_TESTS = {
    "t": "paired t-test",
    "mood": "Mood's median test",
    "sign": "sign test",
    "randomisation": "randomisation test",
    "delong": "DeLong's test",
    "anytime": "anytime-valid test",
}


@dataclass(frozen=True)
class Pair:
    """Two systems: the model's estimate, their own record and share (ties half), and the p-value.

    `net` is the mean of 1 for a win, 0 for a tie and −1 for a loss (Vilar et al. 2007). Its standard error `net_se`
    takes comparisons as independent. None where they never met.
    """

    a: str
    b: str
    value: float | None
    won: float
    tied: float
    lost: float
    share: float | None
    net: float | None
    net_se: float | None
    p: float | None
    p_adjusted: float | None


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class AllPairs(Result):
    """Systems from best to worst by a model; row against column: `values`, `p` and corrected `p_adjusted`.

    Values are differences for mean and median, expected scores for models that have chances (`expected`). `record`
    (won, tied, lost) and `share` are each pair's own; `differs` marks pairs whose own share the model contradicts.
    `ranks` are average ranks over complete items or rankings; two systems differ significantly if they are further
    apart than `critical_difference` (Nemenyi).

    >>> import betterthan as bt
    >>> pairs = bt.compare_all({"owl": [3, 5, 4, 6.5], "yak": [2, 1, 4, 3], "elk": [0, 1, 2, 1]}, model="mean")
    >>> pairs.systems, float(pairs.values[0, 1])
    (('owl', 'yak', 'elk'), 2.125)
    """

    verb: ClassVar[str] = "compare-all"
    schema: ClassVar[str] = "pairs/2"
    holds = (
        "model",
        "test",
        "correction",
        "level",
        "unit",
        "systems",
        "pairs",
        "omnibus",
        ("average_ranks", "ranks"),
        "critical_difference",
    )

    settings: ComparePairsOptions
    test: str
    expected: bool
    systems: tuple[str, ...]
    values: FloatArray
    record: FloatArray
    share: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    sign: IntArray  # of the difference that was tested: row above column 1, below −1
    differs: BoolArray | None
    omnibus: tuple[Test, ...]
    ranks: dict[str, float] | None
    critical_difference: float | None
    scope: str = ""  # what decisions hold for: the units that are a sample of others

    @property
    def model(self) -> str:
        """The model with its options."""
        return self.settings.model or ""

    @property
    def correction(self) -> str:
        """How p is corrected for the number of pairs."""
        return self.settings.correction or ""

    @property
    def level(self) -> float:
        """The level of the tests."""
        return self.settings.level

    @property
    def unit(self) -> str | None:
        """The unit of dependence."""
        return self.settings.unit

    @property
    def plot(self) -> AllPairsPlots:
        """Pictures: `plot.matrix()`, and of scores and rankings `plot.critical_difference()`."""
        return AllPairsPlots(self)

    @property
    def tested(self) -> str:
        """How pairs were tested: the test, the unit of dependence, the correction and the level."""
        unit = UNIT_WORDS.get(self.settings.unit or "", self.settings.unit)
        return f"{self._test} by {unit}, {self.corrected}, {100 * (1 - self.level):.3g} % level"

    @property
    def compared(self) -> str:
        """How pairs were tested, without the unit and the level."""
        return f"{self._test}, {self.corrected}"

    @property
    def _test(self) -> str:
        return self.model if self.test == "model" else f"each pair's own {self.test_name}"

    @property
    def test_name(self) -> str:
        """The name of the test; of decisions by a leaderboard, its model."""
        return _TESTS.get(self.test, self.model)

    @property
    def corrected(self) -> str:
        """How p-values are corrected for the number of pairs, in a few words."""
        words = {JOINT: "corrected for all pairs jointly", "none": "not corrected"}
        return words.get(self.correction, f"{self.correction.title()}-corrected")

    @property
    def contradiction(self) -> str | None:
        """Which pairs' own shares the model contradicts, in one sentence; None where it fits."""
        if self.differs is None or not np.any(self.differs):
            return None
        found = [(a, b) for a, b in zip(*np.nonzero(np.triu(self.differs, 1)), strict=True)]
        shown = ", ".join(f"{self.systems[a]}–{self.systems[b]}" for a, b in found[:5])
        rest = f" and {len(found) - 5} more" if len(found) > 5 else ""
        return (
            f"The model does not fit {len(found):,} of the pairs: {shown}{rest}. Their own records show something "
            f"else: look at them with {spelling.option('by', 'pair')}."
        )

    def indistinct(self, order: Sequence[str]) -> list[tuple[int, int]]:
        """Return first and last places of the largest runs of systems, in an order, without a significant pair.

        Parameters
        ----------
        order : list of str
            Systems, such as by their average ranks.

        Returns
        -------
        list of tuple of int
            Places in that order, two systems or more each.
        """
        place = [self.systems.index(system) for system in order]
        differ = self.significant[np.ix_(place, place)]
        runs: list[tuple[int, int]] = []
        for first in range(len(order)):
            last = first
            while last + 1 < len(order) and not np.any(differ[last + 1, first : last + 1]):
                last += 1
            if last > first and (not runs or last > runs[-1][1]):
                runs.append((first, last))
        return runs

    @property
    def significant(self) -> BoolArray:
        """Whether two systems differ significantly by the corrected test."""
        return self.p_adjusted <= 1 - self.level

    @property
    def better(self) -> BoolArray:
        """Whether the row's system is significantly better than the column's."""
        return self.significant & (self.sign > 0)

    def separated(self) -> int:
        """Count the pairs that differ significantly by the corrected test."""
        return int(np.sum(np.triu(self.significant, 1)))

    def figures(self) -> dict[tuple[str, str], float | None]:
        """Return every pair's own share and the model's value, with the first of the alphabet first."""
        found: dict[tuple[str, str], float | None] = {}
        names = sorted(self.systems)
        for place, one in enumerate(names):
            for two in names[place + 1 :]:
                cell = self.systems.index(one), self.systems.index(two)
                for figure, values in (
                    ("share", self.share),
                    ("expected share" if self.expected else "difference", self.values),
                ):
                    value = float(values[cell])
                    found[figure, f"{one} against {two}"] = None if np.isnan(value) else value
        return found

    def columns(self) -> dict[str, list[Any]]:
        """Return one row per pair, the better system first."""
        first, second = np.triu_indices(len(self.systems), 1)
        return {
            "a": [self.systems[place] for place in first],
            "b": [self.systems[place] for place in second],
            "value": _plain(self.values[first, second]),
            **{name: self.record[place, first, second].tolist() for place, name in enumerate(("won", "tied", "lost"))},
            "share": _plain(self.share[first, second]),
            **{
                name: _plain(each)
                for name, each in zip(("net", "net_se"), _net(*self.record[:, first, second]), strict=True)
            },
            "p": _plain(self.p[first, second]),
            "p_adjusted": _plain(self.p_adjusted[first, second]),
        }

    @property
    def pairs(self) -> list[Pair]:
        """Every pair, the better system first."""
        return [Pair(*row) for row in zip(*self.columns().values(), strict=True)]

    def table(self, most: int | None = None) -> Table:
        """Return the matrix, of the best systems or of all, as a finished table; a star marks significant pairs.

        Where the model expects shares, each pair's own share is above the diagonal and the expected one below it.

        Parameters
        ----------
        most : int, optional
            Number of systems to show, the best first; by default all.

        Returns
        -------
        Table
            The matrix.
        """
        systems = self.systems[:most]
        columns = [Column("", "left", flexible=True), *(Column(name) for name in systems)]
        rows = [
            [name, *("" if row == column else self._cell(row, column) for column in range(len(systems)))]
            for row, name in enumerate(systems)
        ]
        return Table(columns, rows)

    def _cell(self, row: int, column: int) -> str:
        values, significant = self.shown()
        if np.isnan(values[row, column]):
            return "–"
        shown = f"{values[row, column]:.2f}" if self.shares else f"{values[row, column]:.3g}"
        return f"{shown}{'*' if significant[row, column] else ''}"

    @property
    def halves(self) -> str:
        """A sentence on the meaning of the matrix cells."""
        if self.expected:
            return f"Above the diagonal: each pair's own share (ties half); below: expected by {self.model}."
        if self.shares:
            return "Each pair's own share (ties half)."
        return f"Differences of row against column, by {self.model}."

    def shown(self) -> tuple[FloatArray, BoolArray]:
        """Return the cells of the matrix, and which cells differ significantly."""
        above = np.triu(np.ones_like(self.significant), 1)
        return np.where(above & self.expected, self.share, self.values), self.significant

    @property
    def shares(self) -> bool:
        """Whether the cells are shares of wins or expected scores, rather than differences."""
        return self.expected or self.test == "sign"

    def tables(self) -> list[Table]:
        """Return the matrix."""
        return [self.table()]

    @property
    def verdict(self) -> str:
        """How many pairs differ significantly, and by which test."""
        pairs = len(self.systems) * (len(self.systems) - 1) // 2
        return f"{self.separated():,} of {counted(pairs, 'pair')} differ significantly {self.scope} ({self.tested})."

    def body(self, width: int | None) -> list[str]:
        """Return the matrix, in blocks where it is wide, and omnibus tests."""
        return [*self.matrix_lines(width), *self.omnibus_lines(width)]

    def matrix_lines(self, width: int | None) -> list[str]:
        """Return the matrix of the best systems, and how to read it.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.
        """
        systems = len(self.systems)
        parts = [
            in_blocks(self.table(_MOST_SHOWN), width),
            "",
            wrapped(f"{self.halves} * marks a significant pair.", width),
        ]
        if systems > _MOST_SHOWN:
            cut = f"{_MOST_SHOWN} of {systems:,} systems are shown, the best ones. CSV and JSON have all pairs."
            parts.append(wrapped(cut, width))
        if (sentence := self.contradiction) is not None:
            parts.append(wrapped(sentence, width))
        return parts

    def omnibus_lines(self, width: int | None) -> list[str]:
        """Return tests of all systems at once, and average ranks; nothing where items or rankings are incomplete.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.
        """
        systems = len(self.systems)
        parts = [
            wrapped(
                f"{_OMNIBUS.get(test.name, test.name)}: {test.statistic or 0:.4g}, p = {chance(test.p)} ({test.note}).",
                width,
            )
            for test in self.omnibus
        ]
        if self.ranks and self.critical_difference is not None:
            ranks = ", ".join(f"{name} {self.ranks[name]:.2f}" for name in self.systems[:_MOST_SHOWN])
            rest = f" and {systems - _MOST_SHOWN:,} more" if systems > _MOST_SHOWN else ""
            found = f"Average ranks (Nemenyi's critical difference {self.critical_difference:.2f}): {ranks}{rest}."
            parts.append(wrapped(found, width))
        return parts

    def brief(self, width: int | None) -> str:
        """Return the whole matrix."""
        return in_blocks(self.table(), width)


def _net(won: FloatArray, tied: FloatArray, lost: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return wins less losses per comparison, and its standard error; NaN where there are too few comparisons."""
    number = won + tied + lost
    with np.errstate(divide="ignore", invalid="ignore"):
        net = (won - lost) / number
        error = np.sqrt(np.maximum((won + lost) / number - net**2, 0.0) / (number - 1))
    return net, np.where(number > 1, error, np.nan)


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
