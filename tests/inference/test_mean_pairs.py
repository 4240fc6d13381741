"""All pairs of means at once have the p-values of single comparisons."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets import ScoreMatrix, data_sets
from betterthan.inference import mean_pairs
from betterthan.inference.intervals import mean_pairs as engine

NAMES = ("owl", "yak", "elk")


def _rows(values: Any, groups: Any = None) -> list[dict[str, Any]]:
    return [
        {"item": f"i{item:03d}", "system": name, "score": float(score)}
        | ({} if groups is None else {"group": f"g{groups[item]:02d}"})
        for item, scores in enumerate(values)
        for name, score in zip(NAMES, scores, strict=True)
        if not np.isnan(score)
    ]


def _scores(world: str, items: int, seed: int) -> Any:
    rng, shape = np.random.default_rng(seed), (items, len(NAMES))
    if world == "binary":
        return (rng.random(shape) < [0.4, 0.6, 0.7]).astype(float)
    if world == "skewed":
        return rng.lognormal(0.0, 1.5, shape)
    return np.round(rng.normal(3, 1, shape)) if world == "rounded" else rng.normal(size=shape)


@pytest.mark.parametrize("world", ["normal", "skewed", "binary", "rounded"])
@pytest.mark.parametrize(
    ("items", "groups", "missing"),
    [(4, 0, False), (40, 0, False), (40, 0, True), (30, 6, False), (60, 25, True)],
)
def test_p_is_that_of_a_comparison(world: str, items: int, groups: int, *, missing: bool) -> None:
    values = _scores(world, items, items + groups)
    if missing:
        values[np.arange(0, items, 7), np.arange(0, items, 7) % len(NAMES)] = np.nan
    codes = None if not groups else np.arange(items) ** 2 % groups
    rows = bt.read_scores(_rows(values, codes), group="group" if groups else None)
    data = data_sets(rows).only("a test")
    assert (data.groups is None) == (codes is None)
    scores = data.statistic(ScoreMatrix)
    assert scores is not None
    gap, p = mean_pairs(scores.values, None if data.groups is None else data.groups.codes, seed=3)
    for one, two in combinations(range(len(NAMES)), 2):
        duel = bt.compare(rows, scores.systems[one], scores.systems[two], question="mean", seed=3)
        expected = next(test.p for test in duel.tests if test.name == duel.recommended)
        assert p[one, two] == p[two, one] == pytest.approx(expected, rel=1e-12)
        assert gap[one, two] == -gap[two, one] == duel.effect("mean_difference").value


def test_many_pairs_have_students_t(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_SCORES", 0)
    values = _scores("skewed", 50, 1)
    values[::9, 1] = np.nan
    _, p = mean_pairs(values, seed=0)
    for one, two in combinations(range(len(NAMES)), 2):
        expected = stats.ttest_rel(values[:, one], values[:, two], nan_policy="omit").pvalue
        assert p[one, two] == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("groups", [None, np.arange(60) // 2])
def test_without_draws_p_is_that_of_pairs_one_by_one(monkeypatch: pytest.MonkeyPatch, groups: Any) -> None:
    values = _scores("normal", 60, 2)
    values[:, 2] = np.where(np.arange(60) < 8, np.nan, values[:, 2])
    one_by_one = mean_pairs(values, groups, seed=0)
    monkeypatch.setattr(engine, "_SCORES", 0)
    for found, expected in zip(mean_pairs(values, groups, seed=0), one_by_one, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_right_and_wrong_have_mcnemars_test_however_many(monkeypatch: pytest.MonkeyPatch) -> None:
    values = _scores("binary", 200, 4)
    expected = mean_pairs(values, seed=0)[1]
    monkeypatch.setattr(engine, "_SCORES", 0)
    np.testing.assert_allclose(mean_pairs(values, seed=0)[1], expected, rtol=1e-12)
    wins, losses = (int(np.sum(values[:, 0] - values[:, 1] == sign)) for sign in (1, -1))
    exact = 2 * stats.binom.cdf(min(wins, losses), wins + losses, 0.5) - stats.binom.pmf(wins, wins + losses, 0.5)
    assert expected[0, 1] == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("limit", ["_SCORES", "_DRAWN"])
def test_equal_and_unmatched_systems(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(engine, limit, 0)
    nan = np.nan
    values = np.array([[1.0, 1.0, nan], [2.0, 2.0, nan], [nan, nan, 3.0], [nan, nan, 4.0]])
    gap, p = mean_pairs(values, seed=0)
    assert (gap[0, 1], p[0, 1]) == (0.0, 1.0)
    assert np.isnan(gap[0, 2])
    assert np.isnan(p[2, 0])


def test_the_same_difference_everywhere_is_as_rare_as_equal_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.stack([np.arange(8.0), np.arange(8.0) + 1, np.arange(8.0) ** 2], axis=1)
    assert mean_pairs(values, seed=0)[1][0, 1] == 2.0**-7
    monkeypatch.setattr(engine, "_SCORES", 0)
    assert mean_pairs(values, seed=0)[1][0, 1] == 2.0**-7
