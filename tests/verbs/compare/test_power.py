"""Planning: from evidence and from numbers, what is said, and what is refused."""

import json
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.verbs.power import sample_size
from tests.arenas import arena


def _scores(size: int = 60, shift: float = 0.2, seed: int = 0) -> dict[str, list[float]]:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=size)
    return {"owl": (base + shift + rng.normal(0, 0.5, size)).tolist(), "yak": base.tolist()}


def _votes(wins: int, losses: int, ties: int = 0) -> list[tuple[str, str, str]]:
    return [("owl", "yak", "a")] * wins + [("yak", "owl", "a")] * losses + [("owl", "yak", "tie")] * ties


def test_scores_need_what_student_says() -> None:
    columns = _scores()
    gap = np.subtract(columns["owl"], columns["yak"])
    effect = gap.mean() / gap.std(ddof=1)
    plan, duel = bt.power(columns, "owl", "yak"), bt.compare(columns, "owl", "yak")
    mean = duel.effect("mean_difference")
    assert (plan.n, plan.test, plan.measure) == (60, "t", "difference")
    assert (plan.observed, plan.low, plan.high) == pytest.approx((mean.value, mean.low, mean.high))
    assert [need.what for need in plan.needs] == ["observed", "low", "high"]
    assert plan.needed == sample_size.t_needed(effect)
    assert plan.more == max(0, plan.needed - 60)
    assert plan.needs[2].needed < plan.needed < plan.needs[1].needed
    assert sample_size.t_power(plan.smallest / gap.std(ddof=1), 60) == pytest.approx(0.8, abs=1e-6)
    assert plan.reached is None  # power at the observed difference only repeats the p-value


def test_a_difference_asked_takes_the_place_of_the_observed_one() -> None:
    columns = _scores()
    spread = np.std(np.subtract(columns["owl"], columns["yak"]), ddof=1)
    plan, other = (bt.power(columns, difference=size, power=0.9) for size in (0.1, -0.1))
    assert [need.what for need in plan.needs] == ["asked"]
    assert plan.needed == other.needed == sample_size.t_needed(0.1 / spread, 0.9)
    assert plan.reached == pytest.approx(sample_size.t_power(0.1 / spread, 60))
    assert "observed" not in {finding.code for finding in plan.findings}
    planned = bt.power(columns, difference=0.1, n=400)
    assert planned.reached == pytest.approx(sample_size.t_power(0.1 / spread, 400))
    assert planned.smallest < plan.smallest
    assert planned.more == planned.needed - 60


def test_simulations_from_the_evidence_agree_with_the_formula() -> None:
    plan = bt.power(_scores(200), simulations=4000)
    assert [found.test for found in plan.simulated] == ["t", "wilcoxon", "sign"]
    main = plan.simulated[0]
    assert (main.n, main.simulations) == (plan.needed, 4000)
    assert main.power == pytest.approx(0.8, abs=3 * main.error + 0.02)
    assert bt.power(_scores(200), simulations=0).simulated == ()


def test_a_formula_that_the_evidence_contradicts_is_doubted() -> None:
    heavy = np.concatenate([np.full(199, 0.1), [40.0]])
    base = np.arange(200.0)
    plan = bt.power({"owl": (base + heavy).tolist(), "yak": base.tolist()}, difference=5)
    assert "formula" in {finding.code for finding in plan.findings}
    assert "formula" not in {finding.code for finding in bt.power(_scores(200), difference=0.1).findings}


def test_groups_are_the_units() -> None:
    rng = np.random.default_rng(1)
    shared = np.repeat(rng.normal(0.3, 1, 50), 4)
    columns = {"owl": (shared + rng.normal(0, 0.1, 200)).tolist(), "yak": [0.0, 1.0] * 100}
    columns["owl"] = np.add(columns["owl"], columns["yak"]).tolist()
    alone, together = bt.power(columns), bt.power(columns, groups=[str(place // 4) for place in range(200)])
    assert (alone.design_effect, alone.units, together.units) == (None, 200, 50)
    assert together.design_effect == pytest.approx(4, rel=0.1)
    need = together.needs[0]
    assert need.needed == 4 * need.groups
    assert need.needed == pytest.approx(alone.needed * together.design_effect, rel=0.05)
    assert together.smallest == pytest.approx(2 * alone.smallest, rel=0.1)
    assert together.simulated[0].power == pytest.approx(0.8, abs=0.05)
    assert f"(in {need.groups} groups)" in together.to_text()


def test_right_and_wrong_answers_are_planned_by_mcnemar() -> None:
    rng = np.random.default_rng(2)
    columns = {"owl": (rng.random(300) < 0.7).astype(int).tolist(), "yak": (rng.random(300) < 0.6).astype(int).tolist()}
    plan = bt.power(bt.read_scores(columns), difference=0.08)
    ties = float(np.mean(np.equal(columns["owl"], columns["yak"])))
    assert (plan.test, plan.tie_share) == ("mcnemar-mid-p", ties)
    assert plan.needed == sample_size.sign_needed((1 + 0.08 / (1 - ties)) / 2, tie_share=ties, mid=True)
    assert plan.needed <= sample_size.sign_needed((1 + 0.08 / (1 - ties)) / 2, tie_share=ties)
    duel = bt.compare(bt.read_scores(columns)).effect("mean_difference")
    assert (plan.low, plan.high) == pytest.approx((duel.low, duel.high))
    assert plan.simulated[0].test == "mcnemar-mid-p"
    assert plan.simulated[0].power == pytest.approx(0.8, abs=0.04)
    impossible = bt.power(bt.read_scores(columns), difference=0.9)
    assert [finding.code for finding in impossible.findings] == ["not-simulated"]


def test_judgments_are_planned_by_the_sign_test() -> None:
    plan = bt.power(_votes(40, 25, 15))
    assert (plan.n, plan.test, plan.measure, plan.design_effect) == (80, "sign", "win share", None)
    assert plan.observed == 40 / 65
    assert plan.needed == sample_size.sign_needed(40 / 65, tie_share=15 / 80)
    assert plan.simulated[0].power == pytest.approx(0.8, abs=0.04)
    asked = bt.power(_votes(40, 25, 15), win_share=0.55)
    assert asked.needed == sample_size.sign_needed(0.55, tie_share=15 / 80)
    assert asked.reached == pytest.approx(sample_size.sign_power(0.55, 80, tie_share=15 / 80))
    assert asked.simulated[0].power == pytest.approx(0.8, abs=0.04)


def test_judgments_of_one_item_hang_together() -> None:
    plan = bt.power(arena(judgments=2000), "owl", "yak")
    duel = bt.compare(arena(judgments=2000), "owl", "yak")
    assert (plan.n, plan.units) == (duel.n, duel.units)
    assert plan.signature.facts["unit"] == "item+judge"
    assert plan.needs[0].groups is not None
    assert "effective-sample" in {finding.code for finding in plan.findings}
    rankings = bt.read_rankings({"owl": [1, 1, 2] * 9, "yak": [2, 2, 1] * 9, "elk": [3, 3, 3] * 9})
    assert bt.power(rankings, "owl", "yak").needed == sample_size.sign_needed(2 / 3)


def test_judgments_that_repeat_one_another_need_as_many_items_as_there_were_judgments() -> None:
    winners = ["a"] * 40 + ["b"] * 25 + ["tie"] * 15
    columns = {"left": ["owl"] * 240, "right": ["yak"] * 240, "winner": winners * 3, "item": [*range(80)] * 3}
    plan = bt.power(columns)
    assert plan.design_effect == pytest.approx(3, rel=0.03)
    assert plan.needs[0].groups == pytest.approx(sample_size.sign_needed(40 / 65, tie_share=15 / 80), rel=0.04)
    assert plan.needed == 3 * plan.needs[0].groups


def _tasted(seed: int, number: int, items: int, judges: int) -> bt.Judgments:
    """Return judgments in which items have tastes of their own, and judges none."""
    rng = np.random.default_rng(seed)
    item, judge = rng.integers(items, size=number), rng.integers(judges, size=number)
    win = rng.random(number) < 1 / (1 + np.exp(-0.5 - rng.normal(size=items)[item]))
    return bt.read_judgments(
        {
            "left": ["owl"] * number,
            "right": ["yak"] * number,
            "winner": np.where(win, "a", "b"),
            "item": item.astype(str),
            "judge": judge.astype(str),
        }
    )


def test_a_plan_by_items_and_judges_keeps_its_promise() -> None:
    """The scarcer unit alone (15 judges) would plan 220 judgments, with which compare has half the power promised."""
    plans = [bt.power(_tasted(seed, 300, 60, 15), win_share=0.602) for seed in range(9)]
    assert {plan.unit for plan in plans} == {"item+judge"}
    assert np.median([plan.design_effect for plan in plans]) == pytest.approx(1.9, abs=0.3)
    number = int(np.median([plan.needed for plan in plans]))
    found = [bt.compare(_tasted(seed, number, number // 5, number // 20)).p <= 0.05 for seed in range(1000, 1120)]
    assert 0.72 < np.mean(found) < 0.95
    text = plans[0].to_text()
    assert "300 judgments from 15 judges, by item and judge" in text
    assert "Simulations draw one unit of dependence, and this evidence has two" in text


def test_a_plan_by_item_is_simulated_as_compare_tests() -> None:
    rng = np.random.default_rng(5)
    taste, item = rng.normal(0, 1.5, 40), np.repeat(np.arange(40), 10)
    win = rng.random(400) < 1 / (1 + np.exp(-0.4 - taste[item]))
    plan = bt.power({"left": ["owl"] * 400, "right": ["yak"] * 400, "winner": np.where(win, "a", "b"), "item": item})
    assert (plan.unit, plan.design_effect > 2) == ("item", True)
    assert plan.simulated[0].power == pytest.approx(0.8, abs=0.06)


def test_identical_systems_are_never_told_apart() -> None:
    for evidence in (bt.read_scores({"owl": [1, 2, 3.5], "yak": [1, 2, 3.5]}), _votes(0, 0, 9)):
        plan = bt.power(evidence)
        assert (plan.needed, plan.smallest, plan.simulated) == (None, None, ())
        assert "distinguishes owl from yak: they never differ." in plan.to_text()
        assert [finding.code for finding in plan.findings] == ["identical"]
        json.loads(plan.to_json(), parse_constant=pytest.fail)


def test_no_observed_difference_needs_no_number_but_its_interval_does() -> None:
    plan = bt.power({"owl": [1.5, 2, 3, 4.5], "yak": [2, 1.5, 4.5, 3]})
    assert plan.needed is None
    assert plan.needs[1].needed == plan.needs[2].needed > 1
    assert "No number of items up to a trillion detects the observed difference of 0." in plan.to_text()
    assert "its interval includes 0, which no number can detect" in plan.to_text()
    json.loads(plan.to_json(), parse_constant=pytest.fail)


def test_far_more_than_there_is_cannot_be_drawn_faithfully() -> None:
    codes = {finding.code for finding in bt.power(_scores(30), difference=0.05).findings}
    assert "extrapolated" in codes
    assert "extrapolated" not in {finding.code for finding in bt.power(_scores(30), difference=0.4).findings}


def test_from_numbers_alone() -> None:
    plan = bt.power(sd=12, difference=1, n=500)
    assert (plan.needed, plan.more, plan.simulated) == (sample_size.t_needed(1 / 12), None, ())
    assert plan.reached == pytest.approx(sample_size.t_power(1 / 12, 500))
    assert sample_size.t_power(plan.smallest / 12, 500) == pytest.approx(0.8, abs=1e-6)
    votes = bt.power(win_share=0.55, tie_share=0.3)
    assert (votes.needed, votes.smallest, votes.n) == (sample_size.sign_needed(0.55, tie_share=0.3), None, None)
    assert "With 4 judgments, no win share is detected with power 0.8." in bt.power(tie_share=0.3, n=4).to_text()


def test_the_result_is_plain_json_and_repeats() -> None:
    plan = bt.power(_scores(), "owl", "yak")
    document = json.loads(plan.to_json(), parse_constant=pytest.fail)
    assert document == plan.to_dict()
    assert {"a", "b", "n", "needed", "more", "smallest", "needs", "simulated", "findings"} <= document.keys()
    assert bt.power(_scores(), "owl", "yak").to_json() == plan.to_json()
    assert (plan.signature.facts["a"], plan.signature.facts["b"]) == ("owl", "yak")
    assert plan.columns()["needed"] == [need.needed for need in plan.needs]
    assert all(len(line) <= 80 for line in plan.to_text(80).splitlines()[:-1])
    for text in (plan.to_markdown(), plan.to_latex(), plan._repr_html_()):
        assert "observed" in text
        assert "wilcoxon" in text


@pytest.mark.parametrize(
    ("evidence", "choices", "message"),
    [
        (_scores(), {"power": 80}, "power must be a number above 0 and below 1, got 80; 80 % is 0.8."),
        (_scores(), {"power": 0.0}, "power must be a number above 0 and below 1, got 0.0; 80 % is 0.8."),
        (_scores(), {"level": 95}, "level must be a number of at least 0.5 and below 1, got 95; 95 % is 0.95."),
        (_scores(), {"tolerance": -1}, "tolerance must be a finite number of at least 0, got -1."),
        (_scores(), {"n": 1}, "n must be a whole number from 2 to 1,000,000,000,000, got 1."),
        (_scores(), {"seed": -1}, "seed must be a whole number of at least 0, got -1."),
        (_scores(), {"sd": 1.0}, "sd is taken from the evidence. Leave it out, or plan without evidence."),
        (_scores(), {"win_share": 0.6}, "win_share is for judgments. For scores use difference."),
        (_scores(), {"difference": 0}, "difference must not be 0: no number of items detects a difference of 0."),
        (_scores(), {"difference": float("inf")}, "difference must be a finite number, got inf."),
        (_scores(), {"simulations": 5}, "simulations must be at least 100, or 0 for none, got 5."),
        (
            _votes(5, 3),
            {"difference": 1.0},
            "difference is for scores: judgments say which system won, not by how much. Use win_share.",
        ),
        (
            _votes(5, 3),
            {"win_share": 0.5},
            "win_share must not be 0.5: no number of judgments detects a share of one half.",
        ),
        (
            _votes(5, 3),
            {"groups": ["a"]},
            "groups are for scores. Judgments are grouped by their item, ranking or judge column.",
        ),
        (None, {"sd": 0.0, "difference": 1}, "sd must be a finite number above 0, got 0.0."),
        (
            None,
            {"tie_share": 1.0, "n": 9},
            "tie_share must be a number of at least 0 and below 1, got 1.0; 30 % is 0.3.",
        ),
        (
            None,
            {"a": "owl", "sd": 1.0},
            "systems, groups and unit need evidence: give it first, as in power(scores, 'A', 'B').",
        ),
        (
            None,
            {"sd": 1.0},
            "a plan needs what is to be detected, or how many there are, or both. Pass difference=1 or n=500.",
        ),
        (
            None,
            {"sd": 1.0, "win_share": 0.6},
            "a plan needs evidence and two systems, or numbers. For scores give sd and difference; for judgments win_share and, if there are ties, tie_share.",
        ),
        (
            {"owl": [2.5], "yak": [1]},
            {},
            "planning needs at least two items, got one. Plan from numbers instead: sd and difference.",
        ),
        (
            {"owl": [2.5, 3.5, 4.5], "yak": [1, 2, 3]},
            {},
            "'owl' and 'yak' differ by 1.5 in every item; without any spread there is nothing to plan. Plan from numbers instead: sd and difference.",
        ),
        (
            {"left": ["owl"] * 4, "right": ["yak"] * 4, "winner": ["a", "b", "a", "a"], "item": ["i"] * 4},
            {"unit": "item"},
            "the judgments between 'owl' and 'yak' do not vary by item, so nothing can be planned from them. Plan from numbers instead: win_share and tie_share.",
        ),
        (
            [("owl", "elk", "a"), ("yak", "elk", "b")],
            {"a": "owl", "b": "yak"},
            "'owl' and 'yak' were never compared with each other. Rank them instead: bt.rank(...).",
        ),
    ],
)
def test_what_cannot_be_planned_is_refused(evidence: Any, choices: Any, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.power(evidence, **choices)
    assert str(refusal.value) == message
