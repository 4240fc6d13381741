"""Scores against costs: the frontier, its probabilities, and the cheapest system that is as good as the best."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import scipy.special
import scipy.stats

import betterthan as bt
from betterthan.inference import mcnemar

TASKS = Path(__file__).parent.parent.parent.parent / "examples" / "tasks.csv"
#: Right and wrong answers to 12 items: means .75, .75, .5 and .25.
ANSWERS = {
    "owl": [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0],
    "yak": [1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1],
    "elk": [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
    "ant": [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
}


def frontier(scores: dict[str, Any], cost: Any, **options: Any) -> Any:
    board = bt.rank(bt.read(scores, systems=list(scores)), model="mean", cost=cost, **options).board
    assert board.frontier is not None
    return board.frontier


def test_the_frontier_has_whom_no_cheaper_system_matches() -> None:
    found = frontier(ANSWERS, {"owl": 5, "yak": 2, "elk": 1, "ant": 3}, ci="none")
    assert [(row.system, row.cost, row.on_frontier, row.dominated_by) for row in found.rows] == [
        ("elk", 1.0, True, ()),
        ("yak", 2.0, True, ()),
        ("ant", 3.0, False, ("yak", "elk")),
        ("owl", 5.0, False, ("yak",)),  # as good for less
    ]
    assert all(row.significant is None and row.probability is None for row in found.rows)
    assert found.of == ("elk", "yak")


def test_of_equal_costs_the_better_one_dominates_and_of_equal_scores_too_neither_does() -> None:
    found = frontier(ANSWERS, {"owl": 1, "yak": 1, "elk": 1}, ci="none")
    assert {row.system: row.on_frontier for row in found.rows} == {"owl": True, "yak": True, "elk": False, "ant": None}
    assert found.rows[2].dominated_by == ("owl", "yak")


def test_less_is_better_turns_scores_round_and_leaves_costs() -> None:
    errors = {name: [1 - each for each in values] for name, values in ANSWERS.items()}
    evidence = bt.read(errors, systems=list(errors), lower_is_better=True)
    found = bt.rank(evidence, model="mean", ci="none", cost={"owl": 5, "yak": 2, "elk": 1, "ant": 3}).board.frontier
    assert found is not None
    assert found.of == ("elk", "yak")
    assert [row.score for row in found.rows] == [0.5, 0.25, 0.75, 0.25]


def test_probabilities_are_shares_of_the_boards_draws_and_significance_is_its_decisions() -> None:
    rng = np.random.default_rng(0)
    strength = {"owl": 0.5, "yak": 0.4, "elk": 0.0, "ant": -1.0}
    scores = {name: (mean + rng.normal(size=40)).tolist() for name, mean in strength.items()}
    costs = {"owl": 4.0, "yak": 2.0, "elk": 2.0, "ant": 3.0}
    board = bt.rank(bt.read(scores, systems=list(scores)), model="mean", resamples=300, cost=costs).board
    assert board.frontier is not None
    assert board.draws is not None
    assert board.decisions is not None
    systems = list(board.fit.systems)
    for row in board.frontier.rows:
        own = systems.index(row.system)
        rivals = [systems.index(name) for name in systems if name != row.system and costs[name] <= costs[row.system]]
        draws = board.draws.strength
        free = np.ones(len(draws), dtype=bool)
        for rival in rivals:  # draws of normal scores are never equal
            free &= draws[:, own] > draws[:, rival]
        assert row.probability == pytest.approx(float(free.mean()))
        above = board.decisions.above
        shown = all(above[own, rival] for rival in rivals)
        beaten = any(above[rival, own] for rival in rivals)
        assert row.significant is (shown if row.on_frontier else beaten)
    by_name = {row.system: row for row in board.frontier.rows}
    assert (by_name["ant"].on_frontier, by_name["ant"].significant) == (False, True)


def test_identical_systems_are_dominated_by_the_cheaper_one_in_every_draw() -> None:
    found = frontier({"owl": ANSWERS["owl"], "yak": ANSWERS["owl"]}, {"owl": 2, "yak": 1}, resamples=100)
    assert [(row.system, row.probability) for row in found.rows] == [("yak", 1.0), ("owl", 0.0)]


def test_the_cheapest_system_within_the_margin_has_the_interval_of_a_comparison() -> None:
    rng = np.random.default_rng(1)
    best = rng.normal(size=200)
    near, far = best - 0.05 + 0.1 * rng.normal(size=200), best - 1 + rng.normal(size=200)
    scores = {"owl": best.tolist(), "yak": near.tolist(), "elk": far.tolist()}
    cost = {"owl": 10, "yak": 1.6, "elk": 1}
    same = frontier(scores, cost, same_within=0.1, resamples=100).same_quality
    assert (same.best, same.system, same.cheaper) == ("owl", "yak", pytest.approx(0.84))
    assert [each.system for each in same.candidates] == ["elk", "yak"]
    gap = near - best  # Student's t at 97.5 %, one-sided: two systems are cheaper
    reach = 1.9719565442517553 * gap.std(ddof=1) / np.sqrt(200)
    assert same.candidates[1].difference == pytest.approx(gap.mean())
    assert same.candidates[1].low == pytest.approx(gap.mean() - reach)
    assert not same.candidates[0].shown
    # The estimate is within 0.065, and its lower end is not.
    assert abs(gap.mean()) < 0.065 < abs(gap.mean() - reach)
    assert frontier(scores, cost, same_within=0.065, resamples=100).same_quality.system is None


def test_agreement_on_a_few_items_does_not_show_that_two_systems_are_as_good() -> None:
    few, many = [1, 1, 0, 1, 1] * 2, [1, 1, 0, 1, 1] * 60
    cost = {"owl": 2, "yak": 1}
    assert frontier({"owl": few, "yak": [*few[:-1], 0]}, cost, same_within=0.2).same_quality.system is None
    same = frontier({"owl": many, "yak": [*many[:-1], 0]}, cost, same_within=0.05).same_quality
    assert (same.system, same.cheaper) == ("yak", 0.5)


@pytest.mark.parametrize(("won", "lost", "number"), [(0, 9, 1000), (3, 8, 60), (0, 0, 40), (5, 0, 25), (20, 30, 90)])
def test_the_lower_end_of_right_and_wrong_answers_is_that_of_the_score_test(won: int, lost: int, number: int) -> None:
    low = mcnemar.score_lower_end(won, lost, number, 0.975)
    same = number - won - lost

    def unlikely(worse: float) -> float:  # shares of wins and losses that differ by `low`
        shares = np.array([worse + low, worse, 1 - 2 * worse - low])
        return -float(scipy.special.xlogy([won, lost, same], shares).sum())

    worse = scipy.optimize.minimize_scalar(unlikely, bounds=(-low, (1 - low) / 2), options={"xatol": 1e-12}).x
    error = np.sqrt((2 * worse + low - low**2) / number)
    assert ((won - lost) / number - low) / error == pytest.approx(scipy.stats.norm.ppf(0.975), abs=1e-4)


def test_losses_without_wins_have_the_end_of_the_score_test() -> None:
    owl = [1] * 800 + [0] * 200
    same = frontier({"owl": owl, "yak": [0] * 9 + owl[9:]}, {"owl": 2, "yak": 1}, same_within=0.02, resamples=50)
    low = same.same_quality.candidates[0].low
    assert low == pytest.approx(mcnemar.score_lower_end(0, 9, 1000, 0.95))
    assert low < bonett_price_end(0, 9, 1000) < -0.009


def bonett_price_end(won: int, lost: int, number: int) -> float:
    """Return Bonett and Price's one-sided end."""
    return mcnemar.bonett_price_interval(won, lost, number, 0.9)[0]


def test_judgments_have_margins_in_elo_by_the_errors_of_draws() -> None:
    games = [("owl", "yak", "a")] * 505 + [("owl", "yak", "b")] * 495
    board = bt.rank(games, ci="analytic", unit="row", cost={"owl": 3, "yak": 1}, same_within=60).board
    assert board.frontier is not None
    assert board.frontier.same_quality is not None
    one = board.frontier.same_quality.candidates[0]
    odds = np.log(505 / 495)
    elo = 400 / np.log(10)
    assert one.difference == pytest.approx(-odds * elo)
    error = elo * np.sqrt(1 / 505 + 1 / 495)
    assert one.low == pytest.approx(-odds * elo - 1.645 * error, rel=0.03)  # drawn, by Student's t
    assert board.frontier.same_quality.system == "yak"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost": {"bee": 1}}, "none of the systems with a cost is on the board"),
        ({"cost": {"owl": -1}}, "the cost of 'owl' must be a number of 0 or more, got -1."),
        ({"cost": {"owl": float("nan")}}, "the cost of 'owl' must be a number of 0 or more, got nan."),
        ({"cost": {}}, "there are no costs"),
        ({"cost": 3}, "cost must be a mapping of systems to numbers, a text or a path, got 3."),
        ({"cost": "price"}, "cost='price' is neither a list of costs nor a file"),
        ({"same_within": 0.1}, "same_within='0.1' looks for a cheaper system, and there are no costs"),
        ({"cost": {"owl": 1}, "same_within": 0.0}, "same_within must be"),
        ({"cost": {"owl": 1}, "same_within": 0.1, "ci": "none"}, "needs an interval of a difference, which ci='none'"),
    ],
)
def test_what_costs_cannot_be_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(bt.PlanError) as refused:
        bt.rank(bt.read(ANSWERS, systems=list(ANSWERS)), model="mean", **options)
    assert message in str(refused.value)


def test_a_margin_on_a_scale_of_chances_is_refused() -> None:
    games = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4
    with pytest.raises(bt.PlanError, match="a difference on the scale winrate depends on all other systems"):
        bt.rank(games, scale="winrate", resamples=50, cost={"owl": 2, "yak": 1}, same_within=0.1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("costs.csv", 'system,cost\n"owl, the wise",3\nyak,0.5\n'),
        ("costs.tsv", "owl, the wise\t3\nyak\t0.5\n"),
        ("costs.json", '{"owl, the wise": 3, "yak": 0.5}'),
        ("costs.toml", '"owl, the wise" = 3\nyak = 0.5\n'),
    ],
)
def test_costs_are_read_from_files(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    found = frontier({"owl, the wise": ANSWERS["owl"], "yak": ANSWERS["yak"]}, tmp_path / name, ci="none")
    assert {row.system: row.cost for row in found.rows} == {"owl, the wise": 3.0, "yak": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("owl,1\nowl,2\n", "has two costs of 'owl'"),
        ("owl,1,2\n", "has no two columns of names and costs"),
        ("owl,1\nyak,cheap\n", "the cost of 'yak' must be a number of 0 or more, got 'cheap'."),
        ('{"owl": 1, "owl": 2}', "has two costs of 'owl'"),
        ("[1]", "has no two columns of names and costs"),
        ("", "has no two columns of names and costs"),
    ],
)
def test_files_without_costs_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "costs.csv").write_text(text, "utf-8")
    with pytest.raises(bt.PlanError, match=message):
        frontier(ANSWERS, tmp_path / "costs.csv", ci="none")


def test_who_has_no_cost_and_whom_the_board_lacks_is_said() -> None:
    found = frontier(ANSWERS, {"owl": 2, "elk": 1, "bee": 1}, ci="none")
    assert found.unknown == ("bee",)
    assert found.sentences == [
        "Cost frontier: elk and owl. Each system that costs more scores better.",
        "Without a cost, and left out: yak and ant.",
        "With a cost, and not on the board: bee.",
    ]


def test_a_best_system_without_a_cost_is_said() -> None:
    found = frontier(ANSWERS, {"elk": 2, "ant": np.int64(1)}, same_within=0.1, resamples=50)
    assert found.same_quality.candidates == ()
    assert "owl, the best system, has no cost, so no cheaper one is compared with it." in found.sentences


def test_the_first_model_alone_has_a_frontier_and_every_format_shows_it(tmp_path: Path) -> None:
    scores = bt.read(ANSWERS, systems=list(ANSWERS))
    boards = bt.rank(scores, model=["mean", "win-rate"], resamples=50, cost={"owl": 2, "yak": 1})
    assert [board.frontier is None for board in boards] == [False, True]
    assert "Cost frontier: mean" in boards.to_markdown()
    board = bt.rank(scores, model="mean", resamples=50, cost={"owl": 2, "yak": 1}, same_within=0.5)
    held = json.loads(board.to_json())["leaderboards"][0]["frontier"]
    assert [row["system"] for row in held["rows"]][:2] == ["yak", "owl"]
    assert held["same_quality"]["best"] == "yak"
    assert "No system is cheaper than yak, the best one." in board.to_markdown()


def test_a_system_that_loses_the_margin_is_rarely_shown_to_be_as_good() -> None:
    """It loses one in twenty of the items and wins none: the case in which samples of few losses mislead most."""
    rng, false = np.random.default_rng(3), 0
    cost = {"owl": 9, **{f"yak{place}": 1 + place for place in range(4)}}
    for _ in range(60):
        best = rng.random(400) < 0.8
        scores = {"owl": best.astype(float)}
        for place in range(4):
            scores[f"yak{place}"] = (best & (rng.random(400) >= 0.05 / 0.8)).astype(float)
        same = frontier(scores, cost, same_within=0.05, ci="analytic").same_quality
        false += same.best == "owl" and same.system is not None
    assert false <= 6  # with 5 %, more are rarer than 5 %


def test_the_picture_has_the_frontier_and_needs_costs() -> None:
    scores = bt.read(ANSWERS, systems=list(ANSWERS))
    cost = {"owl": 50, "yak": 2, "elk": 1, "ant": 3}
    picture = bt.plot("frontier", scores, model="mean", ci="none", cost=cost)
    assert picture.columns["system"] == ["elk", "yak", "ant", "owl"]
    assert picture.columns["on_frontier"] == [True, True, False, False]
    assert picture.spec["layer"][0]["encoding"]["x"]["scale"]["type"] == "log"
    line = picture.spec["datasets"][picture.spec["layer"][0]["data"]["name"]]
    assert [each["score"] for each in line] == [0.5, 0.75]
    near = bt.plot("frontier", scores, model="mean", ci="none", cost={**cost, "owl": 5})
    assert "type" not in near.spec["layer"][0]["encoding"]["x"]["scale"]
    with pytest.raises(bt.PlanError, match="frontier is a picture of scores against costs"):
        bt.plot("frontier", scores)
    with pytest.raises(bt.BetterthanError, match="this leaderboard has no costs to draw"):
        _ = bt.rank(scores, model="mean", ci="none").board.plot.frontier()


def test_factors_have_no_costs() -> None:
    rows = [(f"i{item}", model, prompt, float(item)) for item in range(9) for model in "ab" for prompt in "xy"]
    columns = dict(zip(("item", "model", "prompt", "score"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(bt.PlanError, match="factors have none, so cost has no effect"):
        bt.rank_factors(bt.read(columns, system="model", judge="prompt"), cost={"a": 1})


def test_a_state_is_set_against_costs(tmp_path: Path) -> None:
    games = [("owl", "yak", "a")] * 6 + [("owl", "yak", "b")] * 4
    board = bt.rank(games, state=tmp_path / "board.state", cost={"owl": 2, "yak": 1}, resamples=50).board
    assert board.frontier is not None
    assert board.frontier.of == ("yak", "owl")


def test_of_many_data_sets_the_text_says_where_their_frontiers_are() -> None:
    boards = bt.rank(TASKS, model="mean", ci="none", cost={"aurora": 2, "birch": 1})
    assert "Each leaderboard has its own cost frontier: see Markdown or JSON, or choose one with where" in str(boards)
    assert boards.to_markdown().count("Cost frontier: ") == 8  # a table and a sentence for each
