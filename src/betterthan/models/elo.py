"""Elo: ratings that are updated after every game."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any, ClassVar

import numpy as np

from betterthan.base import FloatArray, IntArray, registry
from betterthan.datasets import Games, Places
from betterthan.models.base import Fit, Order, register_model
from betterthan.models.ordered.compiled import prepared, quick
from betterthan.models.ordered.order import InOrder, Play


@register_model
@dataclass(frozen=True, kw_only=True)
class Elo(InOrder):
    """Elo ratings: after every judgment, K times the surprise passes from the loser to the winner.

    Assumes logistic chances, P(a beats b) = 1 / (1 + 10^((b − a) / scale)), and that recent judgments tell more.
    Consumes judgments in their order, a tie counting half; the score is the rating after the last one. A judgment's
    weight multiplies K. It has no likelihood, and its ratings depend on the order, which a finding measures.

    Elo (1978), The rating of chessplayers, past and present, Arco.
    """

    k: float = 20.0
    scale: float = 400.0
    initial: float = 1000.0
    order: Order = "auto"
    shuffles: int | None = None
    seed: int = 0

    name: ClassVar[str] = "elo"
    score: ClassVar[str] = "rating"
    consumes: ClassVar[tuple[type, ...]] = (Games,)

    def __post_init__(self) -> None:
        self.check_order()
        registry.number("k", self.k, least=0, above=True)
        registry.number("scale", self.scale, least=1e-9)
        registry.number("initial", self.initial, least=-1e9)

    def player(self, games: Games, plays: int) -> Play:
        """Lay out the games for the loop."""
        steps = plays * len(games.left)
        loop: Any = quick(play, steps)

        def run(places: Places) -> tuple[FloatArray, None]:
            *layout, rating = prepared(steps, *games.at(places), np.full(games.size, float(self.initial)))
            loop(*layout, rating, float(self.k), log(10.0) / self.scale)
            return np.asarray(rating), None

        return run

    def course(self, games: Games, checkpoints: Sequence[int]) -> FloatArray:
        """Return the ratings after that many games each (checkpoints × systems), from going through them once."""
        steps = len(games.left)
        loop: Any = quick(play, steps)
        *layout, rating = prepared(steps, *games.at(None), np.full(games.size, float(self.initial)))
        ratings, done = [], 0
        for checkpoint in checkpoints:
            loop(*(column[done:checkpoint] for column in layout), rating, float(self.k), log(10.0) / self.scale)
            ratings.append(np.array(rating))
            done = checkpoint
        return np.stack(ratings)

    def parameters(self, games: Any) -> dict[str, float]:
        """Return K."""
        del games
        return {"k": self.k}

    def chances(self, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        """Return the expected score; Elo knows no ties."""
        win = 1 / (1 + np.exp(np.minimum(700.0, (fit.strength[b] - fit.strength[a]) * log(10.0) / self.scale)))
        return np.stack([win, np.zeros_like(win), 1.0 - win])


def play(  # noqa: PLR0917 (compiled functions know no keywords)
    left: Any, right: Any, outcome: Any, weight: Any, rating: Any, k: float, factor: float
) -> None:
    """Move the ratings through the games, in place; the outcome is 0 where the left side won, 1 for a tie, else 2."""
    for game in range(len(left)):
        a = left[game]
        b = right[game]
        behind = (rating[b] - rating[a]) * factor
        expected = 1.0 / (1.0 + exp(behind)) if behind < 700.0 else 0.0
        change = k * weight[game] * (1.0 - 0.5 * outcome[game] - expected)
        rating[a] += change
        rating[b] -= change
