"""Replays: estimates by hand, worlds with known truth, independence of runs, and what is refused."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import Fit
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.verbs.collect.replays.policy_outcomes import outcomes
from betterthan.verbs.collect.replays.replay_run import ReplayTask, Trace, _Run, run
from betterthan.verbs.collect.replays.replay_world import ReplayWorld
from betterthan.worlds import simulated as worlds
from betterthan.worlds.simulated import Arena
from tests.arenas import arena
from tests.verbs.study.rankings import ballots

VOTES = (
    [("owl", "yak", "a")] * 60 + [("owl", "yak", "b")] * 20 + [("yak", "elk", "a")] * 40 + [("owl", "elk", "a")] * 30
)
CLEAR = Arena(strengths=(3.0, 1.0, -1.0, -3.0), systems=("owl", "yak", "elk", "fox"), item_spread=0.1, sharpness=(1.0,))
EQUAL = Arena(strengths=(0.0, 0.0, 0.0, 0.0), systems=("owl", "yak", "elk", "fox"))


@pytest.fixture(autouse=True)
def _in_one_process() -> Iterator[None]:
    """Small replays are done sooner than processes have started."""
    with joblib.parallel_config(backend="sequential"):
        yield


def _small(policies: Any = "unresolved", evidence: Any = VOTES, **choices: Any) -> bt.Replay:
    settings = {"runs": 3, "budget": 300, "batch": 30, "resamples": 30, "looks": [100, 200, 300], **choices}
    return bt.replay(evidence, policies, **settings)


def _task(world: ReplayWorld, policy: str = "uniform", **choices: Any) -> ReplayTask:
    settings = {"budget": 200, "batch": 20, "looks": (100, 200), "resamples": 40, "level": 0.95, "margin": None}
    settings |= {"seed": np.random.SeedSequence(1), **choices}
    return ReplayTask(world, policy, **settings)


# --- runs -----------------------------------------------------------------------------------------------------------


def test_a_replay_is_the_same_for_the_same_seed() -> None:
    one, again, other = _small(), _small(), _small(seed=1)
    assert one.to_dict() == again.to_dict()
    assert one.to_dict()["policies"] != other.to_dict()["policies"]


def test_processes_give_the_same_as_one() -> None:
    here = _small()
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert _small().to_dict() == here.to_dict()


def test_what_a_policy_gives_does_not_depend_on_its_company() -> None:
    alone, beside = _small("unresolved"), _small(["wmt", "information", "unresolved"])
    assert beside.policies == ("uniform", "wmt", "information", "unresolved")
    assert beside.outcome("unresolved") == alone.outcome("unresolved")
    assert beside.outcome("uniform") == alone.outcome("uniform")


def test_uniform_is_first_and_every_policy_comes_once() -> None:
    assert _small("unresolved,uniform,unresolved").policies == ("uniform", "unresolved")
    assert _small(["unresolved(explore=0.1, favour=none)", "uniform"]).policies == (
        "uniform",
        "unresolved(explore=0.1, favour=none)",
    )
    assert _small("uniform").policies == ("uniform",)


def test_a_policy_costs_what_it_costs() -> None:
    found = _small("uniform(balance=no)").outcomes
    for goal in (*found[0].settled, *found[0].reached):
        if goal.judgments.value is not None:
            assert (goal.ratio.value, goal.ratio.low, goal.ratio.high) == (1.0, 1.0, 1.0)
    assert found[1].looks == found[0].looks
    assert [goal.judgments.value for goal in found[1].settled] == [goal.judgments.value for goal in found[0].settled]
    assert {goal.ratio.value for goal in found[1].settled} <= {1.0, None}


@pytest.mark.parametrize("policy", ["uniform", "unresolved", "wmt", "trueskill-quality", "uncertain", "information"])
def test_no_run_spends_more_than_its_budget(policy: str) -> None:
    world = ReplayWorld.simulated(CLEAR.expected())
    trace = run(_task(world, policy, budget=130, looks=(45,)))
    assert trace.judgments[-1] <= 130
    assert trace.early.sum() == trace.late.sum() == round(0.2 * trace.judgments[-1])
    assert np.all(np.diff(trace.judgments) >= 0)
    assert np.all(np.diff(trace.judgments) <= 20)
    assert {45} <= set(trace.judgments.tolist())
    if policy != "unresolved":
        assert trace.judgments[-1] == 130
        assert np.all(np.isfinite(trace.clusters))
    assert np.all(trace.settled <= trace.separated)


def test_pairs_that_never_met_are_never_asked_for() -> None:
    votes = [("owl", "yak", "a")] * 50 + [("yak", "elk", "b")] * 50
    reduction = bt.next_matches(votes, 0)
    assert len(reduction.pairs) == 3
    found = _small(["wmt", "unresolved", "information"], votes)
    assert (found.pairs, found.targets, found.systems) == (2, 2, 3)


def test_a_run_ends_when_all_is_settled() -> None:
    clear = Arena(strengths=(6.0, -6.0), systems=("owl", "yak"), item_spread=0.1, sharpness=(2.0,))
    trace = run(_task(ReplayWorld.simulated(clear.expected()), "unresolved", budget=1000, looks=(500, 1000)))
    assert trace.judgments[-1] < 100
    assert trace.settled[-1] == 1
    assert np.all(np.isnan(trace.clusters))


def test_judgments_come_out_as_in_the_world() -> None:
    world = ReplayWorld.simulated(CLEAR.expected())
    pairs = np.repeat(np.arange(6), 4000)
    drawn = world.judge(pairs, np.random.default_rng(0))
    for pair in range(6):
        shares = np.bincount(drawn[pairs == pair], minlength=3) / 4000
        assert shares == pytest.approx(world.chances[:, pair], abs=0.03)
    assert world.chances.sum(axis=0) == pytest.approx(np.ones(6))


# --- worlds with a known truth --------------------------------------------------------------------------------------


def test_clear_differences_are_found_and_none_the_wrong_way() -> None:
    found = _small(["unresolved", "information"], CLEAR, runs=4, budget=1500, batch=50, looks=[500, 1000, 1500])
    assert [outcome.wrong.value for outcome in found.outcomes] == [0, 0, 0]
    for outcome in found.outcomes[:2]:  # information asks for neighbours, and leaves pairs open whose order is plain
        assert outcome.separated.value == 6
        assert outcome.looks[-1].settled.value == 1.0
        assert (outcome.looks[-1].kendall.value, outcome.looks[-1].misplaced.value) in ((1.0, 0.0), (None, None))
        assert all(goal.judgments.value is not None for goal in outcome.settled)
    assert found.outcomes[0].looks[-1].clusters.value == 4
    assert found.outcome("unresolved").used.value < 1500


def test_equal_systems_are_hardly_ever_separated() -> None:
    world = ReplayWorld.simulated(EQUAL.expected())
    separated = [
        run(_task(world, policy, budget=600, batch=50, looks=(600,), seed=np.random.SeedSequence(number))).separated
        for policy in ("uniform", "unresolved")
        for number in range(30)
    ]
    assert sum(bool(np.any(one > 0)) for one in separated) <= 6  # 60 runs, at most one in twenty; four standard errors


def test_systems_of_equal_strength_cannot_be_settled() -> None:
    """Differences of a thousandth of a billionth are rounding: nothing can be settled, every separation is wrong."""
    world = ReplayWorld.simulated(EQUAL.expected())
    assert not world.settled.any()
    assert world.ahead.tolist() == [0] * 6


def test_a_world_of_equals_can_be_replayed() -> None:
    even = replace(EQUAL.expected(), outcomes=np.tile([[40.0], [20.0], [40.0]], 6))

    class Even(worlds.World):
        def expected(self) -> Any:
            return even

    found = _small("unresolved", Even(), budget=200, looks=[100, 200])
    assert found.targets == 0
    assert found.outcomes[0].separated.value is not None
    json.loads(found.to_json(), parse_constant=pytest.fail)
    assert found.to_text(80)


def test_pairs_asked_for_are_those_of_the_beginning_and_of_the_end() -> None:
    found = _small("unresolved", replace(CLEAR, strengths=(1.0, 0.5, 0.45, 0.0)), budget=1500, looks=[1500])
    picture = found.plot.meetings("unresolved")
    columns = picture.columns
    numbers = dict(
        zip(zip(columns["panel"], columns["row"], columns["column"], strict=True), columns["number"], strict=True)
    )
    outcome = found.outcome("unresolved")
    for panel, means in (("first 20 %", outcome.early), ("last 20 %", outcome.late)):
        for (a, b), mean in zip(found.met, means, strict=True):
            assert numbers.get((panel, a, b), 0.0) == numbers.get((panel, b, a), 0.0) == mean
        assert sum(means) == pytest.approx(0.2 * (outcome.used.value or 0), abs=1)
    assert found.ranked == ("owl", "yak", "elk", "fox")
    assert (
        numbers["last 20 %", "yak", "elk"] > numbers["first 20 %", "yak", "elk"]
    )  # the pair that is hardest to settle


# --- estimates by hand ----------------------------------------------------------------------------------------------


def _trace(judgments: list[int], settled: list[int], clusters_at: list[float], wrong: int = 0) -> Trace:
    at = np.array(clusters_at, dtype=float)
    return Trace(
        np.array(judgments),
        np.array(settled),
        np.array(settled),
        np.array([0] * (len(settled) - 1) + [wrong]),
        np.arange(3.0),
        np.ones(3),
        np.where(np.isnan(at), np.nan, 0.5),
        at,
        np.where(np.isnan(at), np.nan, 1.0),
    )


BASE = [
    _trace([0, 10, 20, 30, 40], [0, 1, 2, 3, 4], [1, 2, 3, 4]),
    _trace([0, 10, 20, 30, 40], [0, 0, 2, 2, 4], [1, 2, 3, 4]),
    _trace([0, 10, 20, 30, 40], [0, 0, 0, 2, 3], [1, 2, 3, 4], wrong=1),
]
QUICK = [
    _trace([0, 10, 20], [0, 2, 4], [2, 4, np.nan, np.nan]),
    _trace([0, 10, 20, 30], [0, 2, 2, 4], [2, 3, 4, np.nan]),
    _trace([0, 10, 20, 30], [0, 2, 2, 4], [2, 3, 4, np.nan]),
]


def _compared(**choices: Any) -> Any:
    settings = {
        "targets": 4,
        "shares": (0.5, 1.0),
        "looks": (10, 20, 30, 40),
        "reach": (20, 30),
        "level": 0.95,
        "seed": 0,
    }
    return outcomes(["uniform", "quick"], [BASE, QUICK], **{**settings, **choices})


def test_judgments_until_pairs_are_settled_are_medians_over_runs() -> None:
    base, quick = _compared()
    assert [goal.name for goal in base.settled] == ["50 % settled", "100 % settled"]
    assert [goal.judgments.value for goal in base.settled] == [20.0, 40.0]  # 20, 20, 30; 40, 40, never
    assert [goal.judgments.value for goal in quick.settled] == [10.0, 30.0]  # 10, 10, 10; 20, 30, 30
    assert [goal.ratio.value for goal in quick.settled] == [0.5, 0.75]
    assert [goal.ratio.value for goal in base.settled] == [1.0, 1.0]
    assert (base.settled[0].judgments.low, base.settled[0].judgments.high) == (20.0, 30.0)
    assert base.settled[1].judgments.high is None  # one run in three never got there
    half = quick.settled[0]
    assert (half.judgments.low, half.judgments.high) == (10.0, 10.0)
    assert (half.ratio.low, half.ratio.high) == (pytest.approx(1 / 3), 0.5)
    full = quick.settled[1].ratio
    assert full.low == pytest.approx(0.5)
    assert full.high is None  # where uniform never got there, nothing is known


def test_clusters_are_reached_on_straight_lines_between_looks() -> None:
    base, quick = _compared()
    # Uniform has 2 clusters at 20 and 3 at 30; quick has means 2, 10/3, 4, 4.
    assert [goal.name for goal in quick.reached] == ["2.00 clusters, as at 20", "3.00 clusters, as at 30"]
    assert [goal.judgments.value for goal in base.reached] == pytest.approx([20.0, 30.0])
    assert quick.reached[0].judgments.value == pytest.approx(10.0)
    assert quick.reached[1].judgments.value == pytest.approx(10 + 10 * (3 - 2) / (10 / 3 - 2))
    assert quick.reached[1].ratio.value == pytest.approx(17.5 / 30)
    assert (quick.reached[1].ratio.low, quick.reached[1].ratio.high) == (pytest.approx(15 / 30), pytest.approx(20 / 30))


def test_looks_are_means_with_student_s_intervals() -> None:
    base, quick = _compared()
    assert [look.judgments for look in base.looks] == [10, 20, 30, 40]
    settled = np.array([2, 2, 0]) / 4
    half = stats.t.ppf(0.975, 2) * settled.std(ddof=1) / np.sqrt(3)
    found = base.looks[1].settled
    assert half > 2 / 3  # the interval ends where shares end
    assert (found.value, found.low, found.high) == pytest.approx((1 / 3, 0, 1))
    last = quick.looks[-1]
    assert last.settled.value == 1.0  # a run that has ended keeps what it settled
    assert (last.clusters.value, last.kendall.value) == (4.0, 0.5)  # and the ranking of its last look
    assert quick.looks[1].clusters.value == pytest.approx(10 / 3)
    assert (quick.looks[2].clusters.value, quick.looks[2].clusters.low) == (4.0, 4.0)


def test_wrong_runs_have_an_exact_interval() -> None:
    base, quick = _compared()
    exact = stats.binomtest(1, 3).proportion_ci()
    assert (base.wrong.value, base.wrong.low, base.wrong.high) == pytest.approx((1 / 3, exact.low, exact.high))
    assert (quick.wrong.value, quick.wrong.low) == (0.0, 0.0)
    assert base.used.value == 40
    assert quick.used.value == pytest.approx(80 / 3)
    assert base.separated.value == pytest.approx(11 / 3)


def test_what_nobody_reached_is_beyond_the_budget() -> None:
    base, quick = _compared(targets=8, shares=(1.0,))
    assert (base.settled[0].judgments.value, base.settled[0].judgments.low, base.settled[0].ratio.value) == (None,) * 3
    assert quick.settled[0].ratio.value is None


def test_the_ranking_at_a_look_is_that_of_its_judgments() -> None:
    """One run by hand: what uniform drew, ranked and clustered again."""
    world = ReplayWorld.simulated(CLEAR.expected())
    trace = run(_task(world, budget=400, looks=(400,)))
    assert trace.kendall[0] == pytest.approx(1.0)
    assert trace.misplaced[0] == 0
    assert 3 <= trace.clusters[0] <= 4
    truth = world.strength
    assert np.all(np.diff(truth) < 0)
    assert stats.kendalltau(truth, [3.0, 1.0, -1.0, -3.0]).statistic == pytest.approx(1.0)


# --- evidence -------------------------------------------------------------------------------------------------------


def test_targets_are_what_the_whole_evidence_settles() -> None:
    votes = arena(judgments=1500)
    found = _small("unresolved", votes)
    states = bt.next_matches(votes, 0, unit=found.settings.unit).states
    assert found.targets == states["separated"] > 0
    assert (found.pairs, found.systems, found.budget) == (10, 5, 300)
    whole = bt.replay(VOTES, "uniform", runs=2, resamples=20)
    assert whole.budget == len(VOTES) == 150
    assert [look.judgments for look in whole.outcomes[0].looks] == [15, 30, 45, 60, 75, 90, 105, 120, 135, 150]
    assert [goal.judgments.value for goal in whole.outcomes[0].reached] == pytest.approx([45, 75], abs=45)


def test_columns_and_json_hold_all_looks() -> None:
    found = _small(["unresolved"], looks=[50, 100, 300], reach=[100], shares=[0.5])
    columns = found.columns()
    assert columns["policy"] == ["uniform"] * 3 + ["unresolved"] * 3
    assert columns["judgments"] == [50, 100, 300] * 2
    document = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert document == json.loads(json.dumps(found.to_dict()))
    assert [one["policy"] for one in document["policies"]] == ["uniform", "unresolved"]
    for picture in (found.plot.settled(), found.plot.clusters(title="clusters"), found.plot.kendall()):
        assert picture.to_svg().startswith(("<svg", "<?xml"))


@pytest.mark.parametrize(
    "policies", ["unresolved", ["unresolved(explore=0.2, favour=none)", "information(goal=strengths, greed=2)"]]
)
def test_text_fits_into_eighty_columns(policies: Any) -> None:
    text = _small(policies).to_text(80)
    assert all(len(line) <= 80 for line in text.split("\n")[:-1]), text


# --- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        (
            {"policies": []},
            "name at least one policy: information, sort, trueskill-quality, uncertain, uniform, unresolved, wmt.",
        ),
        (
            {"policies": ""},
            "name at least one policy: information, sort, trueskill-quality, uncertain, uniform, unresolved, wmt.",
        ),
        (
            {"policies": "unresolved,wtm"},
            "unknown policy 'wtm'; known: information, sort, trueskill-quality, uncertain, uniform, unresolved, wmt. Did you mean 'wmt'?",
        ),
        ({"runs": 1}, "runs must be a whole number from 2 to 100,000, got 1."),
        ({"batch": 0}, "batch must be a whole number from 1 to 1,000,000,000, got 0."),
        ({"budget": 5}, "budget must be a whole number from 10 to 1,000,000,000, got 5."),
        ({"resamples": 3}, "resamples must be a whole number from 20 to 100,000, got 3."),
        ({"looks": [50, 400]}, "looks must be whole numbers up to the budget of 300, got 400."),
        ({"looks": [50, 100], "reach": [70]}, "reach must be among the looks 50, 100, got 70."),
        ({"shares": [0.5, 1.5]}, "shares must be a number above 0 and at most 1, got 1.5; 90 % is 0.9."),
        ({"margin": 0.7}, None),
        ({"level": 0.0}, None),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1."),
        ({"looks": []}, None),
        (
            {"evidence": {"owl": [1.5, 2.0], "yak": [1.0, 2.5]}, "budget": None, "looks": None},
            "there are only 2 judgments to replay, and a run collects at least 10. Say how many to draw with budget=100.",
        ),
        (
            {"model": "mean"},
            "mean is not fitted to judgments of pairs, which is what a replay collects. Use model='bradley-terry', or another model of pairs.",
        ),
        ({"evidence": CLEAR, "budget": None}, None),
    ],
)
def test_choices_that_cannot_be_are_refused(choices: dict[str, Any], message: str | None) -> None:
    with pytest.raises(bt.PlanError) as refusal:
        _small(**choices)
    assert str(refusal.value).endswith((".", "?"))
    if message is not None:
        assert str(refusal.value) == message


def test_where_nothing_can_be_settled_clusters_and_rankings_are_compared() -> None:
    found = _small(evidence=[("owl", "yak", "a"), ("yak", "elk", "a"), ("elk", "owl", "b")])
    assert found.targets == 0
    assert all(outcome.settled == () for outcome in found.outcomes)
    assert set(found.columns()["settled"]) == {None}
    assert found.outcomes[0].looks[-1].kendall.known == pytest.approx(1.0)
    (warning,) = (finding for finding in found.findings if finding.code == "nothing-settled")
    assert str(warning).startswith(
        "! nothing-settled: No pair can be settled at confidence level 0.95, so policies are"
    )
    (savings,) = (finding for finding in found.findings if finding.code == "savings")
    assert "settle pairs" not in savings.message
    assert "0 of 3 pairs can be settled" in found.to_text(100)
    assert found.plot.kendall().columns["policy"]
    with pytest.raises(bt.BetterthanError) as refusal:
        found.plot.settled()
    assert str(refusal.value) == (
        "the whole evidence settles no pair, so there is nothing to draw. Draw plot.clusters() or plot.kendall() of a "
        "replay."
    )


def test_scores_are_replayed_as_the_judgments_that_they_make() -> None:
    rng = np.random.default_rng(3)
    scores = {
        name: np.round(rng.normal(place, 1.5, 60), 1).tolist() for place, name in enumerate(("elk", "owl", "yak"))
    }
    votes = []
    for item in range(60):
        for left, right in (("elk", "owl"), ("elk", "yak"), ("owl", "yak")):
            gap = scores[left][item] - scores[right][item]
            votes.append((left, right, "left" if gap > 0 else "right" if gap < 0 else "tie"))
    one, two = (_small("unresolved,wmt", evidence, budget=None, looks=[90, 180]) for evidence in (scores, votes))
    assert one.outcomes == two.outcomes
    assert (one.budget, one.targets, one.ranked) == (180, two.targets, two.ranked)
    assert (one.unit, two.unit) == ("item", "row")
    gaps = dict(scores, fox=[float("nan")] * 30 + rng.normal(size=30).tolist())
    gaps["yak"] = scores["yak"][:30] + [float("nan")] * 30  # fox and yak never met
    assert _small(evidence=gaps).pairs == 5


def test_estimates_on_the_way_are_those_of_all_judgments_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """They begin where the last ones were, and end where they would from the beginning."""
    starts, estimate = [], _Run._estimate

    def checked(play: _Run, counts: PairCounts) -> Fit:
        starts.append(play.strength)
        fit = estimate(play, counts)
        assert fit.strength == pytest.approx(BradleyTerry().fit(counts).strength, abs=1e-7)
        return fit

    monkeypatch.setattr(_Run, "_estimate", checked)
    run(_task(ReplayWorld.of_evidence(data_sets(VOTES).only("a test").pairs(), 0.95, None), "unresolved", batch=5))
    assert len(starts) > 5
    assert all(np.any(start != 0) for start in starts[2:])


# --- the model of the ranking ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", ["expected-wins", "elo", "trueskill(preset=wmt)", "hopkins-may(burn_in=20,sweeps=20)"]
)
def test_the_ranking_is_that_of_the_model(model: str) -> None:
    """What was collected, ranked by the verb itself: the same strengths, and Kendall's tau to the whole evidence's."""
    found = _small("wmt", VOTES, model=model)
    board = bt.rank(VOTES, model=model, ci="none").board
    assert list(found.ranked) == [row.system for row in board]
    counts = data_sets(VOTES).only("a test").pairs()
    truth = np.array([board[name].score for name in counts.systems])
    world = replace(ReplayWorld.of_evidence(counts, 0.95, None), strength=truth)
    task = _task(world, "wmt", model=model, looks=(200,), seed=np.random.SeedSequence([0, 1]))
    play = _Run(task)
    trace = play.trace()
    systems, first, second = counts.systems, world.counts.first, world.counts.second
    rows = [
        (systems[first[pair]], systems[second[pair]], ("left", "tie", "right")[outcome])
        for pair, outcome in zip(np.concatenate(play.asked), np.concatenate(play.answered), strict=True)
    ]
    assert len(rows) == 200
    again = bt.rank(rows, model=model, ci="none").board
    tau = stats.kendalltau([again[name].score for name in systems], truth).statistic
    assert trace.kendall[0] == pytest.approx(tau)
    assert 1 <= trace.clusters[0] <= 3


def test_the_model_changes_the_rankings_and_nothing_else() -> None:
    one, two = (_small("wmt", model=model) for model in ("bradley-terry", "trueskill(preset=wmt)"))
    assert one.outcome("wmt").settled == two.outcome("wmt").settled
    assert (one.outcome("wmt").early, one.outcome("wmt").late) == (two.outcome("wmt").early, two.outcome("wmt").late)
    assert one.outcome("wmt").looks != two.outcome("wmt").looks
    assert "model:trueskill(preset=wmt)" in str(two.signature)
    assert "model:" not in str(one.signature)
    assert _small(evidence=CLEAR, model="trueskill(preset=wmt)").outcomes[0].looks[-1].kendall.known > 0.9


def test_an_early_look_is_no_reason_to_stop() -> None:
    """After a single judgment there is no ranking yet: one cluster, nothing misplaced, but the replay goes on."""
    found = _small(looks=[1, 2, 300])
    assert found.outcomes[0].looks[0].clusters.value in (None, 1.0)
    assert found.outcomes[0].looks[-1].judgments == 300


def test_an_unknown_policy_s_outcome_is_refused() -> None:
    with pytest.raises(bt.BetterthanError, match="there is no policy 'wmt'; there are: uniform, unresolved"):
        _small().outcome("wmt")


def test_runs_that_share_seeds_are_compared_pair_by_pair() -> None:
    found = _small("uniform(balance=no)", runs=6)
    for goal in (*found.outcomes[1].settled, *found.outcomes[1].reached):
        if goal.ratio.value is not None and goal.ratio.high is not None:
            assert (goal.ratio.low, goal.ratio.value, goal.ratio.high) == (1.0, 1.0, 1.0)


def test_a_column_called_expected_is_no_world() -> None:
    left, right, winner = zip(*VOTES, strict=True)
    frame = pd.DataFrame({"left": left, "right": right, "winner": winner, "expected": 1})
    assert _small(evidence=frame).runs == 3


def test_a_world_says_what_it_needs() -> None:
    with pytest.raises(bt.PlanError, match="Say how many judgments to collect"):
        bt.replay(CLEAR)
    with pytest.raises(bt.PlanError, match="unit is for evidence, not for a simulated world"):
        bt.replay(CLEAR, budget=100, unit="item")
    for choices in ({"looks": "many"}, {"reach": "few"}, {"shares": "half"}, {"policies": [3]}):
        with pytest.raises(bt.PlanError, match="must be"):
            bt.replay(VOTES, **choices)


def test_weights_are_no_judgments() -> None:
    left, right, winner = zip(*VOTES, strict=True)
    weighted = {"left": left, "right": right, "winner": winner, "weight": [0.01] * len(VOTES)}
    assert bt.replay(weighted, runs=2, resamples=20).budget == len(VOTES)


def test_rankings_can_be_replayed() -> None:
    found = bt.replay(
        ballots(300, noise=0.5)[0],
        ["unresolved", "wmt"],
        runs=2,
        budget=600,
        batch=100,
        looks=[200, 600],
        reach=[200],
        shares=[0.1],
        resamples=40,
        unit="ranking",
    )
    assert (found.systems, found.pairs, found.policies) == (6, 15, ("uniform", "unresolved", "wmt"))
    assert 5 <= found.targets <= 15
    for outcome in found.outcomes:
        assert outcome.looks[-1].kendall.value > 0.5
        assert outcome.looks[-1].clusters.value >= outcome.looks[0].clusters.value
    assert found.outcome("unresolved").separated.value > 0
