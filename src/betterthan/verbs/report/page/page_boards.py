"""Leaderboards on the page: text cells with sort keys, and intervals drawn inside rows."""

from dataclasses import dataclass
from typing import Any

from betterthan.present import table
from betterthan.verbs.rank import BoardRow, Control, Leaderboard, board_columns
from betterthan.verbs.report.page.axis import Axis


@dataclass(frozen=True)
class PageCell:
    """One cell: its text, the number behind it, and whether it is the system's name."""

    text: str
    value: float | None
    name: bool = False


@dataclass(frozen=True)
class DrawnInterval:
    """An interval as positions on the axis in per cent; open ends reach the edges."""

    score: float | None
    low: float
    high: float
    open_low: bool
    open_high: bool
    words: str


def board_for_page(board: Leaderboard) -> dict[str, Any]:
    """Return everything that the template shows of a board."""
    columns = board_columns.columns_for(board, board_columns.PAGE)
    places = table.chosen_places([(column.heading(board).title, column.name) for column in columns])
    columns = columns if places is None else [columns[place] for place in places]
    names = [column.name for column in columns]
    axis = Axis.over(value for row in board for value in (row.score, row.low, row.high))
    clusters = list(dict.fromkeys(row.cluster for row in board))
    return {
        "name": board.mechanism,
        "score": board.score_title,
        "level": f"{100 * board.settings.level:g} %",
        "head": [column.heading(board).title for column in columns],
        "drawn_after": names.index("score") if "score" in names else -1,
        "intervals": board.draws is not None,
        "ticks": [(axis.place(value), text) for value, text in axis.ticks()],
        "rows": [
            {
                "system": row.system,
                "link": getattr(board.profiles.get(row.system), "link", None),
                "colour": getattr(board.profiles.get(row.system), "colour", None),
                "cells": [
                    PageCell(column.cell(board, row), _number(column.value(board, row)), column.name == "system")
                    for column in columns
                ],
                "band": clusters.index(row.cluster) % 2,
                "cluster": row.cluster,
                "drawn": drawn(board, row, axis),
            }
            for row in board.rows
        ],
        "separation": board.separation,
        "parameters": ""
        if board.control
        else ", ".join(f"{name} {value:.4g}" for name, value in board.fit.parameters.items()),
        "effects": _effects(board.control, board.settings.level),
        "without": board.control.sentence if board.control is not None else None,
    }


def _effects(control: Control | None, level: float) -> dict[str, Any] | None:
    """Return the effects of what the board controls for, None where there are none."""
    if control is None or not control.effects:
        return None
    effects = control.table(level)
    return {"head": [column.title for column in effects.columns], "rows": effects.rows}


def drawn(board: Leaderboard, row: BoardRow, axis: Axis) -> DrawnInterval | None:
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
    return DrawnInterval(middle, low, high, with_ends and row.low is None, with_ends and row.high is None, words)


def _number(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) else None
