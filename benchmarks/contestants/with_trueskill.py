"""trueskill: its update of two players, one game after the other."""

from collections import defaultdict

import trueskill

from contestants.few import first_rows


def pairs(path: str, games: int) -> None:
    """Rate games as its documentation shows, with its default backend, which is its fastest."""
    environment = trueskill.TrueSkill()
    ratings = defaultdict(environment.create_rating)
    for left, right, winner in first_rows(path, games):
        first, second = (right, left) if winner == "model_b" else (left, right)
        ratings[first], ratings[second] = trueskill.rate_1vs1(
            ratings[first], ratings[second], drawn=winner == "tie", env=environment
        )
