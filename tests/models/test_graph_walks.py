"""Walks on the graph of wins against dense linear algebra, closed forms, and choix."""

from itertools import combinations, pairwise, permutations
from math import log
from typing import Any

import choix
import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import build_model
from betterthan.models.bradley_terry import BradleyTerry

Row = tuple[str, str, str]
Wins = dict[tuple[str, str], int]


def _rows(wins: Wins) -> list[Row]:
    return [(winner, loser, "left") for (winner, loser), count in wins.items() for _ in range(count)]


def _chain(size: int, won: int, lost: int) -> list[Row]:
    """Each meets its neighbours only."""
    names = [f"s{place:03d}" for place in range(size)]
    return _rows({pair: count for a, b in pairwise(names) for pair, count in (((a, b), won), ((b, a), lost))})


def _random(size: int, seed: int, judgments: int) -> list[Row]:
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=size)
    rows: list[Row] = []
    for _ in range(judgments):
        a, b = rng.choice(size, 2, replace=False)
        seen = strength[a] - strength[b] + rng.logistic()
        rows.append((f"s{a:02d}", f"s{b:02d}", "left" if seen > 0.4 else "right" if seen < -0.4 else "tie"))
    return rows


def _counts(rows: list[Row]) -> PairCounts:
    return PairCounts.of(bt.read_judgments(rows).tally())


def _matrix(rows: list[Row]) -> np.ndarray:
    """Return winners × losers, a tie half both ways."""
    names = sorted({name for row in rows for name in row[:2]})
    wins = np.zeros((len(names), len(names)))
    for left, right, outcome in rows:
        a, b = names.index(left), names.index(right)
        wins[a, b] += {"left": 1.0, "tie": 0.5, "right": 0.0}[outcome]
        wins[b, a] += {"left": 0.0, "tie": 0.5, "right": 1.0}[outcome]
    return wins


def _principal(matrix: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eig(matrix)
    vector = np.abs(np.real(vectors[:, np.argmax(np.real(values))]))
    return vector / vector.sum()


def _surfer(wins: np.ndarray, damping: float) -> np.ndarray:
    """Solve the equations of the stationary distribution."""
    size = len(wins)
    moves = np.full((size, size), 1 / size)
    for loser in range(size):
        if wins[:, loser].sum() > 0:
            moves[:, loser] = wins[:, loser] / wins[:, loser].sum()
    return np.linalg.solve(np.eye(size) - damping * moves, np.full(size, (1 - damping) / size))


CYCLE = _rows({("owl", "yak"): 1, ("yak", "elk"): 2, ("elk", "owl"): 5})  # the walk has a period of three
RECORDS: dict[str, list[Row]] = {
    "many": _random(12, seed=1, judgments=2000),
    "few": _random(8, seed=2, judgments=40),
    "periodic": CYCLE,
    "two that alternate": _rows({("owl", "yak"): 3, ("yak", "owl"): 7}),
    "one never lost, one never won": [*CYCLE, *_rows({("ace", "owl"): 2, ("yak", "dud"): 4, ("ace", "dud"): 1})],
}


# --- PageRank ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("damping", [0.0, 0.3, 0.85, 0.999])
def test_pagerank_solves_its_equations(record: str, damping: float) -> None:
    fit = build_model(f"pagerank(damping={damping})").fit(_counts(RECORDS[record]))
    np.testing.assert_allclose(fit.strength, _surfer(_matrix(RECORDS[record]), damping), atol=2e-9)
    assert fit.strength.sum() == pytest.approx(1.0)


def test_pagerank_of_an_order_without_cycles() -> None:
    rows = _rows({("owl", "yak"): 2, ("yak", "elk"): 2, ("owl", "elk"): 1})
    fit = build_model("pagerank").fit(_counts(rows))
    np.testing.assert_allclose(fit.strength, _surfer(_matrix(rows), 0.85), atol=1e-10)
    assert [row.system for row in bt.rank(rows, model="pagerank", ci="none").board] == ["owl", "yak", "elk"]


def test_resampled_pagerank_solves_its_equations() -> None:
    counts = _counts(RECORDS["few"])
    model = build_model("pagerank")
    outcomes = counts.units.resample(np.random.default_rng(0), 10)
    strength, _ = model.refitter(model.fit(counts), counts)(outcomes, np.random.default_rng(1))
    for column in range(10):
        np.testing.assert_allclose(
            strength[:, column], _surfer(_dense(counts, outcomes[:, :, column]), 0.85), atol=1e-9
        )


def _dense(counts: PairCounts, outcomes: np.ndarray) -> np.ndarray:
    wins = np.zeros((counts.size, counts.size))
    wins[counts.first, counts.second] = outcomes[0] + outcomes[1] / 2
    wins[counts.second, counts.first] = outcomes[2] + outcomes[1] / 2
    return wins


# --- eigenvector ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", RECORDS)
def test_the_eigenvector_is_numpy_s(record: str) -> None:
    fit = build_model("eigenvector").fit(_counts(RECORDS[record]))
    np.testing.assert_allclose(fit.strength, _principal(_matrix(RECORDS[record])), atol=1e-9)
    assert fit.converged
    assert "no-cycle" not in [finding.code for finding in fit.findings]


def test_two_that_alternate_have_a_closed_form() -> None:
    """Of [[0, 3], [7, 0]] the eigenvector is (√3, √7)."""
    owl, yak = build_model("eigenvector").fit(_counts(RECORDS["two that alternate"])).strength
    assert owl / yak == pytest.approx(np.sqrt(3 / 7), abs=1e-10)


def test_resampled_eigenvectors_are_numpy_s() -> None:
    counts = _counts(RECORDS["many"])
    model = build_model("eigenvector")
    outcomes = counts.units.resample(np.random.default_rng(0), 5)
    strength, _ = model.refitter(model.fit(counts), counts)(outcomes, np.random.default_rng(1))
    for column in range(5):
        np.testing.assert_allclose(strength[:, column], _principal(_dense(counts, outcomes[:, :, column])), atol=1e-9)


def test_without_a_cycle_a_ten_thousandth_of_a_win_over_everybody_makes_one() -> None:
    rows = _rows({("owl", "yak"): 4, ("yak", "elk"): 4, ("owl", "elk"): 1})
    board = bt.rank(rows, model="eigenvector", resamples=50, unit="row").board
    assert [row.system for row in board] == ["owl", "yak", "elk"]
    wins = _matrix(rows)
    expected = _principal(wins + 1e-4 * wins.mean())
    assert [board[name].score for name in ("elk", "owl", "yak")] == pytest.approx(expected.tolist(), abs=1e-8)
    assert np.all(np.isfinite(board.draws.strength))
    finding = next(finding for finding in board.findings if finding.code == "no-cycle")
    assert finding.message == (
        "No two systems beat each other in turn, directly or through others, so there is no principal eigenvector."
    )


def test_an_eigenvector_that_was_not_reached_is_said() -> None:
    board = bt.rank(RECORDS["many"], model="eigenvector(limit=3)", ci="none").board
    assert np.max(np.abs(board.fit.strength - _principal(_matrix(RECORDS["many"])))) > 1e-6
    assert not board.fit.converged
    assert "The eigenvector model did not converge in 3 iterations, so its estimates are approximate." in [
        finding.message for finding in board.findings
    ]


def test_an_eigenvector_on_a_long_chain_is_right_or_doubted() -> None:
    """The second eigenvalue of a path is so near the first that ten thousand steps do not part them."""
    rows = _chain(300, 6, 4)
    fit = build_model("eigenvector").fit(_counts(rows))
    off = np.max(np.abs(fit.strength - _principal(_matrix(rows))))
    assert off < 1e-6 or not fit.converged


# --- rank centrality -----------------------------------------------------------------------------------------------


def _choix(rows: list[Row]) -> np.ndarray:
    """Both use each pair's share of wins, so all definitions coincide; choix knows no ties, hence every row twice."""
    names = sorted({name for row in rows for name in row[:2]})
    results: list[tuple[int, int]] = []
    for left, right, outcome in rows:
        a, b = names.index(left), names.index(right)
        results += {"left": [(a, b)] * 2, "right": [(b, a)] * 2, "tie": [(a, b), (b, a)]}[outcome]
    return choix.rank_centrality(len(names), results)


@pytest.mark.parametrize("record", ["many", "few", "periodic", "two that alternate"])
def test_rank_centrality_is_choix_s(record: str) -> None:
    """Pairs met unequally often, or never: neither matters to the definition."""
    fit = build_model("rank-centrality").fit(_counts(RECORDS[record]))
    expected = _choix(RECORDS[record])
    np.testing.assert_allclose(fit.strength, expected - expected.mean(), atol=1e-9)


def test_resampled_rank_centrality_is_choix_s() -> None:
    counts = _counts(_random(5, seed=3, judgments=200))
    model = build_model("rank-centrality")
    outcomes = counts.units.resample(np.random.default_rng(0), 6)
    strength, degenerate = model.refitter(model.fit(counts), counts)(outcomes, np.random.default_rng(1))
    assert degenerate == 0
    for column in range(6):
        doubled = (2 * _dense(counts, outcomes[:, :, column])).astype(int)
        results = [(a, b) for a in range(5) for b in range(5) for _ in range(doubled[a, b])]
        expected = choix.rank_centrality(5, results)
        np.testing.assert_allclose(strength[:, column], expected - expected.mean(), atol=1e-8)


def test_on_exact_bradley_terry_shares_both_agree() -> None:
    worth = {"owl": 6, "yak": 3, "elk": 2, "fox": 1}
    # Of n·(a + b) meetings a wins n·a; n differs from pair to pair.
    times = {frozenset(pair): 1 + place for place, pair in enumerate(combinations(worth, 2))}
    wins = {(a, b): times[frozenset((a, b))] * worth[a] for a, b in permutations(worth, 2)}
    counts = _counts(_rows(wins))
    expected = np.log([worth[name] for name in counts.systems])
    for model in (build_model("rank-centrality"), BradleyTerry()):
        np.testing.assert_allclose(model.fit(counts).strength, expected - expected.mean(), atol=1e-8)


@pytest.mark.parametrize(("size", "won", "lost"), [(5, 3, 2), (60, 6, 4), (12, 95, 1)])
def test_on_a_chain_every_gap_has_a_closed_form(size: int, won: int, lost: int) -> None:
    """Shares of visits far below 1e-16 must keep their digits: a plain linear solve gives rounding there, even signs."""
    strength = build_model("rank-centrality").fit(_counts(_chain(size, won, lost))).strength
    np.testing.assert_allclose(np.diff(strength), -log(won / lost), atol=1e-8)


def test_where_the_walk_cannot_return_the_rest_is_as_without() -> None:
    board = bt.rank(RECORDS["one never lost, one never won"], model="rank-centrality", scale="log", resamples=50).board
    expected: Any = _choix(CYCLE)  # elk, owl, yak
    assert board["elk"].score - board["yak"].score == pytest.approx(expected[0] - expected[2], abs=1e-8)
    assert board["owl"].score - board["yak"].score == pytest.approx(expected[1] - expected[2], abs=1e-8)
    strength = dict(zip(board.fit.systems, board.fit.strength, strict=True))
    assert (max(strength, key=strength.get), min(strength, key=strength.get)) == ("ace", "dud")
    assert (board["ace"].high, board["dud"].low) == (None, None)
    assert np.all(np.isfinite(board.draws.strength))
    assert {"never-loses", "never-wins"} <= {finding.code for finding in board.findings}


def test_only_wins_along_an_order_stay_finite() -> None:
    board = bt.rank(_rows({("owl", "yak"): 3, ("yak", "elk"): 3}), model="rank-centrality", resamples=50).board
    assert [row.system for row in board] == ["owl", "yak", "elk"]
    assert np.all(np.isfinite(board.draws.strength))
