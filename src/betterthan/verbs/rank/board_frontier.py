"""Scores against costs, as they are shown: which systems no cheaper one matches, and which is as good for less."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.findings import counted
from betterthan.present import Column, Holds, Table, chance, wrapped


@dataclass(frozen=True)
class FrontierRow:
    """One system: its cost, and whether it is on the frontier.

    It is on the frontier where no other system costs at most as much and scores at least as well, apart from one with
    the same cost and score. `significant` says whether the board's decisions show what `on_frontier` says.
    `probability` is the share of draws in which it is on the frontier. `dominated_by` has the systems of the frontier
    that dominate it, best first. All of them are None or empty for a system without a cost or a rank.
    """

    system: str
    cost: float | None
    score: float | None
    on_frontier: bool | None
    significant: bool | None
    probability: float | None
    dominated_by: tuple[str, ...]


@dataclass(frozen=True)
class CheaperSystem:
    """A system that costs less than the best one.

    `cheaper` is by which share, and `difference` its score less that of the best system, in the direction in which
    more is better. `low` is the least that the difference may be, None where the evidence does not say. `shown` says
    whether that is above −`within`.
    """

    system: str
    cheaper: float
    difference: float
    low: float | None
    shown: bool


@dataclass(frozen=True)
class SameQuality:
    """The cheapest system that is shown to score at most `within` less than the best one.

    Lower ends hold at the `level`, one-sided, for all cheaper systems together. `system` is None where none is shown.
    Without a cost of the best system there are no candidates.
    """

    best: str
    cost: float | None
    within: float
    level: float
    system: str | None
    cheaper: float | None
    candidates: tuple[CheaperSystem, ...]


@dataclass(frozen=True)
class Frontier:
    """Systems by their costs, cheapest first, and the cheapest one that is as good as the best."""

    holds: ClassVar[Holds] = ("rows", "same_quality", "unknown")

    rows: tuple[FrontierRow, ...]
    same_quality: SameQuality | None
    unknown: tuple[str, ...]  # names with a cost that are not on the board
    score: str = "score"
    digits: int = 3
    level: float = 0.95

    @property
    def of(self) -> tuple[str, ...]:
        """The systems on the frontier, cheapest first."""
        return tuple(row.system for row in self.rows if row.on_frontier)

    def table(self, title: str = "") -> Table:
        """Return the systems that have a cost and a rank as a table, cheapest first.

        Parameters
        ----------
        title : str, optional
            Title of the table.

        Returns
        -------
        Table
            The table.
        """
        drawn = any(row.probability is not None for row in self.rows)
        tested = any(row.significant is not None for row in self.rows)
        headings = [
            Column("system", "left", flexible=True),
            Column("cost"),
            Column(self.score),
            Column("frontier", "left"),
            *([Column("significant", "left")] if tested else []),
            *([Column("probability")] if drawn else []),
            Column("dominated by", "left", flexible=True),
        ]
        cells = [
            [
                row.system,
                amount(row.cost),
                f"{row.score:z.{self.digits}f}",
                _word(row.on_frontier),
                *([_word(row.significant)] if tested else []),
                *([_share(row.probability)] if drawn else []),
                _listed(row.dominated_by, most=2),
            ]
            for row in self.rows
            if row.cost is not None and row.score is not None
        ]
        return Table(headings, cells, frozenset(), title)

    def lines(self, width: int | None) -> list[str]:
        """Return the table and what it says as lines of text.

        Parameters
        ----------
        width : int or None
            Width in characters; None does not wrap lines.

        Returns
        -------
        list of str
            The lines.
        """
        return ["", self.table().to_text(width), "", wrapped(" ".join(self.sentences), width), ""]

    @property
    def sentences(self) -> list[str]:
        """What the table says, which cheaper system is as good as the best, and what is left out."""
        on = self.of
        said = [f"Cost frontier: {_listed(on)}. {self._rest(len(on))}"]
        if any(row.significant is not None for row in self.rows):
            said.append(
                f"Significant: shown by the board's decisions ({100 * self.level:g} % family-wise confidence). "
                "Probability: share of draws in which a system is on the frontier."
            )
        elif any(row.probability is not None for row in self.rows):
            said.append("Probability: share of draws in which a system is on the frontier.")
        if self.same_quality is not None:
            said.append(self._same(self.same_quality))
        if lacking := [row.system for row in self.rows if row.cost is None]:
            said.append(f"Without a cost, and left out: {_listed(lacking)}.")
        if unplaced := [row.system for row in self.rows if row.cost is not None and row.score is None]:
            said.append(f"Without a rank, and left out: {_listed(unplaced)}.")
        if self.unknown:
            said.append(f"With a cost, and not on the board: {_listed(self.unknown)}.")
        return said

    def _rest(self, on: int) -> str:
        placed = sum(row.on_frontier is not None for row in self.rows)
        if placed == on:
            return "Each system that costs more scores better."
        others = "Of the other system" if placed - on == 1 else f"Of each of the other {placed - on} systems"
        return f"{others}, the score is no better than that of one that costs no more."

    def _same(self, found: SameQuality) -> str:
        within, number = f"{found.within:g}", len(found.candidates)
        if found.cost is None:
            return f"{found.best}, the best system, has no cost, so no cheaper one is compared with it."
        if not number:
            return f"No system is cheaper than {found.best}, the best one."
        all_of = "both" if number == 2 else f"all {number}"
        many = "" if number == 1 else f", for {all_of} cheaper systems together"
        how = f"{100 * found.level:g} % confidence{many}"
        if found.system is not None:
            one = next(each for each in found.candidates if each.system == found.system)
            return (
                f"{one.system} scores within {within} of {found.best}, the best one, and costs "
                f"{_percent(one.cheaper)} less: its difference is {self._signed(one.difference)}, and at least "
                f"{self._signed(one.low)} ({how})."
            )
        none = f"No cheaper system is shown to score within {within} of {found.best}, the best one."
        known = [each for each in found.candidates if each.low is not None]
        if not known:
            return none
        one = max(known, key=lambda each: (each.low or 0.0, each.difference))
        return (
            f"{none} {one.system} comes closest: its difference is {self._signed(one.difference)}, and may be "
            f"{self._signed(one.low)} ({how})."
        )

    def _signed(self, value: float | None) -> str:
        return "" if value is None else f"{value:+z.{self.digits}f}"


def amount(cost: float | None) -> str:
    """Return a cost as text."""
    return "" if cost is None else f"{cost:,.6g}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share > 0.99 else f"{100 * share:.0f} %"


def _share(probability: float | None) -> str:
    return "" if probability is None else chance(probability)


def _word(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _listed(names: Sequence[str], most: int = 6) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {counted(len(names) - most, 'other')}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
