"""Forecasts: the same as a replay where both do the same, limits kept, and the right way round when things change."""

import json
from collections.abc import Iterator
from typing import Any

import joblib
import jsonschema
import numpy as np
import pytest

import betterthan as bt
from betterthan.base.errors import BetterthanError
from betterthan.campaign.material.demo_material import STRENGTHS, demo_material
from betterthan.campaign.material.material_files import read_material
from betterthan.campaign.planning.simulate_campaign import simulate_from_worlds
from betterthan.campaign.planning.simulation_result import Simulation
from betterthan.options.campaign import CampaignOptions
from betterthan.results.json_schema import schema_of
from betterthan.results.result import FORMATS
from betterthan.verbs.collect import replay_run
from betterthan.verbs.collect.replays.replay_world import ReplayWorld
from betterthan.worlds.simulated import Arena

CLEAR = (2.0, 0.0, -2.0)


@pytest.fixture(autouse=True)
def _in_one_process() -> Iterator[None]:
    with joblib.parallel_config(backend="sequential"):
        yield


def campaign(**options: Any) -> CampaignOptions:
    return CampaignOptions(**{"budget": 400, **options})


def clear(options: CampaignOptions | None = None, **given: Any) -> Simulation:
    return simulate_from_worlds(
        (3, 10_000), campaign() if options is None else options, **{"strengths": CLEAR, "runs": 6, **given}
    )


# --- against others ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["unresolved", "uniform"])
def test_a_forecast_is_what_a_replay_of_the_same_world_says(policy: str) -> None:
    """Both run the same policies in the same worlds with the same seeds, but are put together in different places."""
    width = float(np.log(1.2 / 0.8))  # a fifth of ties between equals
    world = Arena(strengths=CLEAR, systems=("x", "y", "z"), item_spread=0.0, sharpness=(1.0,), tie_width=width)
    replayed = bt.replay(
        world, policy, runs=7, budget=400, batch=20, looks=[400], resamples=20, shares=[0.7, 1.0], seed=3
    )
    found = clear(campaign(policy=policy), ties=0.2, runs=7, seed=3)
    for goal in replayed.outcome(policy).settled:
        share = float(goal.name.split(" ")[0]) / 100
        assert found.goal(share).judgments.value == goal.judgments.value


def test_judges_tie_and_win_as_often_as_they_are_said_to() -> None:
    """By hand: equals tie with the share asked for; the odds of a win are those of Rao and Kupper."""
    from betterthan.campaign.planning.simulate_campaign import _world
    from betterthan.options.simulate import SimulateOptions

    world = _world(SimulateOptions(strengths=(0.0, 0.0, 1.0), ties=0.3), ("a", "b", "c"), 0)
    np.testing.assert_allclose(world.chances[:, 0], [0.35, 0.3, 0.35], atol=1e-9)
    theta = 1.3 / 0.7
    np.testing.assert_allclose(world.chances[0, 1], 1 / (1 + theta * np.e), atol=1e-9)
    np.testing.assert_allclose(world.chances[2, 1], np.e / (np.e + theta), atol=1e-9)


# --- which way things go ----------------------------------------------------------------------------------------------


def test_more_judges_share_the_same_judgments() -> None:
    few, many = clear(judges=2), clear(judges=20)
    assert [goal.judgments for goal in few.goals] == [goal.judgments for goal in many.goals]
    assert [goal.hours for goal in few.goals] == [goal.hours for goal in many.goals]
    assert few.goal().hours_per_judge.known == pytest.approx(10 * many.goal().hours_per_judge.known)


def test_smaller_gaps_need_more() -> None:
    needed = [
        simulate_from_worlds((3, 100_000), campaign(budget=6_000), strengths=(gap, 0.0, -gap), runs=5)
        .goal(1.0)
        .judgments.known
        for gap in (2.0, 1.0, 0.5)
    ]
    assert needed[0] < needed[1] < needed[2]


def test_ties_and_higher_levels_need_more() -> None:
    base = clear(runs=15).goal(1.0).judgments.known
    assert clear(ties=0.6, runs=15).goal(1.0).judgments.known > base
    assert clear(campaign(level=0.999), runs=15).goal(1.0).judgments.known > base


def test_goals_take_more_the_farther_they_are() -> None:
    found = [goal.judgments.known for goal in clear().goals]
    assert found == sorted(found)
    assert found[-1] == found[-2]  # all pairs are settled, and that is the end


def test_hours_and_cost_are_those_of_all_comparisons() -> None:
    """By hand: a quarter are checks or repeats, and ten judges practise twice."""
    found = clear(campaign(gold=0.15, repeats=0.1, training=2, pay=18.0), seconds_per_judgment=90.0)
    goal = found.goal(1.0)
    seen = goal.judgments.known / 0.75 + 20
    assert goal.hours.known == pytest.approx(seen * 90 / 3600)
    assert goal.cost.known == pytest.approx(goal.hours.known * 18)
    assert clear().goal(1.0).judgments == goal.judgments


def test_equal_systems_are_settled_by_a_margin_only() -> None:
    never = simulate_from_worlds((2, 1_000), strengths=(0.0, 0.0), runs=5)
    assert never.goal(1.0).reached < 1
    assert never.goal().judgments.value == 1_000
    assert (
        simulate_from_worlds((2, 1_000), campaign(budget=None, margin=0.2), strengths=(0.0, 0.0), runs=5)
        .goal(1.0)
        .reached
        == 1
    )


def test_ranking_more_at_once_takes_fewer_comparisons() -> None:
    strengths = (2.0, 1.0, 0.0, -1.0, -2.0)
    pairs, five = (
        simulate_from_worlds((5, 10_000), campaign(budget=3_000, way=way), strengths=strengths, runs=3)
        .goal(0.7)
        .judgments.known
        for way in (2, 5)
    )
    assert five < 0.5 * pairs


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 150),
        ({"overlap": 3}, 450),
        ({"per_pair": 20}, 60),
        ({"budget": 33}, 33),
        ({"per_item": 2}, 100),
        ({"per_judge": 7}, 70),
        ({"per_judge": 8, "gold": 0.5}, 40),
    ],
)
def test_nothing_is_judged_beyond_the_limits(options: dict[str, Any], most: int) -> None:
    found = simulate_from_worlds((3, 50), CampaignOptions(**options), strengths=(0.0, 0.0, 0.0), runs=3)
    assert found.most == most
    assert found.goal().judgments.high == most


@pytest.mark.parametrize("policy", ["unresolved", "uniform", "trueskill-quality", "information"])
@pytest.mark.parametrize("way", [2, 3])
def test_no_pair_gets_more_than_its_room(policy: str, way: int) -> None:
    world = ReplayWorld.simulated(
        Arena(strengths=(0.0,) * 4, systems=tuple("abcd"), item_spread=0.0, sharpness=(1.0,)).expected()
    )
    room = np.array([3.0, 0.0, 8.0, 5.0, 1.0, 40.0])
    task = replay_run.ReplayTask(world, policy, 10_000, 20, (), 0, 0.95, None, np.random.SeedSequence(1), way, room)
    going = replay_run._Run(task)
    trace = going.trace()
    met = going.outcomes.sum(axis=0)
    assert np.all(met <= room)
    if way == 2:  # everything there is room for was judged
        assert met.sum() == trace.judgments[-1] == room.sum()
    assert np.array_equal(replay_run.run(task).judgments, trace.judgments)


def test_material_limits_what_can_be_judged() -> None:
    rows = [
        {"item": "1", "source": "s", "owl": "a", "yak": "b", "elk": "c"},
        {"item": "2", "source": "s", "owl": "a1", "yak": "a1", "elk": "c1"},
        {"item": "3", "source": "s", "owl": "a2", "yak": None, "elk": "c2"},
    ]
    found = simulate_from_worlds(read_material(rows)[0], strengths={"elk": 0.0, "owl": 1.0, "yak": 0.0}, runs=2)
    assert found.settings.strengths == (1.0, 0.0, 0.0)  # in the order of the systems
    assert (found.most, found.pairs, found.items, found.systems) == (1 + 3 + 2, 3, 3, 3)


def test_the_demonstration_can_be_forecast() -> None:
    found = simulate_from_worlds(demo_material(), CampaignOptions(overlap=5), strengths=STRENGTHS, runs=3)
    assert found.most == 5 * (10 * 24 - 2)
    assert found.settled.known > 0.5


# --- the result -------------------------------------------------------------------------------------------------------


def test_a_forecast_is_a_result_like_others() -> None:
    found, again = clear(campaign(pay=12.0)), clear(campaign(pay=12.0))
    assert found == again
    assert found != clear(campaign(pay=12.0), seed=1)
    document = json.loads(found.to_json())
    jsonschema.validate(document, schema_of(Simulation))
    assert document["settings"]["strengths"] == [2.0, 0.0, -2.0]
    assert "instructions" not in document["settings"]
    for form in FORMATS:
        assert "100 % settled" in found.render(form).replace("\\%", "%").replace("\\,", " ") or form == "json"
    assert found.columns()["goal"] == ["50 % settled", "70 % settled", "90 % settled", "100 % settled", "end"]
    text = found.to_text(200)
    assert text.startswith("100 % of the simulated campaigns settle every pair. Half of them end within ")
    assert "\n3 systems · 10,000 items · 3 pairs · 10 judges · 6 runs\n" in text
    assert "verb:simulate" in str(found.signature)


def test_what_is_not_reached_is_said() -> None:
    text = simulate_from_worlds((2, 30), strengths=(0.0, 0.0), runs=3).to_text(200)
    assert (
        "0 % of the simulated campaigns settle every pair; half of them settle 0 % or more. Half of them end within 30 comparisons, "
        in text
    )
    assert "not reached" in text


@pytest.mark.parametrize(
    ("material", "options", "given", "sentence"),
    [
        ((3, 10), {}, {"strengths": (1.0, 2.0)}, "strengths must have one number for each of the 3 systems, got 2."),
        ((1, 10), {}, {}, "systems must be a whole number from 2 to 1,000, got 1."),
        ((3, 0), {}, {}, "items must be a whole number from 1 to 10,000,000, got 0."),
        ((3, 10), {}, {"ties": 1.0}, "ties must be a number of at least 0 and below 1, got 1.0."),
        (
            (3, 10),
            {"gold": 0.5, "repeats": 0.5},
            {},
            "with gold=0.5 and repeats=0.5 no comparison is evidence. Lower one of them.",
        ),
        (
            (3, 10),
            {"per_judge": 1, "gold": 0.5},
            {"judges": 1},
            "the limits allow no comparison. Raise per_judge or lower gold.",
        ),
        ((2, 10), {}, {"strengths": {"owl": 1.0}}, "there is no system 'owl'. Known: system 1, system 2."),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    material: Any, options: dict[str, Any], given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BetterthanError) as refused:
        simulate_from_worlds(material, CampaignOptions(**options), **given)
    assert str(refused.value) == sentence


def test_unknown_policies_and_options_are_refused() -> None:
    with pytest.raises(BetterthanError, match="unknown policy"):
        simulate_from_worlds((3, 10), CampaignOptions(policy="best"))
    with pytest.raises(BetterthanError, match="unknown option 'judge'"):
        simulate_from_worlds((3, 10), judge=3)


def test_two_systems_that_never_differ_are_refused() -> None:
    material = read_material([{"item": "1", "source": "s", "owl": "a", "yak": "a"}])[0]
    with pytest.raises(BetterthanError, match="no two systems have different outputs on an item"):
        simulate_from_worlds(material)
