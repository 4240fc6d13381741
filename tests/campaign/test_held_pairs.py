"""Pairs that are out with as many judges as they are expected to need are hardly handed out once more."""

from typing import Any

import numpy as np
import pytest

from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.judge_records import JudgeRecord, Lease, Person
from betterthan.campaign.policies.chance_table import Chances
from betterthan.campaign.service.task_drawing import Drawing
from betterthan.options.campaign import CampaignOptions
from tests.campaign.worlds import material

ABOUT = material(30, 3)


def _state(held: int, done: int = 0) -> CampaignState:
    """Return a campaign in which the first pair is with some judges, and was judged by others."""
    state = CampaignState(ABOUT.systems, len(ABOUT.items))
    state.options = CampaignOptions.of(overlap=5)
    for item in range(held):
        state.load.hold(Lease(f"l{item}", 2, "judgment", item, ((0,), (1,)), 0.0, 1.0))
    for item in range(done):
        state.load.do(Lease(f"d{item}", 3, "judgment", 20 + item, ((0,), (1,)), 0.0, 1.0))
    return state


def _chance(state: CampaignState, needed: float) -> float | None:
    """Return the chance of the first pair among three, as it is stored with every draw; None if it never comes."""
    drawing, found = Drawing(ABOUT, np.random.default_rng(0)), set()
    chances = Chances(1, np.ones(3), np.array([needed, 10.0, 10.0]))
    for _ in range(60):
        drawn: Any = drawing.draw(state, chances, Person(JudgeRecord(1, "judge-1")))
        if {system for card in drawn.cards for system in card} == {0, 1}:
            found.add(round(drawn.chance, 9))
    assert len(found) <= 1
    return found.pop() if found else None


@pytest.mark.parametrize(("held", "needed"), [(0, 1.0), (2, 3.0), (4, 4.5), (0, 0.0), (0, 0.3)])
def test_a_pair_that_needs_more_is_as_likely_as_any(held: int, needed: float) -> None:
    assert _chance(_state(held), needed) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("held", "needed"), [(1, 1.0), (3, 3.0), (5, 4.5), (1, 0.0), (1, 0.3)])
def test_a_pair_that_is_held_as_often_as_needed_is_left_to_others(held: int, needed: float) -> None:
    assert _chance(_state(held), needed) is None


def test_what_is_done_is_not_held() -> None:
    """How many more a pair needs is counted from what is done already."""
    assert _chance(_state(0, done=6), 3.0) == pytest.approx(1 / 3)


def test_it_is_drawn_where_nothing_else_is_left() -> None:
    drawing, state = Drawing(ABOUT, np.random.default_rng(0)), _state(3)
    drawn = drawing.draw(state, Chances(1, np.array([1.0, 0.0, 0.0]), np.ones(3)), Person(JudgeRecord(1, "judge-1")))
    assert drawn is not None
    assert {system for card in drawn.cards for system in card} == {0, 1}


def test_a_task_that_ends_is_not_held_any_more() -> None:
    state = _state(3)
    lease = Lease("l0", 2, "judgment", 0, ((0,), (1,)), 0.0, 1.0)
    state.load.hold(lease, -1)
    assert state.load.held.tolist() == [2, 0, 0]
    assert state.load.comparisons_held == 2
    assert state.load.on_item(0)[:4].tolist() == [0, 1, 1, 0]
    assert state.load.on_items[:4].tolist() == [0, 1, 1, 0]
    state.load.do(lease)
    assert (state.load.done.tolist(), state.load.held.tolist()) == ([1, 0, 0], [2, 0, 0])
