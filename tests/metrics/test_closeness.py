"""Closeness to a truth as judgments: the closer wins, ties within a tolerance, and so many comparisons per pair."""

from math import log

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets import pair_samples


def _decisions(items: int = 300) -> dict[str, list[float]]:
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, items)
    noise = {"owl": 0.2, "yak": 0.3, "elk": 0.4}
    values = {name: (truth + rng.normal(0, spread, items)).tolist() for name, spread in noise.items()}
    return {**values, "truth": truth.tolist()}


def test_the_closer_wins_and_near_values_tie() -> None:
    table = {"owl": [0.9, 0.4, 0.5], "yak": [0.6, 0.35, 0.5], "truth": [1, 0, 1]}
    scored = bt.score(table, "absolute-error", "truth", systems=["owl", "yak"])
    row = bt.rank(scored, model="win-rate", ci="none").board["owl"]
    assert (row.wins, row.ties, row.losses) == (1, 1, 1)
    near = bt.rank(scored, model="win-rate", ci="none", tolerance=0.06).board["owl"]
    assert (near.wins, near.ties, near.losses) == (1, 2, 0)


def test_so_many_comparisons_are_drawn_of_every_pair() -> None:
    table = _decisions()
    scored = bt.score(table, "absolute-error", "truth", systems=["owl", "yak", "elk"])
    board = bt.rank(scored, per_pair="12mlnm").board
    drawn = round(12 * 3 * log(3))
    assert drawn == pair_samples.sample_size("12mlnm", 3) == 40
    assert all(row.comparisons == 2 * drawn for row in board)
    assert [finding.code for finding in board.findings].count("sampled-comparisons") == 1
    assert bt.rank(scored, per_pair="12mlnm").board == board
    assert bt.rank(scored, per_pair="12mlnm", seed=1).board != board
    assert bt.rank(scored, bt.Plan.load(str(board.signature))).board == board
    for row in board:
        assert row.low < row.score < row.high


def test_all_comparisons_where_there_are_fewer() -> None:
    table = _decisions(30)
    scored = bt.score(table, "absolute-error", "truth", systems=["owl", "yak", "elk"])
    board = bt.rank(scored, per_pair="500").board
    whole = bt.rank(scored, model="bradley-terry", ci="none").board
    for row in board:
        assert row.comparisons == 60
        assert row.score == pytest.approx(whole[row.system].score)


def test_intervals_hold_what_all_comparisons_say_as_often_as_they_say() -> None:
    """Samples of 60 comparisons per pair, against the strengths from all 2,000."""
    scored = bt.score(_decisions(2000), "absolute-error", "truth", systems=["owl", "yak", "elk"]).to_scores()
    truth = {
        row.system: row.log_strength for row in bt.rank(scored, model="bradley-terry", ci="none", scale="log").board
    }
    held = number = 0
    for seed in range(150):
        for row in bt.rank(scored, per_pair="60", scale="log", resamples=200, seed=seed).board:
            held += row.low <= truth[row.system] <= row.high
            number += 1
    assert 0.92 <= held / number <= 0.98, held / number


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"per_pair": "12"}, None),
        ({"per_pair": "0"}, "per_pair must be a whole number above 0, or 12mlnm, got '0'."),
        ({"per_pair": "many"}, "per_pair must be a whole number above 0, or 12mlnm, got 'many'."),
        (
            {"per_pair": "12", "model": "mean"},
            "mean is not fitted to counts of pairs, so these cannot be weighed or drawn. Leave out per_pair='12', or use bradley-terry.",
        ),
        (
            {"per_pair": "12", "ci": "analytic"},
            "per_pair has intervals from samples of that size, not ci='analytic'. Leave out ci.",
        ),
        (
            {"per_pair": "12", "unit": "item"},
            "per_pair draws single comparisons, so unit='item' has no effect. Leave one of them out.",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(options: dict[str, str], message: str | None) -> None:
    scores = {"owl": [1.0, 2.0, 3.5], "yak": [2.0, 1.0, 3.0]}
    if message is None:
        assert bt.rank(scores, **options).board
        return
    with pytest.raises(bt.PlanError) as refusal:
        bt.rank(scores, **options)
    assert str(refusal.value) == message
