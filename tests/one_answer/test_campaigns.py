"""A campaign has one board: its page, `rank`, all pairs, the report and the decisions of its policy agree on it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.base.errors import PlanError
from betterthan.campaign.exports.judgment_export import columns_of, deciding
from betterthan.campaign.planning.standing import standing_of
from betterthan.campaign.policies.policy_chances import board_of
from betterthan.campaign.service.campaign import Campaign
from betterthan.verbs.report.methods_text import methods
from tests.campaign.worlds import SYSTEMS, campaign, material, ranked
from tests.one_answer.test_one_decision import check_board, of_board, of_pairs

JUDGES = 60


def judged(place: Path, *, way: int = 2, answers: int = 900) -> Campaign:
    """Let many judges prefer systems in the order of their names, more often than not."""
    running = campaign(place, material(items=300, systems=4), way=way, policy="uniform")
    rng = np.random.default_rng(3)
    judges = [running.add_judge(f"judge {number}").result()[0].number for number in range(JUDGES)]
    for number in range(answers):
        judge = judges[number % JUDGES]
        for task in running.hand_out(judge).result().tasks:
            running.submit(judge, task.lease, f"answer-{number}", _answer(running, task, rng)).result()
    return running


def _answer(running: Campaign, task: Any, rng: np.random.Generator) -> Any:
    lease = running.writer.state.leases[task.lease]
    quality = [-1.5 * system + rng.logistic() for system in lease.systems]
    return ranked(task, *(1 + sum(other > own for other in quality) for own in quality))


@pytest.fixture(scope="module", params=[2, 3])
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The path of a campaign, its page's board and what its policy decided about pairs."""
    place = tmp_path_factory.mktemp("campaign") / f"way-{request.param}.campaign"
    with judged(place, way=request.param, answers=900 if request.param == 2 else 400) as running:
        state = running.writer.state
        rows = deciding(state.kept, running.material, state.options)
        return place, board_of(columns_of(rows, state.options), state.options), standing_of(running).pairs


def test_the_page_and_rank_show_the_same_board(finished: Any) -> None:
    place, page, _ = finished
    (board,) = page["leaderboards"]
    ranked_by_file = bt.rank(place).board
    assert [*ranked_by_file.to_dict()["rows"]] == board["rows"]
    assert ranked_by_file.settings.horizon == "anytime"
    assert "|horizon:anytime|" in ranked_by_file.line
    assert str(ranked_by_file.settings.unit) == "item+judge"
    check_board(ranked_by_file)


def test_decisions_are_those_of_the_policy(finished: Any) -> None:
    """What the page calls decided is what rank ranges are made of; judgments of some pairs decide."""
    place, _, pairs = finished
    expected = {}
    for pair in pairs:
        sign = {"first": 1, "second": -1, "undecided": 0}[pair["state"]]
        expected |= {(pair["first"], pair["second"]): sign, (pair["second"], pair["first"]): -sign}
    board = bt.rank(place).board
    assert of_board(board) == expected
    assert 1 in expected.values()
    assert of_pairs(bt.compare_all(place)) == expected
    first = board.rows[0].system
    assert first == SYSTEMS[0]


def test_every_output_says_that_one_may_look_often(finished: Any) -> None:
    place, _, _ = finished
    found, pairs = bt.rank(place), bt.compare_all(place)
    assert "for items and judges like these, however often you look" in found.board.verdict
    assert "any-look" in {finding.code for finding in found.findings}
    assert "extended to those of scores shrunken to their mean" in methods(bt.report(place).parts[0])[0]
    assert pairs.test == "anytime"
    assert (
        "however often you look (each pair's own anytime-valid test by item and judge, Holm-corrected" in pairs.verdict
    )
    duel = bt.compare(place, SYSTEMS[0], SYSTEMS[1])
    assert "for items and judges like these, for one look at the end: share won" in duel.verdict
    assert "(each pair's own anytime-valid test, Holm-corrected, p" in str(duel).replace("\n", " ")
    once = bt.rank(place, horizon="fixed")
    assert "however often" not in str(once)
    assert once.board.scope == "for items and judges like these, for one look at the end"
    assert bt.compare_all(place, by="pair").scope == once.board.scope == bt.rank(place, clusters="wmt").board.scope
    assert "any-look" not in {finding.code for finding in pairs.findings}
    assert "|horizon:fixed|" in once.board.line
    again = bt.rank(place, plan=once.board.line)
    assert again.board.to_dict()["rows"] == once.board.to_dict()["rows"]


@pytest.mark.parametrize("horizon", [None, "fixed"])
def test_all_pairs_are_looked_at_as_often_as_the_board(finished: Any, horizon: str | None) -> None:
    place, _, _ = finished
    board, pairs = bt.rank(place, horizon=horizon).board, bt.compare_all(place, horizon=horizon)
    order = [board.fit.systems.index(system) for system in pairs.systems]
    np.testing.assert_array_equal(pairs.p_adjusted, board.decisions.p_adjusted[np.ix_(order, order)])
    assert f"|horizon:{horizon or 'anytime'}|" in str(pairs.signature)
    assert "horizon" not in str(bt.compare_all(place, by="pair").signature)
    with pytest.raises(PlanError, match="one look"):
        bt.compare_all(place, by="pair", horizon="anytime")


def test_intervals_of_runs_and_ranges_of_single_systems_are_looked_at_once(finished: Any) -> None:
    place, _, _ = finished
    assert bt.rank(place, clusters="wmt").board.settings.horizon is None
    assert bt.rank(place, ci="none").board.settings.horizon is None
    with pytest.raises(PlanError, match="decides about pairs by their judgments"):
        bt.rank({"owl": [1.0, 2, 4], "yak": [2.0, 1, 3]}, model="mean", horizon="anytime")


def test_a_pair_that_contradicts_the_order_of_strengths_stays_open() -> None:
    """Of three systems in a circle, one pair is against any order."""
    rows = [("a", "b", "left")] * 60 + [("b", "c", "left")] * 60 + [("c", "a", "left")] * 40
    rows += [(right, left, "left") for left, right, _ in rows[::8]]
    board = bt.rank(rows, horizon="anytime").board
    decided = of_board(board)
    assert decided["c", "a"] == 0
    assert decided["a", "b"] == decided["b", "c"] == 1
    check_board(board)


def test_the_report_forecasts_as_the_page_does(tmp_path: Path) -> None:
    """A lead that is still open needs as many more judgments as the campaign's own forecast says."""
    place = tmp_path / "young.campaign"
    with judged(place, answers=300) as running:
        needed = {frozenset((pair["first"], pair["second"])): pair["needed"] for pair in standing_of(running).pairs}
    first, rival = (row.system for row in bt.rank(place).board.rows[:2])
    (steps,) = (each.next_steps for each in bt.report(place).verdicts)
    assert needed[frozenset((first, rival))] > 0
    assert f"To separate {first} from {rival}, collect about {needed[frozenset((first, rival))]:,} more" in " ".join(
        steps
    )


def test_a_state_made_from_a_campaign_stays_one_that_was_watched(finished: Any, tmp_path: Path) -> None:
    place, _, _ = finished
    if bt.read(place).kind == "rankings":  # which states do not keep
        return
    state = tmp_path / "state.duckdb"
    assert bt.rank(place, state=state).board.settings.horizon == "anytime"
    again = bt.rank(None, state=state).board
    assert again.settings.horizon == "anytime"
    assert of_board(again) == of_board(bt.rank(place).board)
