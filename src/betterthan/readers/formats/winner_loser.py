"""One decided comparison per row: columns winner and loser, or chosen and rejected."""

from pathlib import Path
from typing import Any, ClassVar, Literal

from betterthan.base import UnclearError, spelling
from betterthan.engine import Table
from betterthan.evidence import Judgments, Kind
from betterthan.options import ReadOptions
from betterthan.readers.columns.roles import Columns, normal
from betterthan.readers.format import Recognition
from betterthan.readers.formats.judgments import ROLES, are_names, judgments_of

#: Columns that may say that nobody won.
_OUTCOMES = frozenset({"result", "outcome", "tie", "draw", "is_tie", "is_draw", "tied", "verdict", "ties"})
#: Columns that count how often the winner won against the loser.
_WINS = ("wins", "win_count", "num_wins", "n_wins", "number_of_wins", "times_won", "victories")


class WinnerLoserFormat:
    """Who won is in one column, who lost in another."""

    name: ClassVar[str] = "winner-loser"
    kind: ClassVar[Kind] = "judgments"
    about: ClassVar[str] = (
        "one decided comparison per row: columns winner and loser, or chosen_model and rejected_model"
    )
    takes: ClassVar[Literal["table"]] = "table"
    uses: ClassVar[frozenset[str]] = frozenset({"left", "right", "counts", *ROLES})
    surest: ClassVar[float] = 1.0

    def recognise(self, found: Table, options: ReadOptions) -> Recognition | None:
        """Look for both columns, and for no others that name two sides."""
        columns = Columns.of(found, options, self.uses)
        if options.left or options.right or options.outcome or columns.sides():
            return None
        if (sides := _sides(found, columns, options)) is None:
            return None
        return Recognition(1.0 if options.counts else 0.8, f"columns {sides[0]} and {sides[1]}")

    def read(self, found: Table, options: ReadOptions) -> Judgments:
        """Take the winner as the left side, which wins by default."""
        columns = Columns.of(found, options, self.uses)
        sides = _sides(found, columns, options)
        if sides is None:
            raise UnclearError(
                f"there are no columns winner and loser; its columns are {columns.listed()}",
                where=found.name,
                remedy=f"Name them with {spelling.option('left')} and {spelling.option('right')}.",
            )
        if (other := next((name for name in found.columns if normal(name) in _OUTCOMES), None)) is not None:
            raise UnclearError(
                f"there is a column {other!r} beside {sides[0]} and {sides[1]}, which may tell ties",
                where=found.name,
                remedy=f"Name it with {spelling.option('outcome')}, or remove it.",
                choices=[({"left": sides[0], "right": sides[1], "outcome": other}, f"{other!r} says who won")],
            )
        counted = columns.counts(options.counts) if options.counts else columns.called(_WINS)[:1] or None
        return judgments_of(
            self.name, found, columns, dict(zip(("left", "right"), sides, strict=True)), counted, options
        )

    def example(self, folder: Path) -> Any:
        """Return three games."""
        del folder
        return {"winner": ["owl", "yak", "owl"], "loser": ["yak", "elk", "elk"], "item": ["i1", "i2", "i2"]}


def _sides(table: Table, columns: Columns, options: ReadOptions) -> tuple[str, str] | None:
    """Return the columns of who won and who lost; chosen and rejected only where they name systems."""
    if options.left or options.right:
        return columns.sides(options.left, options.right)
    if (sides := columns.winner_loser()) is not None:
        return sides
    chosen = columns.chosen_rejected()
    return chosen if chosen is not None and are_names(table, chosen) else None


FORMAT = WinnerLoserFormat()
