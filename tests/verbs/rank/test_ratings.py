"""Ratings of items by several judges: intervals and tests allow for both."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.base.arrays import FloatArray
from betterthan.datasets import ScoreMatrix, data_sets
from betterthan.datasets.statistics.score_matrix import RatingMatrix
from betterthan.inference import mean_pairs
from betterthan.inference.intervals.crossed_means import ByJudge
from betterthan.readers.conversion import convert

_SYSTEMS = np.array(["owl", "yak", "elk"])


def _ratings(rng: np.random.Generator, items: int, judges: int, taste: float, systems: int = 2) -> FloatArray:
    """Draw ratings of equal systems (items × judges × systems); judges have a taste for systems, or none."""
    hard, strict = rng.normal(size=(items, 1, 1)), rng.normal(0, 0.5, (1, judges, 1))
    suits, likes = rng.normal(0, 0.5, (items, 1, systems)), rng.normal(0, taste, (1, judges, systems))
    return np.asarray(hard + strict + suits + likes + rng.normal(size=(items, judges, systems)))


def _long(ratings: FloatArray, kept: Any = True) -> dict[str, Any]:
    item, judge, system = np.nonzero(np.broadcast_to(kept, ratings.shape))
    return {
        "item": np.array([f"i{code:02}" for code in item]),
        "judge": np.array([f"j{code:02}" for code in judge]),
        "system": _SYSTEMS[system],
        "rating": ratings[item, judge, system],
    }


def _codes(result: Any) -> set[str]:
    return {finding.code for finding in result.findings}


@pytest.mark.parametrize(("items", "judges", "runs", "most"), [(50, 5, 24, 4), (50, 20, 24, 4), (20, 10, 8, 2)])
@pytest.mark.parametrize("taste", [0.0, 0.5])
def test_default_calls_hold_their_level(items: int, judges: int, runs: int, most: int, taste: float) -> None:
    rng = np.random.default_rng(items + judges)
    wrong = dict.fromkeys(("interval", "ranks", "difference", "test"), 0)
    for _ in range(runs):
        table = _long(_ratings(rng, items, judges, taste))
        board = bt.rank(table, model="mean", resamples=200).board
        low, high = (np.array([getattr(row, end) for row in board], dtype=float) for end in ("low", "high"))
        wrong["interval"] += np.mean((low > 0) | (high < 0))
        wrong["ranks"] += all(row.rank_low == row.rank_high for row in board)
        duel = bt.compare(table)
        difference = duel.effect("mean_difference")
        assert difference is not None
        assert difference.low is not None
        assert difference.high is not None
        wrong["difference"] += not difference.low <= 0 <= difference.high
        wrong["test"] += duel.p <= 0.05
    # Of 24 runs at 5 %, more than 4 are wrong once in 170 times; of 8, more than 2 once in 170 times too.
    assert max(wrong.values()) <= most, wrong


def test_the_error_of_a_difference_is_that_of_two_crossed_factors() -> None:
    ratings = _ratings(np.random.default_rng(3), 30, 6, 0.7)
    duel = bt.compare(_long(ratings), "owl", "yak")
    gaps = ratings[:, :, 0] - ratings[:, :, 1]
    items, judges = gaps.shape
    away = gaps - gaps.mean()
    by_item, by_judge = np.var(gaps.mean(axis=1), ddof=1) / items, np.var(gaps.mean(axis=0), ddof=1) / judges
    single = np.sum(away**2) / away.size / (away.size - 1)
    assert by_item > single
    assert by_judge > single
    # Judges alone leave more doubt than both together would, or the other way round.
    total = by_item + by_judge - single
    both = total, total**2 / (by_item**2 / (items - 1) + by_judge**2 / (judges - 1))
    tests = {
        2 * stats.t.sf(abs(gaps.mean()) / np.sqrt(variance), freedom): (variance, freedom)
        for variance, freedom in (both, (by_judge, judges - 1), (by_item, items - 1))
    }
    variance, freedom = tests[max(tests)]
    found = next(test for test in duel.tests if test.name == "t")
    assert found.statistic == pytest.approx(gaps.mean() / np.sqrt(variance))
    assert found.p == pytest.approx(max(tests))
    assert found.note == f"by item and judge, {freedom:.1f} degrees of freedom"
    assert duel.unit == "item+judge"
    assert "50 items" not in duel.verdict
    assert "30 items by item and judge" in duel.verdict
    # All pairs are tested alike.
    scores = data_sets(_long(ratings)).only("a test").statistic(ScoreMatrix)
    assert scores is not None
    assert mean_pairs(scores.values, seed=0, ratings=scores.ratings)[1][0, 1] == found.p


def test_judges_who_rated_one_system_only_and_ties_within_a_tolerance_add_up() -> None:
    rng = np.random.default_rng(4)
    ratings = _ratings(rng, 20, 7, 0.5)
    table = bt.read_scores(_long(ratings, rng.random(ratings.shape) < 0.6)).tables[0]
    both = ~np.any(np.isnan(table.values), axis=1)
    for tolerance in (0.0, 0.5):
        found = ByJudge.of(RatingMatrix.of(table), (0, 1), both, tolerance)
        gaps = (table.values[:, 0] - table.values[:, 1])[both]
        gaps[np.abs(gaps) <= tolerance] = 0.0
        np.testing.assert_allclose(np.bincount(found.item, found.gap), gaps - gaps.mean(), atol=1e-12)
        np.testing.assert_allclose(np.bincount(found.item, found.share), 1.0)


def test_the_mean_is_still_that_of_items() -> None:
    rng = np.random.default_rng(5)
    ratings = _ratings(rng, 20, 7, 0.5, 3)
    scores = bt.read_scores(_long(ratings, rng.random(ratings.shape) < 0.6))
    for ci in ("bootstrap", "analytic"):
        board = bt.rank(scores, model="mean", ci=ci, unit="item+judge").board
        values = dict(zip(scores.tables[0].systems, np.nanmean(scores.tables[0].values, axis=0), strict=True))
        assert {row.system: row.score for row in board} == pytest.approx(values)
    widths = [
        [row.high - row.low for row in bt.rank(scores, model="mean", ci=ci, seed=1).board]  # type: ignore[operator]
        for ci in ("bootstrap", "analytic")
    ]
    np.testing.assert_allclose(widths[0], widths[1], rtol=0.15)


def test_every_model_allows_for_judges_or_says_that_it_does_not() -> None:
    rng = np.random.default_rng(6)
    ratings = _ratings(rng, 40, 8, 0.0)
    ratings[:, :, 0] += np.repeat([-2.0, 2.0], 4)[None, :]  # half of the judges love owl, half of them hate it
    for ci in ("bootstrap", "analytic"):
        boards = bt.rank(_long(ratings), ci=ci, resamples=300)
        assert [board.settings.unit for board in boards] == ["item+judge"] * len(boards.boards)
        assert "other-units" not in _codes(boards)
        by_item = bt.rank(_long(ratings), ci=ci, unit="item", resamples=300)
        assert "other-units" in _codes(by_item)
        for board, narrow in zip(boards, by_item, strict=True):
            one, other = (next(row for row in rows if row.system == "owl") for rows in (board, narrow))
            assert one.high - one.low > 1.5 * (other.high - other.low)  # type: ignore[operator]
    elo = bt.rank(_long(ratings), model="elo", resamples=50)
    assert elo.board.settings.unit == "item"
    assert "other-units" in _codes(elo)
    with pytest.raises(bt.PlanError, match=r"elo takes one unit of dependence, not item\+judge"):
        bt.rank(_long(ratings), model="elo", unit="item+judge")
    wins = bt.compare(_long(ratings), question="wins")
    assert wins.unit == "item"
    assert "other-units" in _codes(wins)
    assert "judges-in-mean" in _codes(bt.compare(_long(ratings)))
    for verb in (bt.power(_long(ratings)), bt.diagnose(_long(ratings)), bt.select(_long(ratings), "mean,win-rate")):
        assert "other-units" in _codes(verb)


def test_judges_of_several_tasks_are_doubted_overall() -> None:
    table = _long(_ratings(np.random.default_rng(10), 10, 6, 0.5))
    both = {name: np.concatenate([column, column]) for name, column in table.items()}
    found = bt.compare_tasks({**both, "task": np.repeat(["x", "y"], len(table["item"]))}, "owl", "yak")
    assert {duel.unit for duel in found.duels} == {"item+judge"}
    alone = bt.compare(table).effect("mean_difference")
    assert alone is not None
    assert found.tasks[0].difference.low == pytest.approx(alone.low)
    assert "judge in several tasks" in next(each.message for each in found.findings if each.code == "other-units")


def test_few_judges_are_units_and_one_judge_per_item_is_enough() -> None:
    ratings = _ratings(np.random.default_rng(7), 40, 8, 1.0)
    few = bt.rank(_long(ratings[:, :2]), model="mean", resamples=100)
    assert few.board.settings.unit == "item+judge"
    assert few.board.draws.units == 2  # type: ignore[union-attr]
    assert "fixed-units" not in _codes(few)
    one_each = np.arange(8) == (np.arange(40) % 8)[:, None]
    alone = bt.rank(_long(ratings, one_each[:, :, None]), model="mean", resamples=100)
    assert alone.board.settings.unit == "item+judge"
    assert "judges-averaged" not in _codes(alone)
    of_items = _long(ratings[:, :1])
    with pytest.raises(bt.PlanError) as refusal:
        bt.rank(of_items, model="mean", unit="item+judge")
    assert str(refusal.value) == (
        "scores are resampled by item, got 'item+judge'. It needs two judges or more: name their column with judge."
    )


def test_judges_survive_any_order_of_rows_a_conversion_and_an_exclusion() -> None:
    table = _long(_ratings(np.random.default_rng(8), 12, 6, 0.5))
    scores = bt.read_scores(table)
    order = np.random.default_rng(0).permutation(len(table["item"]))
    turned = bt.read_scores({name: np.asarray(column)[order] for name, column in table.items()})
    boards = [bt.rank(each, model="mean", resamples=50) for each in (scores, turned)]
    assert boards[0].board.data == boards[1].board.data
    assert [row.low for row in boards[0].board] == pytest.approx([row.low for row in boards[1].board])
    again = bt.read_scores(convert(scores, "scores")).tables[0]
    assert again.repeats == scores.tables[0].repeats
    np.testing.assert_array_equal(again.values, scores.tables[0].values)
    without = bt.read_scores(table, exclude=["judge=j00"])
    assert without.tables[0].repeats is not None
    assert without.tables[0].repeats.judges == 5


def test_analytic_intervals_of_means_allow_for_groups() -> None:
    rng = np.random.default_rng(9)
    group = np.repeat(np.arange(15), 4)
    values = rng.normal(size=15)[group][:, None] + rng.normal(0, 0.1, (60, 2))
    item, system = np.nonzero(np.ones_like(values))
    table = {
        "item": item.astype(str),
        "document": group[item].astype(str),
        "system": _SYSTEMS[system],
        "score": values[item, system],
    }
    board = bt.rank(bt.read_scores(table, group="document"), model="mean", ci="analytic").board
    sums = np.stack([np.bincount(group, column - column.mean()) for column in values.T], axis=1)
    error = np.sqrt((sums**2).sum(axis=0) * 15 / 14) / 60
    reach = {name: 2 * stats.t.ppf(0.975, 14) * each for name, each in zip(_SYSTEMS, error, strict=False)}
    for row in board:
        assert row.high - row.low == pytest.approx(reach[row.system], rel=0.05)  # type: ignore[operator]
