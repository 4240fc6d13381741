"""One entry per system: rank, score with interval, and results against the others."""

from typing import Any

from betterthan.verbs.rank import board_columns
from betterthan.verbs.report.report_part import ReportPart


def systems(part: ReportPart) -> list[dict[str, Any]]:
    """Return the entries in the order of the main board; their places among the pairs say whom they met."""
    board = part.main
    columns = [column for column in board_columns.columns_for(board, board_columns.PAGE) if column.name != "system"]
    place = {name: number for number, name in enumerate(part.pairs.systems)}
    return [
        {
            "name": row.system,
            "place": place[row.system],
            "rank": "not placed" if row.rank is None else f"rank {row.rank}",
            "facts": [
                ("rank" if column.name == "rank" else column.heading(board).title, text)
                for column in columns
                if (text := column.cell(board, row))
            ],
        }
        for row in board.rows
    ]
