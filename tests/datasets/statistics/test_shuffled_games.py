"""Games in another order keep their weights."""

import numpy as np

from betterthan.datasets.statistics.games import Games
from betterthan.datasets.units.units import RowWeights


def _games(weight: np.ndarray) -> Games:
    number = len(weight)
    left, right = np.arange(number, dtype=np.int16) % 5, np.full(number, 5, dtype=np.int16)
    outcome = (np.arange(number) % 3).astype(np.int8)
    return Games(tuple("abcdef"), left, right, outcome, weight, RowWeights.of(number, {}))


def test_weights_go_with_their_games() -> None:
    games = _games(np.arange(1.0, 31.0))
    for places in (np.arange(30)[::-1], np.array([3, 3, 7])):
        left, _, outcome, weight = games.at(places)
        assert weight.tolist() == (places + 1.0).tolist()
        assert left.tolist() == (places % 5).tolist()
        assert outcome.tolist() == (places % 3).tolist()
    left, _, outcome, weight = games.at(np.random.default_rng(0))
    assert sorted(weight.tolist()) == np.arange(1.0, 31.0).tolist()
    assert left.tolist() == ((weight - 1) % 5).tolist()
    assert outcome.tolist() == ((weight - 1) % 3).tolist()


def test_games_that_all_count_once_are_shuffled_whole() -> None:
    left, right, outcome, weight = _games(np.ones(30)).at(np.random.default_rng(0))
    assert sorted(zip(left.tolist(), outcome.tolist(), strict=True)) == sorted((n % 5, n % 3) for n in range(30))
    assert set(right.tolist()) == {5}
    assert set(weight.tolist()) == {1.0}
