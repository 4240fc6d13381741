"""One entry per system: its rank, its score with the interval, and its record over all others."""

from typing import Any

from betterthan.leaderboard.columns import PAGE, columns_for
from betterthan.reports.parts import Part


def systems(part: Part) -> list[dict[str, Any]]:
    """Return the entries in the order of the main board; their places among the pairs say whom they met."""
    board = part.main
    columns = [column for column in columns_for(board, PAGE) if column.name != "system"]
    place = {name: number for number, name in enumerate(part.pairs.systems)}
    return [
        {
            "name": row.system,
            "place": place[row.system],
            "rank": "not placed" if row.rank is None else f"rank {row.rank}",
            "facts": [
                ("rank" if column.name == "rank" else column.heading(board).title, text)
                for column in columns if (text := column.cell(board, row))
            ],
        }
        for row in board.rows
    ]  # fmt: skip
