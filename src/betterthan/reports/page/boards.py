"""Leaderboards for the page: cells as text with the number to sort by, and intervals to be drawn inside the rows."""

from dataclasses import dataclass
from typing import Any

from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.columns import PAGE, columns_for
from betterthan.leaderboard.row import Row
from betterthan.reports.page.axis import Axis


@dataclass(frozen=True)
class Cell:
    """One cell: what it says, the number behind it, and whether it is the system's name."""

    text: str
    value: float | None
    name: bool = False


@dataclass(frozen=True)
class Drawn:
    """An interval as places on the axis in per cent; open ends reach the edges."""

    score: float | None
    low: float
    high: float
    open_low: bool
    open_high: bool
    words: str


def board_for_page(board: Leaderboard) -> dict[str, Any]:
    """Return everything that the template shows of a board."""
    columns = columns_for(board, PAGE)
    names = [column.name for column in columns]
    axis = Axis.over(value for row in board for value in (row.score, row.low, row.high))
    clusters = list(dict.fromkeys(row.cluster for row in board))
    return {
        "name": board.mechanism, "score": board.score_title, "level": f"{100 * board.settings.level:g} %",
        "head": [column.heading(board).title for column in columns],
        "drawn_after": names.index("score"),
        "intervals": board.draws is not None,
        "ticks": [(axis.place(value), text) for value, text in axis.ticks()],
        "rows": [
            {
                "system": row.system,
                "cells": [
                    Cell(column.cell(board, row), _number(column.value(board, row)), column.name == "system")
                    for column in columns
                ],
                "band": clusters.index(row.cluster) % 2,
                "cluster": row.cluster,
                "drawn": drawn(board, row, axis),
            }
            for row in board.rows
        ],
        "separation": board.separation,
        "parameters": ", ".join(f"{name} {value:.4g}" for name, value in board.fit.parameters.items()),
    }  # fmt: skip


def drawn(board: Leaderboard, row: Row, axis: Axis) -> Drawn | None:
    """Return a row's interval to be drawn, None where there is nothing to draw."""
    if row.score is None and row.low is None and row.high is None:
        return None
    with_ends = board.draws is not None
    middle = None if row.score is None else axis.place(row.score)
    low, high = (axis.place(row.low, 0.0), axis.place(row.high, 100.0)) if with_ends else (middle or 0, middle or 0)
    words = board.shown(row.score)
    if with_ends:
        words += (
            f" ({100 * board.settings.level:g} % confidence interval {board.shown(row.low)} to {board.shown(row.high)})"
        )
    return Drawn(middle, low, high, with_ends and row.low is None, with_ends and row.high is None, words)


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) else None
