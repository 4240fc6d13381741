"""Who met whom: all judgments, or the first and the last of them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.models.elo import Elo
from betterthan.plan import Plan
from betterthan.plots.parts import one_board, one_part
from betterthan.present.pictures import meetings as picture
from betterthan.present.pictures.picture import Picture
from betterthan.reduce.games import Games
from betterthan.reduce.pairs import PairCounts

#: How much of the evidence is its beginning, and its end.
_END = 0.2


def meetings(
    evidence: Any, *, ends: bool = False, model: str | None = None, tolerance: float = 0.0, title: str = ""
) -> Picture:
    """Draw how often systems met, the best first; with `ends`, in the first and in the last 20 % of the judgments."""
    board = one_board(evidence, model, ci="none", tolerance=tolerance)
    systems = [row.system for row in board]
    plan = Plan(ci="none", tolerance=tolerance)
    panels = dict(_ends(evidence, plan)) if ends else {"": _all(one_part(evidence, plan, BradleyTerry()))}
    lines = [
        (panel, names[first], names[second], float(met[first, second]))
        for panel, (names, met) in panels.items()
        for first, second in zip(*np.nonzero(met), strict=True)
    ]
    panel, row, column, number = (list(values) for values in zip(*lines, strict=True))
    return picture.meetings(systems=systems, panel=panel, row=row, column=column, number=number, title=title)


def _all(part: Any) -> tuple[tuple[str, ...], FloatArray]:
    counts: PairCounts = part.pairs(BradleyTerry())
    met = np.zeros((counts.size, counts.size))
    met[counts.first, counts.second] = counts.outcomes.sum(axis=0)
    return counts.systems, met + met.T


def _ends(evidence: Any, plan: Plan) -> Iterator[tuple[str, tuple[tuple[str, ...], FloatArray]]]:
    """Count the meetings of the first and of the last judgments, in the order that Elo takes."""
    games: Games = one_part(evidence, plan, Elo()).statistic(Games, Elo())
    number = len(games.left)
    some = max(1, round(_END * number))
    for name, part in (
        (f"first {100 * _END:g} %", slice(some)),
        (f"last {100 * _END:g} %", slice(number - some, None)),
    ):
        met = np.zeros((games.size, games.size))
        np.add.at(met, (games.left[part], games.right[part]), games.weight[part])
        yield name, (games.systems, met + met.T)
