"""Rank ranges, clusters, shares of draws, and the scales they are shown on."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import build_model
from betterthan.uncertainty import ranks_and_clusters, scales
from betterthan.uncertainty.draws import Draws
from betterthan.uncertainty.scales import Scale
from tests.arenas import arena
from tests.draws import plain_draws

ALL = np.ones(3, dtype=bool)
NONE = np.zeros(3, dtype=bool)


def _draws(*rows: list[float]) -> Draws:
    return plain_draws(rows, np.mean(rows, axis=0), units=10)


def test_rank_ranges_drop_the_same_share_at_both_ends() -> None:
    first = [[3.0, 2.0, 1.0]] * 95
    odd = [[2.0, 3.0, 1.0]] * 3 + [[1.0, 2.0, 3.0]] * 2
    low, high = ranks_and_clusters.rank_ranges(_draws(*first, *odd), 0.95)
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    low, high = ranks_and_clusters.rank_ranges(_draws(*first, *odd), 0.90)
    assert (low.tolist(), high.tolist()) == ([1, 2, 3], [1, 2, 3])


def test_equal_strengths_span_their_ranks() -> None:
    low, high = ranks_and_clusters.rank_ranges(_draws(*[[2.0, 2.0, 1.0]] * 40), 0.95)
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    assert ranks_and_clusters.ranks_of(np.array([2.0, 1.0, 2.0]), NONE, 1e-7).tolist() == [1, 3, 1]
    assert ranks_and_clusters.ranks_of(np.array([2.0, 1.0, 2.0]), np.array([True, False, False]), 1e-7).tolist() == [
        3,
        2,
        1,
    ]


def test_a_boundary_needs_all_above_apart_from_all_below() -> None:
    low, high = np.array([1, 2, 3, 4]), np.array([3, 2, 4, 4])
    four = np.zeros(4, dtype=bool)
    assert ranks_and_clusters.clusters([0, 1, 2, 3], low, high, four) == [1, 1, 1, 1]
    low, high = np.array([1, 1, 3, 4]), np.array([2, 2, 3, 4])
    assert ranks_and_clusters.clusters([1, 0, 2, 3], low, high, four) == [1, 1, 2, 3]
    assert ranks_and_clusters.clusters([1, 0, 2, 3], low, high, four | (np.arange(4) == 3)) == [1, 1, 2, None]


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


def _judged(seed: int = 0, ties: float = 0.5) -> PairCounts:
    """Four systems, 400 judgments of which many are ties."""
    rng = np.random.default_rng(seed)
    left, right = np.array([rng.choice(4, 2, replace=False) for _ in range(400)]).T
    gap = np.array([1.2, 0.4, 0.0, -0.8])[left] - np.array([1.2, 0.4, 0.0, -0.8])[right] + rng.logistic(size=400)
    outcome = np.where(gap > ties, "left", np.where(gap < -ties, "right", "tie"))
    names = np.array(["elk", "fox", "owl", "yak"])
    return PairCounts.of(bt.read_judgments({"left": names[left], "right": names[right], "outcome": outcome}).tally())


@pytest.mark.parametrize("name", ["bradley-terry", "davidson", "newman", "rao-kupper", "plackett-luce"])
@pytest.mark.parametrize("kind", ["winrate", "expected"])
def test_win_chances_are_the_model_s_own(name: str, kind: str) -> None:
    model, counts = build_model(name), _judged(ties=1.5)
    fit = model.fit(counts)
    scale = Scale.of(kind, fit.systems, fit.estimable, None, scales.chances_by_gap(model, fit))
    expected = []
    for one in range(4):
        chances = [model.probability(fit, one, other) for other in range(4) if other != one]
        expected.append(
            np.mean([win + (tie / 2 if kind == "expected" else 0) for win, tie, _ in filter(None, chances)])
        )
    np.testing.assert_allclose(scale.apply(fit.strength), expected, atol=1e-12)
    draws = fit.strength + np.random.default_rng(0).normal(size=(30, 4))
    each = [scale.apply(draw) for draw in draws]
    np.testing.assert_allclose(scale.apply(draws), each, atol=1e-12)
    logistic_chance = Scale(kind, fit.estimable).apply(fit.strength)
    if name == "bradley-terry":
        np.testing.assert_allclose(scale.apply(fit.strength), logistic_chance, atol=1e-12)
    elif kind == "winrate":
        assert np.max(logistic_chance - scale.apply(fit.strength)) > 0.2, "half of the judgments are ties"


@pytest.mark.parametrize("name", ["davidson", "rao-kupper"])
def test_win_chances_are_what_judgments_of_random_pairs_show(name: str) -> None:
    """Every pair met equally often: the fitted mean chances are then near the shares of wins, and ties."""
    counts = _judged(1, ties=1.0)
    model = build_model(name)
    fit = model.fit(counts)
    chances = scales.chances_by_gap(model, fit)
    won, tied, lost = counts.per_system()
    for kind, share in {"winrate": won, "expected": won + tied / 2}.items():
        scale = Scale.of(kind, fit.systems, fit.estimable, None, chances)
        np.testing.assert_allclose(scale.apply(fit.strength), share / (won + tied + lost), atol=0.035)


@pytest.mark.parametrize(("kind", "name"), [("winrate", "davidson"), ("expected", "rao-kupper")])
def test_many_systems_meet_on_a_grid_as_they_would_one_by_one(kind: str, name: str) -> None:
    model, fit = build_model(name), build_model(name).fit(_judged(ties=1.0))
    strength = np.random.default_rng(0).normal(scale=2.0, size=(3, 300))
    strength[:, 0], strength[:, 1] = 30.0, -25.0
    scale = Scale.of(kind, fit.systems, fit.estimable, None, scales.chances_by_gap(model, fit))
    win, tie, _ = scales.chances_by_gap(model, fit)(strength[:, :, None] - strength[:, None, :])
    gain = win + tie / 2 if kind == "expected" else win
    own = gain[:, np.arange(300), np.arange(300)]
    np.testing.assert_allclose(scale.apply(strength), (gain.sum(axis=2) - own) / 299, atol=2e-6)
    same = np.zeros((1, 300))
    np.testing.assert_allclose(scale.apply(same), gain[0, 0, 0], atol=1e-9)


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
