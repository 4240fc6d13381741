"""The overview of several leaderboards: systems × metrics, with the best value of every column."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Literal

from betterthan.present import Column, Holds, Table
from betterthan.verbs.rank.board_columns import BoardRow
from betterthan.verbs.rank.leaderboard import Leaderboard
from betterthan.verbs.rank.overall_rule import OverallRule, in_own_unit, one_per_title

#: Before the best value of a column where nothing can be bold, and after one that is not significantly worse.
_BEST, _MARK = "▸", "*"


@dataclass(frozen=True)
class OverviewColumn:
    """One leaderboard: its name, metric and data set where known, direction, and the model of its values."""

    name: str
    metric: str | None
    dataset: str | None
    direction: Literal["more", "less"]
    model: str


@dataclass(frozen=True)
class OverviewCell:
    """A system's value on one leaderboard, with its interval and rank.

    `best` marks the first rank, `may_be_best` that the evidence leaves it open (None without intervals).
    """

    value: float | None
    low: float | None
    high: float | None
    rank: int | None
    best: bool
    may_be_best: bool | None

    @property
    def near_best(self) -> bool:
        """Whether the value is not the best, but not significantly worse either."""
        return bool(self.may_be_best) and not self.best

    @classmethod
    def of(cls, board: Leaderboard, row: BoardRow) -> "OverviewCell":
        """Take what a leaderboard says about a system."""
        may = board.may_be_best(row)
        return cls(row.score, row.low, row.high, row.rank, row.rank == 1 and row.score is not None, may)


@dataclass(frozen=True)
class Overview:
    """Systems × leaderboards, best overall first; systems that lack a leaderboard come last.

    `overall` is the mean value where leaderboards share a range and a unit, else the mean rank, as `overall_is` says.
    It is None for a system that lacks a leaderboard: a mean over fewer is not comparable. Without a rule there is none.
    """

    holds: ClassVar[Holds] = ("systems", "columns", "cells", "overall_is", "overall")

    boards: tuple[Leaderboard, ...]
    systems: tuple[str, ...]
    columns: tuple[OverviewColumn, ...]
    cells: tuple[tuple[OverviewCell | None, ...], ...]
    overall_is: Literal["mean", "mean rank"] | None
    overall: tuple[float | None, ...]
    rule: OverallRule | None = None

    @classmethod
    def of(cls, boards: Sequence[Leaderboard], rule: OverallRule | None) -> "Overview":
        """Make an overview of leaderboards; of several with one title, the first in the unit of the metric counts."""
        shown = one_per_title(boards)
        found = [{row.system: OverviewCell.of(board, row) for row in board} for board in shown]
        cells = {row.system: tuple(rows.get(row.system) for rows in found) for board in shown for row in board}
        by_value = rule is not None and rule.kind == "mean"
        lower = by_value and shown[0].fit.lower_is_better
        weights = (1.0,) * len(shown) if rule is None else rule.weights
        mean = {system: _mean(row, weights, by_value=by_value) for system, row in cells.items()}
        partial = {system: _mean(row, weights, by_value=False, whole=False) for system, row in cells.items()}

        def order(system: str) -> tuple[bool, float, str]:
            value = mean[system]
            if value is None:
                rank = partial[system]
                return True, inf if rank is None else rank, system
            return False, -value if by_value and not lower else value, system

        systems = tuple(sorted(cells, key=order))
        return cls(
            boards=tuple(shown),
            systems=systems,
            columns=tuple(_column(board) for board in shown),
            cells=tuple(cells[system] for system in systems),
            overall_is=None if rule is None else rule.kind,
            overall=tuple(None if rule is None else mean[system] for system in systems),
            rule=rule,
        )

    def table(self, title: str = "", *, plain: bool = False) -> Table:
        """Return the overview as a finished table of text.

        Parameters
        ----------
        title : str, optional
            Title of the table.
        plain : bool, default False
            Whether the best values have a mark of their own, because nothing can be bold.

        Returns
        -------
        Table
            The table.
        """
        heads = [Column("system", "left", flexible=True), *(Column(column.name) for column in self.columns)]
        rows = [
            [
                system,
                *(self._text(place, cell, plain=plain) for place, cell in enumerate(row)),
                *([] if self.rule is None else [self.shown(number)]),
            ]
            for number, (system, row) in enumerate(zip(self.systems, self.cells, strict=True))
        ]
        best = frozenset(
            (number, place)
            for number, row in enumerate(self.cells)
            for place, cell in enumerate(row, start=1)
            if cell is not None and cell.best
        )
        last = [] if self.rule is None else [Column(self.rule.kind)]
        return Table([*heads, *last], rows, title=title, strong=frozenset() if plain else best)

    def legend(self, *, plain: bool = False) -> str:
        """Return the meaning of the marks, what the last column holds for, and the columns in which less is better.

        Parameters
        ----------
        plain : bool, default False
            Whether the best values have a mark of their own, because nothing can be bold.

        Returns
        -------
        str
            One or more sentences.
        """
        sentences = [f"{_BEST if plain else 'Bold:'} best value of its column."]
        drawn = [board for board in self.boards if board.draws is not None]
        if drawn:
            level = f"{100 * drawn[0].settings.level:g} %"
            sentences.append(f"{_MARK} may be the best as well ({level} confidence).")
        if self.rule is not None:
            counting = "" if self.rule.average == "macro" else f", {self.rule.words}"
            sentences.append(f"The {self.rule.kind} is over these {len(self.columns)} leaderboards{counting}.")
        lower = [column.name for column in self.columns if column.direction == "less"]
        if lower:
            sentences.append(f"Less is better: {', '.join(lower)}.")
        models = {column.model for column in self.columns if not in_own_unit(self.boards[self.columns.index(column)])}
        if models:
            sentences.append(f"Values are scores by {', '.join(sorted(models))}.")
        return " ".join(sentences)

    def shown(self, place: int) -> str:
        """Return the overall value of a system as text, empty where it has none.

        Parameters
        ----------
        place : int
            Place of the system in the overview.

        Returns
        -------
        str
            The mean, or the mean rank.
        """
        value = self.overall[place]
        if value is None:
            return ""
        if self.overall_is == "mean rank":
            return f"{value:.1f}"
        digits = max(len(board.shown(0.0).partition(".")[2]) for board in self.boards)
        return f"{value:z.{digits}f}"

    def _text(self, place: int, cell: OverviewCell | None, *, plain: bool) -> str:
        """Return a cell as text; plain ones have a blank where others of their column have a mark."""
        if cell is None:
            return ""
        column = [row[place] for row in self.cells]
        aligned = plain and any(each is not None and each.near_best for each in column)
        after = _MARK if cell.near_best else " " if aligned else ""
        return f"{_BEST if plain and cell.best else ''}{self.boards[place].shown(cell.value)}{after}"


def _column(board: Leaderboard) -> OverviewColumn:
    dataset, metric = board.named
    direction: Literal["more", "less"] = "less" if board.fit.lower_is_better else "more"
    return OverviewColumn(board.title, metric or None, dataset or None, direction, board.mechanism)


def _mean(
    cells: Sequence[OverviewCell | None], weights: Sequence[float], *, by_value: bool, whole: bool = True
) -> float | None:
    """Return the weighted mean value or rank, None where one is missing; without `whole` over those that there are."""
    counted = [(cell, weight) for cell, weight in zip(cells, weights, strict=True) if weight > 0]
    found = [(None if cell is None else cell.value if by_value else cell.rank, weight) for cell, weight in counted]
    known = [(value, weight) for value, weight in found if value is not None]
    if not known or (whole and len(known) < len(found)):
        return None
    return sum(value * weight for value, weight in known) / sum(weight for _, weight in known)
