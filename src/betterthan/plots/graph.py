"""Which systems were compared with which, as a graph."""

from typing import Any

from betterthan.models.bradley_terry import BradleyTerry
from betterthan.plan import Plan
from betterthan.plots.parts import one_board, one_part
from betterthan.present.pictures import graph as picture
from betterthan.present.pictures.picture import Picture


def graph(evidence: Any, *, model: str | None = None, tolerance: float = 0.0, title: str = "") -> Picture:
    """Draw systems on a circle in the order of their ranks, and a line for every pair that met."""
    board = one_board(evidence, model, ci="none", tolerance=tolerance)
    counts = one_part(evidence, Plan(ci="none", tolerance=tolerance), BradleyTerry()).pairs(BradleyTerry())
    met = counts.outcomes.sum(axis=0)
    return picture.graph(
        systems=[row.system for row in board],
        a=[counts.systems[place] for place in counts.first],
        b=[counts.systems[place] for place in counts.second],
        comparisons=met.tolist(),
        of_system=[row.comparisons for row in board],
        title=title,
    )
