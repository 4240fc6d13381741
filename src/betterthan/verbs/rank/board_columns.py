"""The rows and columns of a leaderboard, declared once for terminal, page, JSON and data frames."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol

from betterthan.base import load_plugins
from betterthan.present import Column

if TYPE_CHECKING:
    from betterthan.verbs.rank.leaderboard import Leaderboard

#: Where a column is shown: in tables of text, on the report's page, in JSON and data frames.
TEXT, PAGE, FRAME = "text", "page", "frame"


@dataclass(frozen=True)
class BoardRow:
    """One system of a leaderboard. Absent values (no intervals requested, an open end, no log-strength) are None.

    So are score and rank of a system that never won, never lost or never met the others, unless its rank is certain.
    """

    rank: int | None
    system: str
    score: float | None
    log_strength: float | None
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None
    p_best: float | None
    wins: float
    ties: float
    losses: float
    comparisons: float

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Lower and upper end of the score's interval."""
        return self.low, self.high


class RankedRow(Protocol):
    """A row with a rank and its range, absent where they are not known."""

    @property
    def rank(self) -> int | None:
        """The rank."""

    @property
    def rank_low(self) -> int | None:
        """The best rank that the evidence allows."""

    @property
    def rank_high(self) -> int | None:
        """The worst rank that the evidence allows."""


@dataclass(frozen=True, kw_only=True)
class BoardColumn:
    """One column: its name in data, its title in tables, and its value for a row.

    `value` is the number behind a cell, `text` the cell itself where that is not obvious. A column that is `drawn`
    needs intervals. `optional` columns are left out of narrow tables, the highest first.
    """

    name: str
    shown: frozenset[str]
    value: Callable[["Leaderboard", BoardRow], Any]
    title: str | Callable[["Leaderboard"], str] = ""
    text: Callable[["Leaderboard", BoardRow], str] | None = None
    drawn: bool = False
    present: Callable[["Leaderboard"], bool] = lambda board: True
    align: str = "right"
    flexible: bool = False
    optional: int = 0

    def cell(self, board: "Leaderboard", row: BoardRow) -> str:
        """Return a cell as text."""
        if self.text is not None:
            return self.text(board, row)
        value = self.value(board, row)
        return "" if value is None else str(value)

    def heading(self, board: "Leaderboard") -> Column:
        """Return the heading of a finished table."""
        title = self.title(board) if callable(self.title) else self.title or self.name
        return Column(title, self.align, self.flexible, self.optional, self.name)


def ranges(row: RankedRow) -> str:
    """Return a row's range of ranks as text."""
    if row.rank_low is None or row.rank_high is None:
        return ""
    return str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"


def ranked(row: RankedRow) -> str:
    """Return a row's rank as text, with its range where that is known."""
    span = ranges(row)
    return " ".join(filter(None, ["" if row.rank is None else str(row.rank), f"({span})" if span else ""]))


def interval_text(board: "Leaderboard", row: BoardRow) -> str:
    """Return the interval of a row's score as text."""
    return f"{_end(board, row.low)} … {_end(board, row.high)}"


def _next_title(board: "Leaderboard") -> str:
    """Return the cells about the system below: chances of a win and a tie, or an expected score."""
    if board.ties_happen:
        return "wins/ties next"
    return "score vs next" if board.ties_halved else "beats next"


def _end(board: "Leaderboard", value: float | None) -> str:
    """Return the end of an interval as text; one that is open says so."""
    if value is None:
        return "open" if board.draws is not None else ""
    return board.shown(value)


def _amount(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() or value >= 1000 else f"{value:,.1f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _controls(board: "Leaderboard") -> bool:
    return board.control is not None and bool(board.control.effects)


def _without(board: "Leaderboard", row: BoardRow) -> Any:
    """Return what the board without control says about a system."""
    assert board.control is not None
    return board.control.without[row.system]


def _published(part: str, board: "Leaderboard", row: BoardRow) -> str | None:
    """Return what is published about a system, None where nothing is."""
    found: str | None = getattr(board.profiles.get(row.system), part, None)
    return found


def _is_published(part: str, board: "Leaderboard") -> bool:
    return any(getattr(profile, part) is not None for profile in board.profiles.values())


def _of(*shown: str) -> frozenset[str]:
    return frozenset(shown)


def _of_labels(name: str, title: str, optional: int, text: Callable[["Leaderboard", Any], str]) -> BoardColumn:
    """Return a column of what people's labels change, on boards that they correct."""

    def value(board: "Leaderboard", row: BoardRow) -> Any:
        return getattr(board.corrected(row.system), name)

    return BoardColumn(
        name=name,
        title=title,
        shown=_of(TEXT, PAGE),
        value=value,
        text=lambda board, row: text(board, value(board, row)),
        present=lambda board: board.correction is not None,
        optional=optional,
    )


_OWN = (
    BoardColumn(name="rank", title="#", shown=_of(TEXT, PAGE, FRAME), value=lambda board, row: row.rank),
    BoardColumn(
        name="range",
        shown=_of(TEXT, PAGE),
        value=lambda board, row: row.rank_low,
        text=lambda board, row: ranges(row),
        drawn=True,
    ),
    BoardColumn(
        name="system", shown=_of(TEXT, PAGE, FRAME), value=lambda board, row: row.system, align="left", flexible=True
    ),
    *(
        BoardColumn(
            name=part,
            shown=_of(*where),
            value=partial(_published, part),
            present=partial(_is_published, part),
            align="left",
            optional=place,
        )
        for place, (part, where) in enumerate(
            {
                "licence": (TEXT, PAGE, FRAME),
                "group": (TEXT, PAGE, FRAME),
                "colour": (FRAME,),
                "link": (FRAME,),
            }.items(),
            start=5,
        )
    ),
    BoardColumn(
        name="score",
        title=lambda board: board.score_title,
        shown=_of(TEXT, PAGE, FRAME),
        value=lambda board, row: row.score,
        text=lambda board, row: board.shown(row.score),
    ),
    BoardColumn(name="log_strength", shown=_of(FRAME), value=lambda board, row: row.log_strength),
    BoardColumn(
        name="interval",
        title=lambda board: f"{100 * board.settings.level:g} % interval",
        shown=_of(TEXT),
        value=lambda board, row: row.low,
        text=interval_text,
        drawn=True,
        align="left",
    ),
    BoardColumn(
        name="low",
        shown=_of(PAGE, FRAME),
        value=lambda board, row: row.low,
        text=lambda board, row: _end(board, row.low),
    ),
    BoardColumn(
        name="high",
        shown=_of(PAGE, FRAME),
        value=lambda board, row: row.high,
        text=lambda board, row: _end(board, row.high),
    ),
    BoardColumn(name="rank_low", shown=_of(FRAME), value=lambda board, row: row.rank_low),
    BoardColumn(name="rank_high", shown=_of(FRAME), value=lambda board, row: row.rank_high),
    BoardColumn(name="cluster", shown=_of(FRAME), value=lambda board, row: row.cluster),
    BoardColumn(
        name="p_best",
        title="best",
        shown=_of(PAGE, FRAME),
        value=lambda board, row: row.p_best,
        text=lambda board, row: _percent(row.p_best),
    ),
    BoardColumn(
        name="wins",
        title="won",
        shown=_of(TEXT, PAGE, FRAME),
        value=lambda board, row: row.wins,
        text=lambda board, row: _amount(row.wins),
        present=lambda board: board.correction is None,
        optional=1,
    ),
    BoardColumn(
        name="ties",
        title="tied",
        shown=_of(TEXT, PAGE, FRAME),
        value=lambda board, row: row.ties,
        text=lambda board, row: _amount(row.ties),
        present=lambda board: board.correction is None,
        optional=3,
    ),
    BoardColumn(
        name="losses",
        title="lost",
        shown=_of(TEXT, PAGE, FRAME),
        value=lambda board, row: row.losses,
        text=lambda board, row: _amount(row.losses),
        present=lambda board: board.correction is None,
        optional=2,
    ),
    BoardColumn(
        name="uncontrolled_rank",
        title="# without",
        shown=_of(TEXT, PAGE, FRAME),
        value=lambda board, row: _without(board, row).rank,
        present=_controls,
    ),
    BoardColumn(
        name="uncontrolled_score",
        title=lambda board: f"{board.score_title} without",
        shown=_of(TEXT, PAGE, FRAME),
        value=lambda board, row: _without(board, row).score,
        text=lambda board, row: board.shown(_without(board, row).score),
        present=_controls,
    ),
    _of_labels("by_labels", "labels alone", 1, lambda board, value: board.shown(value)),
    _of_labels("by_judge", "judge alone", 2, lambda board, value: board.shown(value)),
    _of_labels("labels", "labels", 3, lambda board, value: _amount(value)),
    _of_labels("worth", "worth labels", 4, lambda board, value: "" if value is None else f"{value:,.0f}"),
    BoardColumn(name="comparisons", shown=_of(FRAME), value=lambda board, row: row.comparisons),
    BoardColumn(
        name="beats_next",
        title=_next_title,
        shown=_of(TEXT),
        value=lambda board, row: board.beats_next(row),
        text=lambda board, row: board.beats_next(row),
        present=lambda board: board.has_chances,
        optional=4,
    ),
)


@cache
def board_columns() -> tuple[BoardColumn, ...]:
    """Return the columns of every board, those of other packages (entry points `betterthan.columns`) last."""
    return (*_OWN, *load_plugins("betterthan.columns"))


def columns_for(board: "Leaderboard", where: str) -> list[BoardColumn]:
    """Return the columns that a board shows at a place; in data all of them, whether there are intervals or not."""
    return [
        column
        for column in board_columns()
        if where in column.shown
        and column.present(board)
        and (where == FRAME or board.draws is not None or not column.drawn)
    ]
