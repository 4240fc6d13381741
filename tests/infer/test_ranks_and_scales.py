"""Rank ranges, clusters, shares of draws, and the scales they are shown on."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.infer.draws import Draws
from betterthan.infer.ranks import clusters, rank_ranges, ranks_of
from betterthan.infer.scale import Scale
from tests.arenas import arena

ALL = np.ones(3, dtype=bool)
NONE = np.zeros(3, dtype=bool)


def _draws(*rows: list[float]) -> Draws:
    return Draws(np.array(rows), "bootstrap", "row", 10, NONE)


def test_rank_ranges_drop_the_same_share_at_both_ends() -> None:
    first = [[3.0, 2.0, 1.0]] * 95
    odd = [[2.0, 3.0, 1.0]] * 3 + [[1.0, 2.0, 3.0]] * 2
    low, high = rank_ranges(_draws(*first, *odd), 0.95)
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    low, high = rank_ranges(_draws(*first, *odd), 0.90)
    assert (low.tolist(), high.tolist()) == ([1, 2, 3], [1, 2, 3])


def test_equal_strengths_span_their_ranks() -> None:
    low, high = rank_ranges(_draws(*[[2.0, 2.0, 1.0]] * 40), 0.95)
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    assert ranks_of(np.array([2.0, 1.0, 2.0]), NONE, 1e-7).tolist() == [1, 3, 1]
    assert ranks_of(np.array([2.0, 1.0, 2.0]), np.array([True, False, False]), 1e-7).tolist() == [3, 2, 1]


def test_a_boundary_needs_all_above_apart_from_all_below() -> None:
    low, high = np.array([1, 2, 3, 4]), np.array([3, 2, 4, 4])
    four = np.zeros(4, dtype=bool)
    assert clusters([0, 1, 2, 3], low, high, four) == [1, 1, 1, 1]
    low, high = np.array([1, 1, 3, 4]), np.array([2, 2, 3, 4])
    assert clusters([1, 0, 2, 3], low, high, four) == [1, 1, 2, 3]
    assert clusters([1, 0, 2, 3], low, high, four | (np.arange(4) == 3)) == [1, 1, 2, None]


def test_shares_of_draws() -> None:
    draws = _draws([2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 1.0, 0.0], [3.0, 1.0, 0.0])
    assert draws.best() == [0.625, 0.375, 0.0]
    assert draws.better(0, 1) == 0.625
    assert draws.better(1, 0) == 0.375


def test_scales_are_views_of_the_same_strengths() -> None:
    log = np.array([0.5, 0.0, -0.5])
    worth = Scale("worth", ALL).apply(log)
    assert worth.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(np.log(worth / worth[1]), log)
    elo = Scale("elo", ALL).apply(log)
    assert elo.mean() == pytest.approx(1000.0)
    assert 1 / (1 + 10 ** ((elo[1] - elo[0]) / 400)) == pytest.approx(worth[0] / (worth[0] + worth[1]))
    chance = 1 / (1 + np.exp(-(log[:, None] - log[None, :])))
    np.fill_diagonal(chance, 0.0)
    np.testing.assert_allclose(Scale("winrate", ALL).apply(log), chance.sum(axis=1) / 2)


def test_anchors() -> None:
    systems = ("owl", "yak", "e=k")
    log = np.array([0.5, 0.0, -0.5])
    assert Scale.of("elo", systems, ALL, "yak=1200").apply(log)[1] == 1200
    assert Scale.of("elo", systems, ALL, "e=k").apply(log)[2] == 1000
    assert Scale.of("log", systems, ALL, "e=k=2").apply(log).tolist() == [3.0, 2.5, 2.0]
    with pytest.raises(bt.PlanError, match="the anchor 'emu' is not among the systems: owl, yak, e=k"):
        Scale.of("elo", systems, ALL, "emu=1200")
    with pytest.raises(
        bt.PlanError, match=r"an anchor cannot be set on the scale worth; allowed: log, elo\. Add scale='elo'."
    ):
        Scale.of("worth", systems, ALL, "owl")
    with pytest.raises(
        bt.PlanError, match=r"the value of the anchor must be a number, got 'high'\. For example: anchor='owl=1000'."
    ):
        Scale.of("elo", systems, ALL, "owl=high")


def test_the_estimate_is_the_plug_in_never_a_mean_of_draws() -> None:
    boards = [bt.rank(arena(), resamples=resamples, seed=seed).board for resamples, seed in ((20, 0), (500, 3))]
    assert [row.score for row in boards[0]] == [row.score for row in boards[1]]


def test_intervals_get_wider_with_the_level() -> None:
    narrow, wide = (bt.rank(arena(), level=level).board for level in (0.8, 0.99))
    for row in narrow:
        low, high = wide[row.system].interval
        assert low < row.low < row.score < row.high < high
