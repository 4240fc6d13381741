"""Which item a pair gets, and when a pair has asked for enough."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from betterthan.verbs.collect.assignment import Desk
from betterthan.verbs.collect.policies.base import policy_of


def _desk(pair: list[int], item: list[int], load: list[int]) -> Desk:
    return Desk(
        items=[f"i{number}" for number in range(len(load))], judges=(), per_item=None, per_judge=None,
        pair=np.array(pair), item=np.array(item), judge=np.full(len(pair), -1), item_load=np.array(load),
        judge_load=np.zeros(0, dtype=np.int64),
    )  # fmt: skip


def test_a_pair_gets_items_that_are_new_for_it_first() -> None:
    """Although the first item was judged least at all, this pair was judged on it already."""
    for seed in range(5):
        found = _desk([0, 1, 1, 1], [0, 1, 1, 2], [1, 2, 1]).assign(np.array([0]), np.random.default_rng(seed))
        assert found is not None
        assert (found[0], found[2]) == (2, 1.0)  # new for the pair, and judged least among those


def test_equals_are_drawn_by_lot() -> None:
    found = _desk([0], [0], [1, 0, 0]).assign(np.array([0]), np.random.default_rng(0))
    assert found is not None
    assert found[0] in {1, 2}
    assert found[2] == 0.5


def test_a_pair_that_has_asked_for_all_it_needs_waits() -> None:
    known: Any = SimpleNamespace(
        decisions=SimpleNamespace(undecided=np.ones(3, dtype=bool)), needed=np.array([2.0, 2.0, 2.0])
    )
    policy = policy_of("unresolved(explore=0)")
    chances = policy.chances(known, np.array([1.0, 2.0, 3.0]), np.ones(3, dtype=bool))
    assert chances[0] > 0.99
    assert chances[1] == chances[2] < 0.01
