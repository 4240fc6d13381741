"""Elo ratings over the judgments."""

from typing import Any

import numpy as np

from betterthan.base import PlanError
from betterthan.datasets import Games
from betterthan.models import Elo, build_model
from betterthan.present import Picture, pictures
from betterthan.verbs.plot.plot_data import one_data_set

#: Ratings are drawn at that many places at most.
_CHECKPOINTS = 100


def history(evidence: Any, *, model: str | None = None, tolerance: float = 0.0, title: str = "") -> Picture:
    """Draw the ratings after every hundredth of the judgments, by time where there is a time column."""
    elo = build_model(model or "elo")
    if not isinstance(elo, Elo) or elo.order == "average":
        raise PlanError(f"the history is one of elo's ratings in the order of judgments, got {model}. Use 'elo(k=20)'.")
    data = one_data_set(evidence, tolerance=tolerance)
    games = data.statistic(Games, elo.order, units=False)
    assert games is not None  # every kind of evidence has some
    number = len(games.left)
    checkpoints = np.unique(np.linspace(0, number, min(number, _CHECKPOINTS) + 1).astype(int))
    ratings = elo.course(games, checkpoints.tolist())
    best = sorted(range(games.size), key=lambda place: (-ratings[-1, place], games.systems[place]))
    return pictures.history.draw(
        systems=[games.systems[place] for place in best],
        judgments=np.repeat(checkpoints, games.size).tolist(),
        system=[games.systems[place] for _ in checkpoints for place in best],
        rating=ratings[:, best].ravel().tolist(),
        name=f"Elo rating (K = {elo.k:g})",
        order="by time" if data.order_of(elo.order) == "time" else "in the order of the file",
        title=title,
    )
