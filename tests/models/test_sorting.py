"""Sorting by who wins more often: beside Python's own sort, and Vilar's score with its standard error by hand."""

from functools import cmp_to_key

import numpy as np
import pytest

import betterthan as bt

NAMES = tuple("abcdefgh")


@pytest.mark.parametrize("seed", range(10))
def test_a_transitive_relation_gives_the_order_of_any_sort(seed: int) -> None:
    """Every pair has a majority, and the better system always has it; some pairs never met."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(NAMES).tolist()
    rows, net = [], {}
    for place, one in enumerate(order):
        for distance, two in enumerate(order[place + 1 :], 1):
            if distance > 1 and rng.random() < 0.3:
                continue  # neighbours always meet, so the order is known all the same
            lost = int(rng.integers(0, 4))
            won, tied = lost + int(rng.integers(1, 5)), int(rng.integers(0, 3))
            net[one, two], net[two, one] = won - lost, lost - won
            rows += [(one, two, "a")] * won + [(one, two, "tie")] * tied + [(two, one, "a")] * lost
    board = bt.rank([rows[place] for place in rng.permutation(len(rows))], model="sorting", ci="none").board
    assert [row.system for row in board] == order
    assert [row.score for row in board] == pytest.approx(range(1, 9))
    complete = {
        pair: net.get(pair, order.index(pair[1]) - order.index(pair[0]))
        for pair in ((one, two) for one in NAMES for two in NAMES if one != two)
    }
    by_python = sorted(NAMES, key=cmp_to_key(lambda one, two: -complete[one, two]))
    assert [row.system for row in board] == by_python


def test_systems_in_a_circle_share_places_and_are_named() -> None:
    """Best beats all; three beat each other in a circle; last loses to all: places 1, 3, 3, 3, 5."""
    rows = [("best", other, "a") for other in ("x", "y", "z", "last")] + [(other, "last", "a") for other in "xyz"]
    rows += [("x", "y", "a"), ("y", "z", "a"), ("z", "x", "a")]
    board = bt.rank(rows, model="sorting", ci="none").board
    assert {row.system: row.score for row in board} == {"best": 1, "x": 3, "y": 3, "z": 3, "last": 5}
    assert {row.system: row.rank for row in board} == {"best": 1, "x": 2, "y": 2, "z": 2, "last": 5}
    [finding] = [each for each in board.findings if each.code == "sorted-in-circles"]
    assert finding.message == (
        "'x', 'y', 'z' beat each other in circles or equally often, so sorting gives no order of them, and they share "
        "places."
    )


def test_equal_systems_share_a_place() -> None:
    """Owl and yak won as often against each other; both beat elk: places 1.5, 1.5, 3."""
    rows = [("owl", "yak", "a"), ("owl", "yak", "b"), ("owl", "elk", "a"), ("yak", "elk", "a")]
    board = bt.rank(rows, model="sorting", ci="none").board
    assert {row.system: row.score for row in board} == {"owl": 1.5, "yak": 1.5, "elk": 3}
    # Equal to one, and better than another who beats that one: a circle of all three.
    rows = [("owl", "yak", "a"), ("owl", "yak", "b"), ("yak", "elk", "a"), ("elk", "owl", "a")]
    board = bt.rank(rows, model="sorting", ci="none").board
    assert {row.score for row in board} == {2}


def test_every_pair_has_its_score_with_a_standard_error() -> None:
    """The mean of 1, 0 and −1, and the error of a mean of independent values."""
    values = [1] * 9 + [0] * 4 + [-1] * 5
    words = {1: "a", 0: "tie", -1: "b"}
    found = bt.compare_all([("owl", "yak", words[value]) for value in values], "sorting", by="pair")
    [pair] = found.pairs
    assert (pair.a, pair.b) == ("owl", "yak")
    assert pair.net == pytest.approx(np.mean(values))
    # Vilar et al.: √(mean of squares − square of mean) / √(m − 1), which is the error of a mean.
    assert pair.net_se == pytest.approx(np.std(values) / np.sqrt(len(values) - 1))
    assert pair.net_se == pytest.approx(np.std(values, ddof=1) / np.sqrt(len(values)))
    assert found.to_csv().splitlines()[0] == "a,b,value,won,tied,lost,share,net,net_se,p,p_adjusted"
    single = bt.compare_all([("owl", "yak", "a")], "sorting", by="pair").pairs[0]
    assert (single.net, single.net_se) == (1.0, None)
