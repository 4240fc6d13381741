"""Intervals of means: against closed forms, and the truth of simulated scores."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.inference import clustered_error, mean_pairs
from betterthan.inference.intervals.mean_intervals import _pooled_ratios, scale_of
from betterthan.inference.intervals.studentised import resampled_ratios

NAMES = ("elk", "fox", "owl", "yak", "bee")


def _board(values: np.ndarray, **choices: Any) -> Any:
    table = {name: column.tolist() for name, column in zip(NAMES, values.T, strict=False)}
    return bt.rank(bt.read_scores(table), model="mean", resamples=20, **choices).board


def test_equal_units_have_students_error() -> None:
    values = np.random.default_rng(0).normal(size=(12, 3))
    error, freedom = clustered_error(values, np.ones((12, 3)))
    np.testing.assert_allclose(error, stats.sem(values, axis=0))
    np.testing.assert_allclose(freedom, 11)


def test_unequal_units_have_the_error_of_the_jackknife_and_satterthwaites_freedom() -> None:
    rng = np.random.default_rng(1)
    sizes = np.array([9.0, 4, 3, 2, 1])
    sums = rng.normal(size=5) * sizes
    without = np.array([(sums.sum() - sums[k]) / (sizes.sum() - sizes[k]) for k in range(5)])
    error, freedom = clustered_error(sums, sizes)
    mean = sums.sum() / sizes.sum()
    assert error == pytest.approx(np.sqrt(0.8 * np.sum((without - mean) ** 2)))
    # Bell and McCaffrey's definition, with the matrices written out, for independent items.
    group = np.repeat(np.arange(5), sizes.astype(int))
    residual = np.eye(19) - 1 / 19
    columns = []
    for code in range(5):
        own = group == code
        columns.append(residual[:, own] @ np.ones(own.sum()) / 19 / np.sqrt(1 - own.sum() / 19))
    value = np.linalg.eigvalsh(np.stack(columns).T.T @ np.stack(columns).T)
    assert freedom == pytest.approx(value.sum() ** 2 / np.sum(value**2))


def test_shared_resamples_are_those_of_repeated_units() -> None:
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 6, (9, 1)).astype(float)
    sums = rng.exponential(size=(9, 2)) * sizes
    gaps = sums - sums.sum(axis=0) / sizes.sum() * sizes
    found = resampled_ratios(gaps, sizes, np.random.default_rng(3), 50)
    drawn = np.random.default_rng(3).integers(9, size=(50, 9))
    for ratio, units in zip(found, drawn, strict=True):
        some, number = sums[units], sizes[units]
        mean = some.sum(axis=0) / number.sum()
        error = np.sqrt(np.sum((some - mean * number) ** 2, axis=0) * 9 / 8) / number.sum()
        np.testing.assert_allclose(ratio, (mean - sums.sum(axis=0) / sizes.sum()) / error, rtol=1e-9)
    constant = resampled_ratios(np.array([[2.0], [-1.0], [-1.0]]), np.ones((3, 1)), np.random.default_rng(0), 200)
    same = [len(set(row)) == 1 or set(row) == {1, 2} for row in np.random.default_rng(0).integers(3, size=(200, 3))]
    np.testing.assert_array_equal(np.isnan(constant[:, 0]), same)


def test_pooled_resamples_draw_standardised_units_of_all_systems() -> None:
    rng = np.random.default_rng(12)
    sizes = np.repeat(rng.integers(1, 6, (7, 1)), 3, axis=1) / 20
    parts = rng.exponential([1.0, 5.0, 90.0], size=(7, 3)) * sizes
    parts -= parts.sum(axis=0) / sizes.sum(axis=0) * sizes
    found = _pooled_ratios(parts, sizes, np.random.default_rng(13))
    spread = np.sqrt(np.mean(parts**2, axis=0))
    pool = [(parts[unit, system] / spread[system], sizes[unit, 0]) for unit in range(7) for system in range(3)]
    drawn = np.random.default_rng(13).integers(21, size=(9999, 7))
    for ratio, units in zip(found[:50], drawn[:50], strict=True):
        gaps, weights = np.array([pool[place] for place in units]).T
        mean = gaps.sum() / weights.sum()
        assert ratio == pytest.approx(mean * weights.sum() / np.sqrt(np.sum((gaps - mean * weights) ** 2) * 7 / 6))


@pytest.mark.parametrize("seed", range(4))
def test_scores_of_the_other_systems_show_skewness(seed: int) -> None:
    """A sample without a large score looks symmetric: alone it would have a shorter interval."""
    values = np.random.default_rng(seed).lognormal(size=(10, 5))
    calm = np.linspace(0.5, 1.5, 10) ** 2
    together = _board(np.column_stack([calm, values[:, 1:]]))["elk"]
    alone = _board(np.column_stack([calm, np.zeros(10)]))["elk"]
    assert together.high - together.score > 1.05 * (alone.high - alone.score)


def test_skewed_scores_of_few_items_are_said() -> None:
    rng = np.random.default_rng(14)
    skewed, even = rng.lognormal(size=(12, 3)), rng.normal(size=(12, 3))
    found = [each for each in _board(skewed).findings if each.code == "skewed-scores"]
    assert [each.message for each in found] == [
        "The scores are skewed, and 12 items say too little about how extreme a score can be: "
        "intervals of means may be too short."
    ]
    ratings = np.where(rng.random((40, 3)) < 0.9, 5.0, 1.0 + rng.integers(0, 4, (40, 3)))  # bounded on both sides
    for values in (even, ratings, rng.lognormal(size=(200, 3))):
        assert "skewed-scores" not in [each.code for each in _board(values).findings]


def test_scales_show_in_the_scores() -> None:
    ratings = np.tile([5.0, 4.0, 1.0], 10)
    assert scale_of(ratings) == (1.0, 5.0)
    assert scale_of(ratings[:6]) == (-np.inf, np.inf)
    assert scale_of(np.array([1.0, 0.0])) == (0.0, 1.0)
    assert scale_of(np.full(30, 0.4)) == (0.0, 1.0)
    assert scale_of(-np.full(30, 0.4)) == (-1.0, 0.0)
    assert scale_of(np.linspace(0.1, 90, 30)) == (0.0, np.inf)
    assert scale_of(np.linspace(-3, 90, 30)) == (-np.inf, np.inf)


def test_many_symmetric_scores_have_students_interval() -> None:
    values = np.random.default_rng(4).normal(size=(200, 2))
    for row, column in zip(("elk", "fox"), values.T, strict=True):
        low, high = stats.t.interval(0.95, 199, column.mean(), stats.sem(column))
        assert _board(values)[row].interval == pytest.approx((low, high))


def test_no_interval_leaves_the_scale_or_has_zero_width() -> None:
    rng = np.random.default_rng(5)
    values = np.where(rng.random((30, 3)) < 0.9, 5.0, rng.integers(1, 5, (30, 3)))
    values[:, 0] = 5.0
    values[0, 1] = 1.0
    board = _board(values)
    assert board["elk"].high == 5.0
    assert board["elk"].low == pytest.approx(5 - 4 * (1 - 0.025 ** (1 / 30)))
    assert all(1 <= row.low < row.high <= 5 for row in board)
    right = _board(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]))
    assert all(0 <= row.low < row.high <= 1 for row in right)


def test_the_seed_hardly_moves_an_end() -> None:
    values = np.random.default_rng(6).lognormal(size=(40, 1)) @ np.ones((1, 2))
    ends = np.array([_board(values, seed=seed)["elk"].interval for seed in range(12)])
    assert np.all(ends.std(axis=0) <= 0.015 * np.mean(ends[:, 1] - ends[:, 0]))
    assert _board(values, seed=3) == _board(values, seed=3)


WORLDS: dict[str, Any] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), 0.0, 0.93),
    "ceiling": (lambda rng, shape: np.where(rng.random(shape) < 0.9, 5.0, rng.integers(1, 5, shape)), 4.75, 0.93),
    "zeros": (lambda rng, shape: np.where(rng.random(shape) < 0.8, 0.0, rng.exponential(size=shape)), 0.2, 0.93),
    "skewed": (lambda rng, shape: rng.lognormal(size=shape), np.exp(0.5), 0.93),
    "exponential": (lambda rng, shape: rng.exponential(size=shape), 1.0, 0.93),
    "rare": (lambda rng, shape: (rng.random(shape) < 0.02).astype(float), 0.02, 0.93),
}


@pytest.mark.parametrize("world", WORLDS)
def test_the_default_board_holds_the_truth_of_ten_items(world: str) -> None:
    draw, truth, least = WORLDS[world]
    rng = np.random.default_rng(7)
    rows = [row for _ in range(40) for row in _board(draw(rng, (10, 5)))]
    assert np.mean([row.low <= truth <= row.high for row in rows]) >= least


@pytest.mark.parametrize("together", [0.0, 1.0])
def test_groups_of_very_unequal_size_raise_no_false_alarms(together: float) -> None:
    rng = np.random.default_rng(10)
    share = 1 / np.arange(1, 31) ** 1.5
    group = np.repeat(np.arange(30), np.maximum(1, np.round(share / share.sum() * 150)).astype(int))
    alarms = 0
    for _ in range(100):
        gap = together * rng.normal(size=30)[group] + (1 - together) * rng.normal(size=len(group))
        alarms += mean_pairs(np.stack([gap, np.zeros(len(gap))], axis=1), group, seed=0)[1][0, 1] <= 0.05
    assert alarms <= 11  # at 5 %, more than 11 of 100 are seen once in 230 times; at 20 % hardly ever fewer


@pytest.mark.parametrize("items", [2, 3])
def test_few_scores_of_an_outermost_system_have_at_least_students_interval(items: int) -> None:
    values = np.random.default_rng(11).normal([0.0, 5.0, 10.0], size=(items, 3))
    for row in _board(values):
        own = values[:, NAMES.index(row.system)]
        reach = float(stats.t.ppf(0.975, items - 1) * stats.sem(own))
        assert row.low <= own.mean() - reach + 1e-12
        assert row.high >= own.mean() + reach - 1e-12
