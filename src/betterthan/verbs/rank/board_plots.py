"""Pictures of leaderboards: finished numbers for the pictures that draw them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from betterthan.base import BetterthanError, spelling
from betterthan.present import Picture, pictures
from betterthan.uncertainty import scales

if TYPE_CHECKING:
    from betterthan.verbs.rank.leaderboard import Leaderboard
    from betterthan.verbs.rank.leaderboards import Leaderboards


@dataclass(frozen=True, repr=False)
class BoardPlots:
    """Pictures of one leaderboard."""

    board: "Leaderboard"

    def leaderboard(self, *, title: str = "") -> Picture:
        """Draw scores with intervals, and lines between clusters."""
        columns, settings = self.board.columns(), self.board.settings
        name = scales.TITLES.get(self.board.score_name, self.board.score_name)
        return pictures.leaderboard.draw(
            **{field: columns[field] for field in ("system", "score", "low", "high", "cluster")},
            name=f"{name} (less is better)" if self.board.fit.lower_is_better else name,
            level=None if self.board.draws is None else settings.level,
            title=title,
        )

    def frontier(self, *, title: str = "") -> Picture:
        """Draw scores against costs, and the frontier as a step line."""
        if self.board.frontier is None:
            raise BetterthanError(
                "this leaderboard has no costs to draw", remedy=f"Rank with {spelling.option('cost')} FILE."
            )
        rows = [row for row in self.board.frontier.rows if row.on_frontier is not None]
        on_board = [self.board[row.system] for row in rows]
        return pictures.frontier.draw(
            system=[row.system for row in rows],
            cost=[row.cost or 0.0 for row in rows],
            score=[row.score or 0.0 for row in rows],
            low=[row.low for row in on_board],
            high=[row.high for row in on_board],
            on_frontier=[bool(row.on_frontier) for row in rows],
            name=self.board.score_title,
            level=None if self.board.draws is None else self.board.settings.level,
            lower_is_better=self.board.fit.lower_is_better,
            title=title,
        )

    def ranks(self, *, title: str = "") -> Picture:
        """Draw the ranks that every system had in resamples, and lines between clusters."""
        label = f"{100 * self.board.settings.level:g} % range"
        return pictures.ranks.draw(**rank_numbers(self.board), label=label, title=title)


@dataclass(frozen=True, repr=False)
class BoardsPlots:
    """Pictures that compare several models."""

    boards: "Leaderboards"

    def bump(self, *, data_set: str | None = None, title: str = "") -> Picture:
        """Draw every system's places under all models; `data_set` chooses one of several by its title."""
        self._need_models()
        boards = [board for board in self.boards if board.title == self._one(data_set)]
        lines = [
            (board.mechanism, row.system, row.rank, place)
            for board in boards
            for place, row in enumerate(board, start=1)
            if row.rank is not None
        ]
        model, system, rank, place = (list(column) for column in zip(*lines, strict=True))
        return pictures.bump.draw(
            models=self.boards.models,
            systems=[row.system for row in boards[0]],
            model=model,
            system=system,
            rank=rank,
            place=place,
            title=title,
        )

    def agreement(self, *, data_set: str | None = None, title: str = "") -> Picture:
        """Draw Kendall's tau of any two models: on one data set, or the mean over all of them."""
        self._need_models()
        models = self.boards.models
        kept = [
            each for each in self.boards.disagreement if data_set is None or each.title == (self._one(data_set) or None)
        ]
        taus: dict[tuple[str, str], list[float]] = {}
        for each in kept:
            if each.kendall is not None:
                taus.setdefault((each.a, each.b), []).append(each.kendall)
                taus.setdefault((each.b, each.a), []).append(each.kendall)
        cells = [(row, column) for row in models for column in models]
        kendall = [1.0 if row == column else _mean(taus.get((row, column), ())) for row, column in cells]
        return pictures.agreement.draw(
            models=models,
            row=[row for row, _ in cells],
            column=[column for _, column in cells],
            kendall=kendall,
            title=title,
        )

    def _need_models(self) -> None:
        if len(self.boards.models) < 2:
            raise BetterthanError(
                f"there is only one model, {self.boards.models[0]}",
                remedy=f"Rank with several: {spelling.option('model', 'bradley-terry,win-rate')}.",
            )

    def _one(self, data_set: str | None) -> str:
        titles = self.boards.titles
        if data_set is None and len(titles) == 1:
            return titles[0]
        if data_set not in titles:
            what = "this picture is of one data set" if data_set is None else f"there is no data set {data_set!r}"
            known = ", ".join(repr(title) for title in titles[:10])
            raise BetterthanError(f"{what}; there are: {known}. Choose one with data_set=.")
        return data_set


def rank_numbers(board: "Leaderboard") -> dict[str, Any]:
    """Return the data of a rank picture: every system's range, quartiles and median over draws, and its cluster."""
    draws, columns = board.draws, board.columns()
    if draws is None:
        raise BetterthanError(
            f"this leaderboard has no draws to show ranks of ({spelling.option('ci', 'none')})",
            remedy=f"Rank again with {spelling.option('ci', 'bootstrap')}.",
        )
    # Where strengths are equal, a draw has a range of ranks: its middle.
    middle = sum(draws.ranks()) / 2
    quartiles = np.quantile(middle, [0.25, 0.5, 0.75], axis=0, method="inverted_cdf")
    order = [board.fit.systems.index(system) for system in columns["system"]]
    lower, median, upper = (line[order].tolist() for line in quartiles)
    return {
        "system": columns["system"],
        "low": columns["rank_low"],
        "lower": lower,
        "middle": median,
        "upper": upper,
        "high": columns["rank_high"],
        "cluster": columns["cluster"],
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
