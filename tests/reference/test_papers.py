"""Figures of papers from small tables, and what holds of evidence like theirs."""

import csv
from itertools import combinations

import choix
import numpy as np
import pytest

import betterthan as bt
from tests.reference.r_estimates import TABLES
from tests.verbs.study.rankings import ballots

# WMT13 French–English, ties dropped.
LOG_STRENGTHS = [
    0.5370,
    0.4048,
    0.3464,
    0.2776,
    0.2330,
    0.1543,
    0.0504,
    -0.0549,
    -0.2309,
    -0.2763,
    -0.3058,
    -0.4237,
    -0.7119,
]
# Efficient Elicitation, Table 1 prints these to three digits, in this order (largest gap .0015).
EXPECTED_WINS = {
    "uedin-heafield": 0.6376,
    "uedin-wmt13": 0.6031,
    "online-B": 0.5907,
    "LIMSI": 0.5725,
    "KIT": 0.5613,
    "online-A": 0.5401,
    "MES": 0.5120,
    "DCU": 0.4855,
    "RWTH": 0.4383,
    "CMU": 0.4283,
    "cu-zeman": 0.4198,
    "JHU": 0.3892,
    "Shef": 0.3216,
}


@pytest.fixture(scope="module")
def wmt13() -> bt.Judgments:
    return bt.read_judgments(TABLES / "wmt13_fr_en_counts.csv")


def test_wmt13_point_estimates(wmt13: bt.Judgments) -> None:
    board = bt.rank(wmt13, ties="drop", scale="log", ci="none").board
    assert board.fit.log_likelihood == pytest.approx(-53257.395, abs=5e-4)
    assert [round(row.score, 4) for row in board] == LOG_STRENGTHS
    assert (board.evidence.judgments, board.evidence.wins, board.evidence.ties) == (99960, 80741, 19219)


def test_wmt13_point_estimates_are_those_of_choix(wmt13: bt.Judgments) -> None:
    board = bt.rank(wmt13, ties="drop", scale="log", ci="none").board
    systems = sorted(row.system for row in board)
    wins = np.zeros((13, 13))
    with (TABLES / "wmt13_fr_en_counts.csv").open() as file:
        for row in csv.DictReader(file):
            a, b = systems.index(row["item_a"]), systems.index(row["item_b"])
            wins[a, b], wins[b, a] = float(row["n_a"]), float(row["n_b"])
    expected = choix.ilsr_pairwise_dense(wins, alpha=0.0)
    assert [board[name].score for name in systems] == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_wmt13_expected_wins(wmt13: bt.Judgments) -> None:
    board = bt.rank(wmt13, model="expected-wins", ci="none").board
    for row, (name, score) in zip(board, EXPECTED_WINS.items(), strict=True):
        assert row.system.startswith(name)
        assert row.score == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize(
    ("model", "name", "value", "log_likelihood"),
    [("davidson", "nu", 0.49325, -102107.331), ("rao-kupper", "theta", 1.50501, -102064.530)],
)
def test_wmt13_models_with_ties(
    wmt13: bt.Judgments, model: str, name: str, value: float, log_likelihood: float
) -> None:
    fit = bt.rank(wmt13, model=model, ci="none").board.fit
    assert fit.parameters[name] == pytest.approx(value, abs=6e-6)
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=6e-4)


def _pairs(rows: list[dict[str, object]]) -> dict[str, list[str]]:
    """Return the pairs of rankings, each with its ranking and judge."""
    columns: dict[str, list[str]] = {name: [] for name in ("ranking_id", "judge", "system_a", "system_b", "outcome_a")}
    for row in rows:
        ranks = row["ranks"]
        for a, b in combinations(ranks, 2):  # type: ignore[call-overload]
            won = ("win", "tie", "loss")[1 + int(np.sign(ranks[a] - ranks[b]))]  # type: ignore[index]
            for name, value in zip(columns, (row["ballot"], row["judge"], a, b, won), strict=True):
                columns[name].append(str(value))
    return columns


def test_rankings_and_their_pairs_are_the_same_evidence() -> None:
    rankings, rows = ballots(200)
    one = bt.rank(rankings, ci="analytic", unit="ranking").board
    pairs = bt.read_judgments(_pairs(rows), ranking="ranking_id")
    other = bt.rank(pairs, ci="analytic", unit="ranking").board
    assert one.evidence.judgments == other.evidence.judgments == 200 * 6
    assert (one.evidence.wins, one.evidence.ties) == (other.evidence.wins, other.evidence.ties)
    for row in one:
        found = other[row.system]
        assert (row.score, row.low, row.high) == pytest.approx((found.score, found.low, found.high), abs=1e-9)


def test_dependent_pairs_make_wider_intervals() -> None:
    """Four judges who always agree are one judge: resampling items knows it, resampling rows does not."""
    _, rows = ballots(60)
    repeated = [{**row, "judge": f"j{number}"} for row in rows for number in range(4)]
    votes = bt.read_judgments(_pairs(repeated), item="ranking_id")
    spread = {
        unit: np.std(bt.rank(votes, unit=unit, scale="log", resamples=300).board.draws.strength, axis=0).mean()
        for unit in ("row", "item")
    }
    assert 1.5 < spread["item"] / spread["row"] < 3.0


def test_clusters_and_rank_ranges_follow_from_the_draws() -> None:
    """WMT's rule by its definition: ranges hold the middle 95 % of ranks, and what overlaps is one cluster."""
    rankings, _ = ballots(300, noise=2.0)
    for unit in ("row", "ranking", "judge"):
        board = bt.rank(rankings, unit=unit, resamples=400, clusters="wmt").board
        systems, draws = board.fit.systems, board.draws.strength
        ranks = 1 + np.sum(draws[:, None, :] > draws[:, :, None], axis=2)
        low, high = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
        for row in board:
            place = systems.index(row.system)
            assert abs(row.rank_low - low[place]) <= 1
            assert abs(row.rank_high - high[place]) <= 1
        clusters, reach = 0, 0
        for row in sorted(board, key=lambda row: (row.rank_low, row.rank_high)):
            clusters += row.rank_low > reach
            reach = max(reach, row.rank_high)
        assert len(board.clusters) == clusters


def test_edge_cases_of_scores() -> None:
    """Systems that never win, never lose, or are identical come out finite, ranked, and said."""
    rng = np.random.default_rng(0)
    scores = {f"M{number}": rng.normal(number / 4, 1, 30).round(1).tolist() for number in range(4)}
    scores |= {"M4": [9.0] * 30, "M5": [-9.0] * 30, "M6": [-9.0] * 30, "M7": scores["M2"]}
    boards = bt.rank(bt.read_scores(scores), model="mean,median,bradley-terry", resamples=50, ties="drop")
    codes = {finding.code for board in boards for finding in board.findings}
    assert {"never-wins", "never-loses"} <= codes
    for board in boards:
        assert all(row.score is None or np.isfinite(row.score) for row in board)
        assert np.all(np.isfinite(board.fit.strength))
        assert board["M5"].rank == board["M6"].rank
        assert board["M2"].rank == board["M7"].rank
        if board.mechanism != "bradley-terry":  # where strengths without a bound have no rank
            assert (board["M4"].rank, board["M5"].rank) == (1, 7)


def test_a_pseudo_count_changes_no_order() -> None:
    """Where systems never win or never lose, 1e-4 of a win added on both sides of all pairs leaves the order ours."""
    rng = np.random.default_rng(1)
    for _ in range(5):
        values = rng.normal(np.linspace(0, 1, 5), 1, (20, 5))
        values[:, 0], values[:, 4] = -9.0, 9.0
        systems = [f"M{number}" for number in range(5)]
        board = bt.rank(
            {name: values[:, place].tolist() for place, name in enumerate(systems)},
            model="bradley-terry",
            ties="drop",
            ci="none",
        ).board
        assert {finding.code for finding in board.findings} >= {"never-wins", "never-loses"}
        wins = np.sum(values[:, :, None] > values[:, None, :], axis=0) + 1e-4
        winner, loser = np.nonzero(~np.eye(5, dtype=bool))
        held = bt.rank(
            {
                "model_a": [systems[place] for place in winner],
                "model_b": [systems[place] for place in loser],
                "winner": ["model_a"] * len(winner),
                "weight": wins[winner, loser].tolist(),
            },
            ci="none",
        ).board
        assert held.order_of(systems).tolist() == board.order_of(systems).tolist()
