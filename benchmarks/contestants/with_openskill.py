"""openskill: its Thurstone–Mosteller update of two players, the nearest that it has to TrueSkill."""

from collections import defaultdict

from openskill.models import ThurstoneMostellerPart

from contestants.few import first_rows

_RANKS = {"model_a": [1, 2], "model_b": [2, 1], "tie": [1, 1]}


def pairs(path: str, games: int) -> None:
    """Rate games as its documentation shows."""
    model = ThurstoneMostellerPart()
    ratings = defaultdict(model.rating)
    for left, right, winner in first_rows(path, games):
        [ratings[left]], [ratings[right]] = model.rate([[ratings[left]], [ratings[right]]], ranks=_RANKS[winner])
