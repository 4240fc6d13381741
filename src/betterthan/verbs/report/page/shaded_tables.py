"""Tables with shaded cells: breakdowns, and ranks on several data sets."""

from math import floor, log10
from typing import Any

from betterthan.present import Table
from betterthan.verbs.rank import Leaderboard, Leaderboards
from betterthan.verbs.report.breakdown import Breakdown


def breakdown_table(found: Breakdown) -> dict[str, Any]:
    """Return a breakdown for the template: texts, numbers to sort by, and shades from 0 to 1."""
    known = [value for row in found.values for value in row if value is not None] or [0.0]
    low, span = min(known), (max(known) - min(known)) or 1.0
    share = found.what.startswith("Win rate")
    digits = max(0, 2 - floor(log10(span)))  # three digits of what the values differ in
    noun = "judgments" if share else "scores"

    def shown(value: float) -> str:
        return f"{100 * value:.0f} %" if share else f"{value:.{digits}f}".replace("-", "−")

    rest = (
        f"; the {len(found.parts)} of {found.number} with most {noun} are shown"
        if found.number > len(found.parts)
        else ""
    )
    return {
        "by": found.by,
        "caption": f"{found.what} by {found.by}{rest}",
        "head": [(name, f"{size:,} {noun}") for name, size in zip(found.parts, found.sizes, strict=True)],
        "rows": [
            (system, [None if one is None else (shown(one), one, round((one - low) / span, 2)) for one in row])
            for system, row in zip(found.systems, found.values, strict=True)
        ],
    }


def overview_table(boards: Leaderboards | None) -> dict[str, Any] | None:
    """Return ranks and scores on several data sets for the template: the better the rank, the darker."""
    if boards is None or boards.overview is None:
        return None
    found = boards.overview
    most = max((cell.rank for row in found.cells for cell in row if cell and cell.rank), default=1)

    def shaded(board: Leaderboard, rank: int | None, value: float | None) -> tuple[str, float | None]:
        if rank is None:
            return "", None
        return f"{rank} ({board.shown(value)})", round((most - rank) / max(most - 1, 1), 2)

    return {
        "head": ["system", *(column.name for column in found.columns), *filter(None, [found.overall_is])],
        "overall": found.overall_is is not None,
        "rows": [
            (
                name,
                [
                    ("", None) if cell is None else shaded(board, cell.rank, cell.value)
                    for board, cell in zip(found.boards, row, strict=True)
                ],
                found.shown(place),
            )
            for place, (name, row) in enumerate(zip(found.systems, found.cells, strict=True))
        ],
    }


def overall_tables(boards: Leaderboards | None) -> dict[str, Any] | None:
    """Return the overall board and the leader task by task for the template: headings and rows of texts."""
    if boards is None or boards.overall is None:
        return None
    found = boards.overall
    tasks = found.task_table()
    return {
        "sentence": found.sentence,
        "board": _plain(found.table()),
        "about": found.about_tasks,
        "tasks": None if tasks is None else _plain(tasks),
    }


def _plain(table: Table) -> dict[str, Any]:
    return {"head": [column.title for column in table.columns], "rows": table.rows}
