"""Drawing comparisons: frequencies against the chances that are told, sets against all their orders."""

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from betterthan.base.arrays import FloatArray
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.units.units import RowUnits
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.pair_choice import Chooser, PairChoice, _Extension, pairs_of
from betterthan.verbs.collect.policies.base import policy_of
from betterthan.verbs.collect.trueskill_beliefs import Beliefs


def _known(size: int, outcomes: Any = None) -> CollectionState:
    first, second = np.triu_indices(size, 1)
    table = np.zeros((3, len(first))) if outcomes is None else np.array(outcomes, dtype=float).T.copy()
    units = RowUnits.of(np.arange(table.size), np.ones(table.size), table.ravel(), table.shape)
    counts = PairCounts(tuple("abcdefgh"[:size]), first, second, table, units)
    start = Beliefs.start(size, "game", 10)
    return CollectionState(counts, lambda preset: start)


@dataclass(frozen=True)
class Fixed:
    """Says what it is told."""

    weights: tuple[float, ...]
    name: ClassVar[str] = "fixed"
    turns: ClassVar[bool] = False

    def chances(self, known: CollectionState, pending: FloatArray, allowed: Any) -> FloatArray:
        return np.array(self.weights)


def _chooser(size: int, weights: Any, room: Any = None, way: int = 2) -> Chooser:
    pairs = size * (size - 1) // 2
    room = np.full(pairs, np.inf) if room is None else np.array(room, dtype=float)
    return Chooser(Fixed(tuple(weights)), _known(size), np.zeros(pairs), room, way)


def test_pairs_come_as_often_as_their_probability_says() -> None:
    weights, room = (4.0, 0.0, 1.0, 2.0, 9.0, 3.0), [np.inf, np.inf, 1, 5, 0, np.inf]
    told: dict[frozenset[int], float] = {}
    seen: dict[frozenset[int], int] = {}
    for seed in range(2000):
        choice = _chooser(4, weights, room).choose(np.random.default_rng(seed))
        assert choice is not None
        systems = frozenset(choice.systems)
        assert told.setdefault(systems, choice.probability) == choice.probability
        seen[systems] = seen.get(systems, 0) + 1
    assert told == pytest.approx(
        {frozenset({0, 1}): 0.4, frozenset({0, 3}): 0.1, frozenset({1, 2}): 0.2, frozenset({2, 3}): 0.3}
    )
    order = list(told)
    found = stats.chisquare([seen[pair] for pair in order], [2000 * told[pair] for pair in order])
    assert found.pvalue > 0.001


@pytest.mark.parametrize("policy", ["wmt", "uncertain", "information", "unresolved"])
def test_policies_are_drawn_from_by_the_chances_they_give(policy: str) -> None:
    known = _known(4, [(6, 0, 3), (4, 0, 4), (8, 0, 2), (3, 1, 3), (5, 0, 5), (2, 0, 6)])
    chances = policy_of(policy).chances(known, np.zeros(6), np.ones(6, dtype=bool))
    chances = chances / chances.sum()
    seen = np.zeros(6)
    for seed in range(1500):
        chooser = Chooser(policy_of(policy), known, np.zeros(6), np.full(6, np.inf))
        choice = chooser.choose(np.random.default_rng(seed))
        assert choice is not None
        pair = int(pairs_of(choice.systems, 4)[0])
        assert choice.probability == pytest.approx(chances[pair], rel=1e-9)
        seen[pair] += 1
    expected = 1500 * chances
    assert np.all(np.abs(seen - expected) <= 4 * np.sqrt(expected * (1 - chances)) + 1)


def _by_orders(size: int, chances: FloatArray, allowed: FloatArray, systems: tuple[int, ...]) -> float:
    """Add up the chances of all orders in which a set can come together, its first two at once."""
    place = {pair: number for number, pair in enumerate(itertools.combinations(range(size), 2))}

    def chance(a: int, b: int) -> float:
        return float(chances[place[min(a, b), max(a, b)]])

    def may(a: int, b: int) -> bool:
        return bool(allowed[place[min(a, b), max(a, b)]])

    total = 0.0
    for order in itertools.permutations(systems):
        if order[0] > order[1]:
            continue
        probability = chance(order[0], order[1])
        for step in range(2, len(order)):
            inside = order[:step]
            fitting = [other for other in range(size) if other not in inside and all(may(one, other) for one in inside)]
            weight = {other: sum(chance(one, other) for one in inside) for other in fitting}
            if not any(weight.values()):
                weight = dict.fromkeys(fitting, 1.0)
            probability *= weight.get(order[step], 0.0) / sum(weight.values()) if weight else 0.0
        total += probability
    return total


def _ends(size: int, allowed: FloatArray, way: int) -> list[tuple[int, ...]]:
    """Return every set that is complete, or that nobody else may join."""
    place = {pair: number for number, pair in enumerate(itertools.combinations(range(size), 2))}
    found = []
    for number in range(2, way + 1):
        for systems in itertools.combinations(range(size), number):
            if not all(allowed[place[pair]] for pair in itertools.combinations(systems, 2)):
                continue
            joins = any(
                all(allowed[place[min(one, other), max(one, other)]] for one in systems)
                for other in set(range(size)) - set(systems)
            )
            if number == way or not joins:
                found.append(systems)
    return found


@st.composite
def _weighted(draw: st.DrawFn) -> tuple[int, FloatArray, FloatArray, int]:
    size = draw(st.integers(4, 6))
    pairs = size * (size - 1) // 2
    weights = draw(st.lists(st.sampled_from([0.0, 0.0, 0.1, 1.0, 2.5, 7.0]), min_size=pairs, max_size=pairs))
    allowed = draw(st.lists(st.sampled_from([True, True, True, False]), min_size=pairs, max_size=pairs))
    chances = np.where(allowed, weights, 0.0)
    if not chances.any():
        allowed[0], chances[0] = True, 1.0
    return size, chances / chances.sum(), np.array(allowed), draw(st.sampled_from([3, 4]))


@given(_weighted())
@settings(max_examples=40)
def test_a_set_has_the_chance_of_all_its_orders(world: tuple[int, FloatArray, FloatArray, int]) -> None:
    size, chances, allowed, way = world
    extension, total = _Extension(size, chances, allowed), 0.0
    for systems in _ends(size, allowed, way):
        found = extension.probability(list(systems[::-1]))
        assert found == pytest.approx(_by_orders(size, chances, allowed, systems), abs=1e-12)
        total += found
    assert total == pytest.approx(1.0)


@pytest.mark.parametrize("way", [3, 4])
def test_sets_come_as_often_as_their_probability_says(way: int) -> None:
    weights = (4.0, 0.5, 1.0, 2.0, 0.0, 3.0, 1.0, 0.2, 2.0, 1.0)
    room = [np.inf] * 10
    room[6] = 0  # systems 1 and 4 are not to meet
    told: dict[frozenset[int], float] = {}
    seen: dict[frozenset[int], int] = {}
    for seed in range(1500):
        choice = _chooser(5, weights, room, way).choose(np.random.default_rng(seed))
        assert choice is not None
        systems = frozenset(choice.systems)
        assert len(systems) == len(choice.systems) == way
        assert not {1, 4} <= systems
        assert told.setdefault(systems, choice.probability) == pytest.approx(choice.probability, rel=1e-12)
        seen[systems] = seen.get(systems, 0) + 1
    for systems, probability in told.items():
        assert abs(seen[systems] - 1500 * probability) <= 4 * np.sqrt(1500 * probability) + 1
    assert sum(told.values()) == pytest.approx(1.0, abs=0.02)


@given(st.data())
@settings(max_examples=40)
def test_no_pair_gets_more_than_its_room(data: st.DataObject) -> None:
    size, way = data.draw(st.integers(3, 6)), data.draw(st.sampled_from([2, 3, 4]))
    pairs = size * (size - 1) // 2
    room = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=pairs, max_size=pairs))
    chooser = _chooser(size, [1.0] * pairs, room, min(way, size))
    used, rng = np.zeros(pairs), np.random.default_rng(data.draw(st.integers(0, 99)))
    for _ in range(2 * pairs + 1):
        choice = chooser.choose(rng)
        if choice is None:
            break
        assert len(set(choice.systems)) == len(choice.systems) >= 2
        assert 0 < choice.probability <= 1 + 1e-12
        used[pairs_of(choice.systems, size)] += 1
        np.testing.assert_array_equal(chooser.pending, used)
    assert choice is None
    assert np.all(used <= room)
    assert np.all(used == room) or way > 2
    np.testing.assert_array_equal(chooser.room, np.array(room) - used)


def test_the_same_seed_chooses_the_same() -> None:
    def chosen(seed: int, way: int) -> list[PairChoice | None]:
        chooser, rng = _chooser(6, range(1, 16), way=way), np.random.default_rng(seed)
        return [chooser.choose(rng) for _ in range(20)]

    for way in (2, 4):
        assert chosen(5, way) == chosen(5, way)
        assert chosen(5, way) != chosen(6, way)


def test_what_is_given_is_not_changed_and_a_choice_can_be_taken_back() -> None:
    pending, room = np.zeros(3), np.array([2.0, np.inf, 1.0])
    chooser = Chooser(Fixed((1.0, 0.0, 0.0)), _known(3), pending, room)
    choice = chooser.choose(np.random.default_rng(0))
    assert choice is not None
    assert choice.systems == (0, 1)
    assert (pending.tolist(), room.tolist()) == ([0, 0, 0], [2, np.inf, 1])
    chooser.take_back(choice)
    assert chooser.pending.tolist() == [0, 0, 0]
    assert chooser.room.tolist() == [2, np.inf, 1]
    assert chooser.choose(np.random.default_rng(0), np.array([False, True, True])) is None


def test_nothing_is_chosen_where_nothing_is_allowed() -> None:
    assert _chooser(3, [1, 1, 1], [0, 0, 0]).choose(np.random.default_rng(0)) is None
    assert _chooser(3, [0, 0, 0]).choose(np.random.default_rng(0)) is None
