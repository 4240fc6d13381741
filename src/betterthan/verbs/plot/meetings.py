"""How often each pair was compared: over all judgments, or in the first and the last of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets import DataSet, Games
from betterthan.models import Elo
from betterthan.present import Picture, pictures
from betterthan.verbs.plot.plot_data import one_board, one_data_set

#: How much of the evidence is its beginning, and its end.
_END = 0.2


def meetings(
    evidence: Any, *, ends: bool = False, model: str | None = None, tolerance: float = 0.0, title: str = ""
) -> Picture:
    """Draw how often systems met, the best first; with `ends`, in the first and in the last 20 % of the judgments."""
    data = one_data_set(evidence, tolerance=tolerance)
    board = one_board(data, model, ci="none", tolerance=tolerance)
    systems = [row.system for row in board]
    panels = dict(_ends(data)) if ends else {"": _all(data)}
    lines = [
        (panel, names[first], names[second], float(met[first, second]))
        for panel, (names, met) in panels.items()
        for first, second in zip(*np.nonzero(met), strict=True)
    ]
    panel, row, column, number = (list(values) for values in zip(*lines, strict=True))
    return pictures.meetings.draw(systems=systems, panel=panel, row=row, column=column, number=number, title=title)


def _all(data: DataSet) -> tuple[tuple[str, ...], FloatArray]:
    counts = data.pairs(units=False)
    met = np.zeros((counts.size, counts.size))
    met[counts.first, counts.second] = counts.outcomes.sum(axis=0)
    return counts.systems, met + met.T


def _ends(data: DataSet) -> Iterator[tuple[str, tuple[tuple[str, ...], FloatArray]]]:
    """Count the meetings of the first and of the last judgments, in the order that Elo takes."""
    games = data.statistic(Games, Elo().order, units=False)
    assert games is not None  # every kind of evidence has some
    number = len(games.left)
    some = max(1, round(_END * number))
    for name, part in (
        (f"first {100 * _END:g} %", slice(some)),
        (f"last {100 * _END:g} %", slice(number - some, None)),
    ):
        met = np.zeros((games.size, games.size))
        np.add.at(met, (games.left[part], games.right[part]), games.weight[part])
        yield name, (games.systems, met + met.T)
