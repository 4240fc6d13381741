"""Rank ranges that hold for all systems at once."""

import tracemalloc

import numpy as np
import pytest

import betterthan as bt
import betterthan.uncertainty.decisions as decisions_module
from betterthan.uncertainty.decisions import decide
from tests.draws import plain_draws


def _arena(rng: np.random.Generator, strengths: list[float], judgments: int) -> dict[str, np.ndarray]:
    size = len(strengths)
    left = rng.integers(size, size=judgments)
    right = (left + rng.integers(1, size, size=judgments)) % size
    gap = np.array(strengths)[left] - np.array(strengths)[right]
    names = np.array([f"s{place}" for place in range(size)])
    won = rng.random(judgments) < 1 / (1 + np.exp(-gap))
    return {"left": names[left], "right": names[right], "winner": np.where(won, "a", "b")}


def test_five_equal_pairs_stay_together_and_are_told_from_the_others() -> None:
    """Each range by itself put a boundary between equal systems on 23.6 % of such boards."""
    rng = np.random.default_rng(1)
    false, found = 0, []
    for _ in range(80):
        votes = _arena(rng, [2, 2, 1, 1, 0, 0, -1, -1, -2, -2], 2000)
        board = bt.rank(votes, resamples=400).board
        cluster = {row.system: row.cluster for row in board}
        false += any(cluster[f"s{2 * pair}"] != cluster[f"s{2 * pair + 1}"] for pair in range(5))
        found.append(len(board.clusters))
    assert false / 80 <= 0.09  # 5 %, and two errors of the simulation
    assert np.mean(found) > 4.8


def test_gaps_are_told_apart_by_the_largest_that_chance_makes() -> None:
    rng = np.random.default_rng(0)
    strength, noise = np.array([3.0, 0.4, 0.0, -3.0]), rng.normal(0, 0.5, (4000, 4))
    draws = plain_draws(strength + noise, strength)
    low, high = decide(strength, draws, 0.95, np.ones(4, dtype=bool)).ranges
    assert (low.tolist(), high.tolist()) == ([1, 2, 2, 4], [1, 3, 3, 4])
    many = np.concatenate([strength] * 60)
    wide = plain_draws(many + rng.normal(0, 0.1, (2000, 240)), many)
    low, high = decide(many, wide, 0.95, np.ones(240, dtype=bool)).ranges
    assert (low[0], high[0], low[3], high[3]) == (1, 60, 181, 240)


@pytest.mark.parametrize(("units", "ranks"), [(4, [1, 2]), (12, [1, 1])])
def test_differences_that_never_change_are_as_sure_as_their_units(units: int, ranks: list[int]) -> None:
    scores = {"owl": [float(n * n % 7) + 1 for n in range(units)], "yak": [float(n * n % 7) for n in range(units)]}
    board = bt.rank(bt.read_scores(scores), model="mean", resamples=100).board
    assert [board["owl"].rank_low, board["owl"].rank_high] == ranks


def test_each_range_by_itself_is_wmts() -> None:
    votes = _arena(np.random.default_rng(5), [1.0, 0.5, 0.0], 300)
    together, alone = (bt.rank(votes, clusters=clusters).board for clusters in ("family-wise", "wmt"))
    spans = [[row.rank_high - row.rank_low for row in board] for board in (together, alone)]
    assert all(one >= two for one, two in zip(*spans, strict=True))
    assert "(95 % family-wise confidence, for judgments like these)" in together.separation
    assert "(95 % confidence for each rank range alone, for judgments like these)" in alone.separation


def test_scores_of_few_values_are_not_told_apart_by_gaps_that_hardly_move() -> None:
    """Where half of the draws leave a gap of medians as it is, equal systems were told apart on 60 % of boards."""
    false = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        scores = {name: rng.choice([1, 2, 3, 4, 5], 60, p=[0.1, 0.2, 0.21, 0.29, 0.2]).tolist() for name in "abcd"}
        false += len(bt.rank(bt.read_scores(scores), model="median", resamples=200).board.clusters) > 1
    assert false <= 3


@pytest.mark.parametrize("resamples", [20, 50, 200, 1000])
def test_an_order_of_wins_alone_is_as_sure_as_its_judgments_whatever_the_resamples(resamples: int) -> None:
    rows = [(a, b, "a") for a, b in (("owl", "yak"), ("yak", "elk"), ("owl", "elk")) for _ in range(3)]
    board = bt.rank(rows, resamples=resamples).board
    assert [(row.rank_low, row.rank_high) for row in board] == [(1, 3)] * 3


def _step_by_step(strength: np.ndarray, drawn: np.ndarray, level: float) -> np.ndarray:
    """Romano and Wolf's method as it is written: all deviations at once."""
    first, second = np.triu_indices(len(strength), 1)
    gap = strength[first] - strength[second]
    away = np.abs(drawn[:, first] - drawn[:, second] - gap)
    spread = np.sqrt(np.mean(away**2, axis=0))
    away, gap = away / spread, gap / spread
    still = np.ones(len(gap), dtype=bool)
    while np.any(still):
        rank = int(np.floor((1 - level) * (len(away) + 1)))  # as many draws, and the evidence itself, may be larger
        least = np.sort(away[:, still].max(axis=1))[len(away) - rank]
        if not np.any(still & (np.abs(gap) > least)):
            break
        still &= np.abs(gap) <= least
    above = np.zeros((len(strength), len(strength)), dtype=bool)
    above[first, second], above[second, first] = ~still & (gap > 0), ~still & (gap < 0)
    return above


@pytest.mark.parametrize("numbers", [1, 5000, 1 << 18])
@pytest.mark.parametrize("spread", [0.1, 1.0, 10.0])
def test_ranges_are_those_of_all_pairs_at_once(numbers: int, spread: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions_module, "_AT_ONCE", numbers)
    rng = np.random.default_rng(3)
    strength = rng.normal(0, spread, 20)
    drawn = strength + rng.normal(0, rng.uniform(0.2, 2, 20), (500, 20))
    draws = plain_draws(drawn, strength)
    low, high = decide(strength, draws, 0.95, np.ones(20, dtype=bool)).ranges
    above = _step_by_step(strength, drawn, 0.95)
    assert (low.tolist(), high.tolist()) == ((1 + above.sum(axis=0)).tolist(), (20 - above.sum(axis=1)).tolist())


def test_many_draws_of_many_pairs_are_not_held_at_once() -> None:
    rng = np.random.default_rng(0)
    strength = rng.normal(size=60)
    drawn = strength + rng.normal(size=(4000, 60))
    draws = plain_draws(drawn, strength, method="analytic")
    tracemalloc.start()
    decide(strength, draws, 0.95, np.ones(60, dtype=bool))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20e6  # 57 MB for one number of every pair and draw
