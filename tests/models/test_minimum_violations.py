"""The ranking with the fewest violated judgments, beside all rankings and an integer programme."""

from itertools import permutations

import numpy as np
import pytest
from scipy import optimize

import betterthan as bt
from betterthan.models.direct.linear_order import best_order

NAMES = tuple("abcdefghijklmnopqrstuvwxyz")


def _all_orders(wins: np.ndarray) -> tuple[float, np.ndarray, int]:
    """The least number of violations, mean places, and the number of best orders, by trying all."""
    found: dict[tuple[int, ...], float] = {}
    for order in permutations(range(len(wins))):
        found[order] = float(np.sum(np.tril(wins[np.ix_(order, order)], -1)))
    least = min(found.values())
    best = [order for order, violated in found.items() if violated <= least + 1e-9]
    places = np.zeros(len(wins))
    for order in best:
        places[list(order)] += np.arange(1, len(wins) + 1) / len(best)
    return least, places, len(best)


@pytest.mark.parametrize("seed", range(30))
def test_every_order_of_few_systems_was_tried(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 7))
    wins = rng.integers(0, 4, (size, size)).astype(float) * (1 - np.eye(size))
    wins *= 0.37 if seed % 3 == 0 else 1.0  # weights
    least, places, number = _all_orders(wins)
    found = best_order(wins, 20)
    assert found.violated == pytest.approx(least)
    assert found.place == pytest.approx(places)
    assert found.exact
    assert found.unique == (number == 1)


@pytest.mark.parametrize("seed", range(3))
def test_an_integer_programme_finds_no_better_order(seed: int) -> None:
    """Which of two comes first is 0 or 1, and no three form a circle."""
    rng = np.random.default_rng(seed)
    size = 9
    wins = rng.poisson(3.0, (size, size)).astype(float) * (1 - np.eye(size))
    place = {pair: number for number, pair in enumerate(permutations(range(size), 2))}
    rows = []
    for one, two in permutations(range(size), 2):
        if one < two:
            rows.append(({(one, two): 1, (two, one): 1}, 1, 1))
    rows += [({(a, b): 1, (b, c): 1, (c, a): 1}, -np.inf, 2) for a, b, c in permutations(range(size), 3)]
    matrix = np.zeros((len(rows), len(place)))
    for row, (terms, _, _) in enumerate(rows):
        for pair, factor in terms.items():
            matrix[row, place[pair]] = factor
    cost = np.array([wins[two, one] for one, two in place])
    solved = optimize.milp(
        cost,
        integrality=np.ones(len(place)),
        bounds=optimize.Bounds(0, 1),
        constraints=optimize.LinearConstraint(matrix, [low for _, low, _ in rows], [high for _, _, high in rows]),
    )
    assert best_order(wins, 20).violated == pytest.approx(solved.fun)
    searched = best_order(wins, 1)
    assert not searched.exact
    assert solved.fun <= searched.violated + 1e-9 <= 1.15 * solved.fun


def test_systems_without_circles_are_ordered_however_many() -> None:
    wins = np.triu(np.full((200, 200), 2.0), 1) + np.tril(np.ones((200, 200)), -1)
    shuffled = np.random.default_rng(0).permutation(200)
    found = best_order(wins[np.ix_(shuffled, shuffled)], 18)
    assert found.exact
    assert found.place.tolist() == (shuffled + 1).tolist()


def test_a_large_circle_is_searched_and_said() -> None:
    votes = [(NAMES[one], NAMES[(one + step) % 25], "a") for one in range(25) for step in (1, 2, 3)]
    board = bt.rank(votes, model="minimum-violations", ci="none").board
    assert "not-exact" in {finding.code for finding in board.findings}
    # Only who reaches beyond the end loses: 1 + 2 + 3.
    assert board.fit.parameters["violated"] == 6


def test_a_circle_of_three_is_one_place_for_all() -> None:
    board = bt.rank([("a", "b", "a"), ("b", "c", "a"), ("c", "a", "a")], model="minimum-violations", ci="none").board
    assert [row.score for row in board] == [2.0] * 3
    assert [row.rank for row in board] == [1] * 3
    assert board.fit.parameters["violated"] == 1
    (finding,) = (finding for finding in board.findings if finding.code == "several-orders")
    assert finding.value == pytest.approx(1 / 3)


def test_ties_violate_nothing() -> None:
    votes = [("a", "b", "a"), *[("a", "b", "tie")] * 5, ("b", "c", "a"), ("a", "c", "a")]
    board = bt.rank(votes, model="minimum-violations", ci="none").board
    assert [row.system for row in board] == ["a", "b", "c"]
    assert board.fit.parameters == {"violated": 0.0, "decided": 3.0}


def test_resamples_are_ordered_too() -> None:
    rng = np.random.default_rng(1)
    votes = [
        (one, two, "a" if rng.random() < (0.8 if one < two else 0.2) else "b")
        for one, two in [rng.choice(list("abcd"), 2, replace=False) for _ in range(300)]
    ]
    board = bt.rank(votes, model="minimum-violations", resamples=200).board
    assert [row.system for row in board] == list("abcd")
    assert all(row.low <= row.score <= row.high for row in board)
