"""Intervals of medians: against SciPy and closed forms, and the truth of simulated scores."""

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference import median_intervals

NAMES = ("elk", "fox", "owl", "yak", "bee")


def _board(values: np.ndarray, group: np.ndarray | None = None, **choices: Any) -> Any:
    table = {name: column.tolist() for name, column in zip(NAMES, values.T, strict=False)}
    if group is not None:
        table["document"] = [f"d{code}" for code in group]
    scores = bt.read_scores(table, group=None if group is None else "document", **choices)
    return bt.rank(scores, model="median", resamples=20).board


@pytest.mark.parametrize("items", [6, 7, 8, 20, 31, 200, 1001])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_independent_items_have_the_interval_of_the_exact_test(items: int, level: float) -> None:
    values = np.random.default_rng(items).exponential(size=items)
    expected = stats.quantile_test(values, q=1.0, p=0.5).confidence_interval(level)
    low, high = median_intervals(values[:, None], None, level)
    # SciPy's may be one score shorter at one end, where that is as rare as it may be; it never is at both.
    rank = next(rank for rank in range(items, 0, -1) if 2 * stats.binom.cdf(rank - 1, items, 0.5) <= 1 - level + 1e-12)
    line = np.sort(values)
    assert (low[0], high[0]) == (line[rank - 1], line[-rank])
    assert low[0] <= expected.low <= np.median(values) <= expected.high <= high[0]


@pytest.mark.parametrize("groups", [4, 9, 25])
def test_equal_groups_have_students_interval_of_the_share_below(groups: int) -> None:
    rng = np.random.default_rng(groups)
    group = np.repeat(np.arange(groups), 8)
    values = 0.6 * rng.normal(size=groups)[group] + rng.normal(size=8 * groups)
    shares = (values < np.median(values)).reshape(groups, 8).mean(axis=1)
    reach = stats.t.ppf(0.975, groups - 1) * stats.sem(shares)
    line, rank = np.sort(values), int(8 * groups * (0.5 - reach))
    low, high = median_intervals(values[:, None], group, 0.95)
    assert (low[0], high[0]) == (line[rank - 1], line[-rank])
    alone = median_intervals(values[:, None], np.arange(8 * groups), 0.95)
    assert alone[0] == median_intervals(values[:, None], None, 0.95)[0] > low[0]


def test_groups_that_agree_have_at_least_the_interval_of_independent_items() -> None:
    values = np.tile([-1.1, -0.3, 0.2, 1.4], 10) + np.linspace(0, 0.01, 40)
    group = np.repeat(np.arange(10), 4)
    alone = median_intervals(values[:, None], None, 0.95)
    np.testing.assert_array_equal(median_intervals(values[:, None], group, 0.95), alone)


def test_missing_scores_are_left_out() -> None:
    rng = np.random.default_rng(1)
    values, group = rng.normal(size=(60, 2)), np.repeat(np.arange(12), 5)
    values[rng.random(60) < 0.4, 1] = np.nan
    known = ~np.isnan(values[:, 1])
    whole, alone = median_intervals(values, group, 0.95), median_intervals(values[known, 1:], group[known], 0.95)
    assert (whole[0][1], whole[1][1]) == (alone[0][0], alone[1][0])
    values[:, 0] = np.nan
    assert np.isnan(median_intervals(values, group, 0.95)[0][0])


def test_too_few_items_or_groups_leave_an_open_interval_and_say_so() -> None:
    values = np.random.default_rng(2).normal(size=(30, 2))
    apart = values + np.repeat([0.0, 9.0, 18.0], 10)[:, None]
    for board, few in ((_board(values[:5]), "5 items"), (_board(apart, np.repeat(np.arange(3), 10)), "3 groups")):
        said = f"{few} are too few for a confidence interval of the median of 'elk', 'fox'."
        assert [each.message for each in board.findings if each.code == "open-medians"] == [said]
        assert all(row.low is None and row.high is None for row in board)
        assert [row["low"] for row in json.loads(board.to_json())["rows"]] == [None, None]
    enough = _board(values[:6])
    assert all(row.low is not None and row.high is not None for row in enough)
    assert "open-medians" not in [each.code for each in enough.findings]


def test_an_open_end_is_the_end_of_a_known_scale() -> None:
    values = np.random.default_rng(3).integers(1, 6, (5, 5)).astype(float)
    values[0, 0], values[1, 0] = 1.0, 5.0
    board = _board(values)
    assert all((row.low, row.high) == (1.0, 5.0) for row in board)
    assert "open-medians" not in [each.code for each in board.findings]


def test_lower_is_better_changes_no_end() -> None:
    values = np.random.default_rng(4).lognormal(size=(25, 2))
    plain, turned = _board(values), _board(values, lower_is_better=True)
    assert [plain[name].interval for name in NAMES[:2]] == [turned[name].interval for name in NAMES[:2]]


def _documents(number: int, *, unequal: bool) -> np.ndarray:
    share = 1 / np.arange(1, number + 1) if unequal else np.ones(number)
    return np.repeat(np.arange(number), np.maximum(1, np.round(share / share.sum() * 6 * number)).astype(int))


@pytest.mark.parametrize("scores", ["continuous", "ratings"])
@pytest.mark.parametrize("unequal", [False, True])
@pytest.mark.parametrize("number", [3, 5, 8])
def test_the_default_board_holds_the_truth_of_few_or_unequal_groups(scores: str, unequal: bool, number: int) -> None:
    rng = np.random.default_rng(number)
    group = _documents(number, unequal=unequal)
    held = []
    for _ in range(20):
        values = 0.6 * rng.normal(size=(number, 5))[group] + 0.8 * rng.normal(size=(len(group), 5))
        truth = 0.0
        if scores == "ratings":  # half of all ratings are 3 at most, and half are 4 at least
            values, truth = np.clip(np.floor(values * 1.2) + 4, 1, 5), 3.5
        held += [
            (row.low is None or row.low <= truth) and (row.high is None or truth <= row.high)
            for row in _board(values, group)
        ]
    assert np.mean(held) >= 0.93
