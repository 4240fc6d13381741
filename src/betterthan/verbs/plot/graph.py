"""The comparison graph of evidence."""

from typing import Any

from betterthan.present import Picture, pictures
from betterthan.verbs.plot.plot_data import one_board, one_data_set


def graph(evidence: Any, *, model: str | None = None, tolerance: float = 0.0, title: str = "") -> Picture:
    """Draw systems on a circle in the order of their ranks, and a line for every pair that met."""
    data = one_data_set(evidence, tolerance=tolerance)
    board = one_board(data, model, ci="none", tolerance=tolerance)
    counts = data.pairs(units=False)
    met = counts.outcomes.sum(axis=0)
    return pictures.graph.draw(
        systems=[row.system for row in board],
        a=[counts.systems[place] for place in counts.first],
        b=[counts.systems[place] for place in counts.second],
        comparisons=met.tolist(),
        of_system=[row.comparisons for row in board],
        title=title,
    )
