"""Bradley–Terry against closed forms, an independent implementation, and evidence where others go wrong."""

from math import log
from typing import Any

import choix
import numpy as np
import pytest
from scipy import special, stats

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models import links
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.models.likelihood import newton


def _rows(wins: dict[tuple[str, str], int]) -> list[tuple[str, str, str]]:
    return [(winner, loser, "left") for (winner, loser), count in wins.items() for _ in range(count)]


def _counts(rows: list[tuple[str, str, str]]) -> PairCounts:
    return PairCounts.of(bt.read_judgments(rows).tally())


def _random(size: int, seed: int, judgments: int = 3000) -> list[tuple[str, str, str]]:
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=size)
    rows = []
    for _ in range(judgments):
        a, b = rng.choice(size, 2, replace=False)
        won = rng.random() < special.expit(strength[a] - strength[b])
        rows.append((f"s{a:03d}", f"s{b:03d}", "left" if won else "right"))
    return rows


def test_two_systems_have_a_closed_form() -> None:
    board = bt.rank(_rows({("owl", "yak"): 6, ("yak", "owl"): 4}), scale="log", ci="none").board
    assert board["owl"].log_strength - board["yak"].log_strength == pytest.approx(log(6 / 4), abs=1e-9)
    assert board.fit.log_likelihood == pytest.approx(6 * log(0.6) + 4 * log(0.4), abs=1e-9)


@pytest.mark.parametrize("size", [3, 12, 40])
def test_it_equals_choix(size: int) -> None:
    rows = _random(size, seed=size)
    names = sorted({name for row in rows for name in row[:2]})
    wins = np.zeros((size, size))
    for left, right, outcome in rows:
        winner, loser = (left, right) if outcome == "left" else (right, left)
        wins[names.index(winner), names.index(loser)] += 1
    expected = choix.mm_pairwise(
        size,
        [(i, j) for i in range(size) for j in range(size) for _ in range(int(wins[i, j]))],
        tol=1e-12,
        max_iter=100_000,
    )
    fit = BradleyTerry().fit(_counts(rows))
    np.testing.assert_allclose(fit.strength, expected - expected.mean(), atol=1e-6)


def test_ties_are_half_a_win_for_each_or_dropped() -> None:
    rows = [("owl", "yak", "tie")] * 4 + _rows({("owl", "yak"): 6, ("yak", "owl"): 2})
    gaps = {ties: bt.rank(rows, ties=ties, scale="log", ci="none").board for ties in ("half", "drop")}
    assert gaps["half"]["owl"].score * 2 == pytest.approx(log(8 / 4), abs=1e-9)
    assert gaps["drop"]["owl"].score * 2 == pytest.approx(log(6 / 2), abs=1e-9)
    with pytest.raises(bt.ModelError, match="bradley-terry: ties must be 'half' or 'drop', got 'ignore'"):
        bt.rank(rows, ties="ignore")


def test_the_gradient_at_the_answer_is_zero() -> None:
    counts = _counts(_random(30, seed=1))
    fit = BradleyTerry().fit(counts)
    won, tied, lost = counts.outcomes
    chance = special.expit(fit.strength[counts.first] - fit.strength[counts.second])
    gradient = counts.incidence @ (won + tied / 2 - (won + tied + lost) * chance)
    assert np.linalg.norm(gradient) < 1e-8


def test_the_sparse_solver_agrees_with_the_dense_one(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = _counts(_random(60, seed=2, judgments=4000))
    model, rng = BradleyTerry(), np.random.default_rng
    dense = model.fit(counts)
    outcomes = counts.units.resample(rng(0), 20)
    resampled, _ = model.refitter(dense, counts)(outcomes, rng(1))
    monkeypatch.setattr(newton, "DENSE_LIMIT", 10)
    sparse = model.fit(counts)
    np.testing.assert_allclose(sparse.strength, dense.strength, atol=1e-9)
    again, _ = model.refitter(sparse, counts)(outcomes, rng(1))
    np.testing.assert_allclose(again, resampled, atol=1e-6)


def test_refitting_a_resample_equals_fitting_it_alone() -> None:
    counts = _counts(_random(12, seed=3, judgments=600))
    model = BradleyTerry()
    outcomes = counts.units.resample(np.random.default_rng(0), 10)
    refitted, degenerate = model.refitter(model.fit(counts), counts)(outcomes, np.random.default_rng(1))
    assert degenerate == 0
    for column in range(10):
        alone = model.fit(PairCounts(counts.systems, counts.first, counts.second, outcomes[:, :, column], counts.units))
        np.testing.assert_allclose(refitted[:, column], alone.strength, atol=1e-7)


def test_a_chain_of_sixty_systems_is_solved() -> None:
    """Each meets its neighbours only, so every gap has a closed form; first-order methods stop far too early here."""
    rows = []
    for place in range(59):
        rows += _rows({(f"s{place:02d}", f"s{place + 1:02d}"): 6, (f"s{place + 1:02d}", f"s{place:02d}"): 4})
    board = bt.rank(rows, scale="log", ci="none").board
    strengths = [board[f"s{place:02d}"].score for place in range(60)]
    np.testing.assert_allclose(np.diff(strengths), -log(1.5), atol=1e-6)


def test_a_system_that_loses_all_leaves_the_others_where_they_were() -> None:
    rows = _random(8, seed=4, judgments=400)
    losing = rows + [(f"s{place:03d}", "novice", "left") for place in range(5)]
    without, board = bt.rank(rows, scale="log").board, bt.rank(losing, scale="log").board
    for row in without:
        assert board[row.system].score == pytest.approx(row.score, abs=0.01)
        assert bt.rank(losing).board[row.system].score == pytest.approx(
            bt.rank(rows).board[row.system].score, abs=0.001
        )
    assert board.rows[-1].system == "novice"
    assert [finding.code for finding in board.findings] == ["never-wins"]
    assert board.findings[0].message == "'novice' never won, so its strength has no lower bound."


def test_the_open_interval_ends_where_the_exact_one_does() -> None:
    """One system won all its five comparisons with another whose strength is known well."""
    rows = _rows({("elk", "yak"): 5000, ("yak", "elk"): 5000, ("owl", "yak"): 5})
    for ci in ("bootstrap", "analytic"):
        board = bt.rank(rows, scale="log", ci=ci, resamples=4000).board
        low, high = board["owl"].interval
        assert high is None
        exact = special.logit(stats.binomtest(5, 5).proportion_ci(0.95).low)  # Clopper and Pearson
        assert low == pytest.approx(exact, abs=0.1)
        assert board["owl"].rank_high == 3, "five wins do not prove the lead"


def test_a_rare_system_gets_an_interval_as_wide_as_its_exact_one() -> None:
    wins = {("owl", "yak"): 500_000, ("yak", "owl"): 500_000, ("elk", "owl"): 12, ("owl", "elk"): 8}
    rows = {
        "left": [a for a, _ in wins],
        "right": [b for _, b in wins],
        "winner": ["a"] * 4,
        "count": list(wins.values()),
    }
    clopper_pearson = stats.binomtest(12, 20).proportion_ci(0.95)
    exact = special.logit(clopper_pearson.high) - special.logit(clopper_pearson.low)
    wald = 2 * stats.norm.ppf(0.975) * np.sqrt(1 / 12 + 1 / 8)
    for ci, width in (("bootstrap", exact), ("analytic", wald), ("information", wald)):
        board = bt.rank(rows, scale="log", ci=ci, resamples=4000, anchor="owl").board
        low, high = board["elk"].interval
        assert (high - low) / width == pytest.approx(1.0, abs=0.05), ci


def test_islands_are_ranked_each_for_itself_and_said() -> None:
    rows = _rows(
        {
            ("owl", "yak"): 6,
            ("yak", "owl"): 4,
            ("elk", "fox"): 7,
            ("fox", "elk"): 3,
            ("yak", "emu"): 2,
            ("emu", "owl"): 3,
        }
    )
    board = bt.rank(rows, scale="log", resamples=50).board
    assert "islands" in [finding.code for finding in board.findings]
    assert board["elk"].interval == board["fox"].interval == (None, None)
    assert (board["elk"].score, board["elk"].rank) == (None, None)  # against the others nothing is known
    strength = dict(zip(board.fit.systems, board.fit.strength, strict=True))
    assert strength["elk"] - strength["fox"] == pytest.approx(log(7 / 3), abs=1e-6)


def test_groups_that_only_win_against_the_others() -> None:
    rows = _rows(
        {
            ("owl", "yak"): 6,
            ("yak", "owl"): 4,
            ("elk", "fox"): 7,
            ("fox", "elk"): 3,
            ("fox", "emu"): 2,
            ("emu", "elk"): 3,
            ("owl", "elk"): 4,
        }
    )
    board = bt.rank(rows, scale="log", resamples=50).board
    assert "one-way" in [finding.code for finding in board.findings]
    assert board["owl"].high is None
    assert board["owl"].low is not None
    strength = dict(zip(board.fit.systems, board.fit.strength, strict=True))
    assert strength["owl"] - strength["yak"] == pytest.approx(log(6 / 4), abs=1e-6)


def test_a_perfect_order_is_kept() -> None:
    rows = _rows({("owl", "yak"): 3, ("yak", "elk"): 3, ("owl", "elk"): 3})
    board = bt.rank(rows, resamples=50, unit="row").board
    assert [row.system for row in board] == ["owl", "yak", "elk"]
    assert all(row.interval == (None, None) for row in board)


def test_degenerate_resamples_are_counted() -> None:
    board = bt.rank(
        _rows({("owl", "yak"): 5, ("yak", "owl"): 1, ("yak", "elk"): 3, ("elk", "owl"): 3}), resamples=400
    ).board
    finding = next(finding for finding in board.findings if finding.code == "degenerate-resamples")
    assert finding.message == (
        f"In {board.draws.degenerate} of 400 bootstrap samples some system had only wins, only losses or no comparison."
    )
    # Some resamples miss one of the links that close the cycle: 400 · ((7/12)¹² + 2 · (9/12)¹²) ≈ 26.
    assert 10 < board.draws.degenerate < 45
    assert np.all(np.isfinite(board.draws.strength))


def test_identical_systems_share_their_rank_and_range() -> None:
    rows = _random(4, seed=5, judgments=200)
    twins = rows + [
        (("twin" if a == "s000" else a), ("twin" if b == "s000" else b), o) for a, b, o in rows if "s000" in (a, b)
    ]
    weighted = [row for row in twins if row[0] != row[1]]
    board = bt.rank(weighted, ci="none").board
    assert board["twin"].rank == board["s000"].rank


def test_many_systems_sparsely_compared() -> None:
    rng = np.random.default_rng(6)
    size, judgments = 3000, 60_000
    strength = rng.normal(0, 0.7, size)
    left = rng.integers(size, size=judgments)
    right = (left + rng.integers(1, size, size=judgments)) % size
    won = rng.random(judgments) < special.expit(strength[left] - strength[right])
    names = np.array([f"s{place:04d}" for place in range(size)])
    board = bt.rank(
        {"left": names[left], "right": names[right], "winner": np.where(won, "a", "b")}, scale="log", resamples=20
    ).board
    assert board.fit.converged
    found = np.array([board.fit.strength[board.fit.systems.index(name)] for name in names[:200]])
    assert np.corrcoef(found, strength[:200])[0, 1] > 0.9
    with pytest.raises(bt.ModelError, match="analytic intervals need a full covariance"):
        bt.rank({"left": names[left], "right": names[right], "winner": np.where(won, "a", "b")}, ci="analytic")


def test_what_is_linked_through_others_only_stays_uncertain() -> None:
    rows = _rows({("k1", "k2"): 30, ("k2", "k1"): 30, ("q", "k1"): 1, ("p", "q"): 1})
    for ci in ("bootstrap", "analytic"):
        board = bt.rank(rows, scale="log", ci=ci).board
        assert board["p"].rank_high == 4
        assert 0.2 < board["p"].p_best < 0.9
        assert board["p"].low is not None
        assert board["p"].high is None


def test_one_judgment_each_proves_no_order() -> None:
    board = bt.rank(_rows({("a1", "b1"): 1, ("b1", "c1"): 1, ("c1", "d1"): 1}), unit="row").board
    assert [row.system for row in board] == ["a1", "b1", "c1", "d1"]
    assert len(board.clusters) == 1
    assert board["a1"].p_best < 0.9


def test_islands_come_last_at_any_rank_and_move_nobody() -> None:
    core = _rows({("k1", "k2"): 60, ("k2", "k1"): 20, ("k2", "k3"): 50, ("k3", "k2"): 20})
    island = _rows({("c", "d"): 60, ("d", "c"): 2})
    alone, board = bt.rank(core, scale="log").board, bt.rank(core + island, scale="log").board
    assert [row.system for row in board] == ["k1", "k2", "k3", "c", "d"]
    for row in alone:
        assert board[row.system].score == pytest.approx(row.score, abs=1e-9)
        assert (board[row.system].rank_low, board[row.system].rank_high) == (row.rank_low, row.rank_high)
    assert (board["c"].rank_low, board["c"].rank_high, board["c"].cluster, board["c"].p_best) == (1, 5, None, None)
    assert board.confidence("c", "k3") == pytest.approx(0.5, abs=0.06)
    assert board.confidence("c", "d") > 0.99


def test_the_unit_of_weights_does_not_matter() -> None:
    rows = _random(5, seed=7, judgments=200)
    left, right, winner = zip(*rows, strict=True)
    boards = [
        bt.rank(
            {"left": left, "right": right, "winner": winner, "weight": [weight] * 200}, ci="analytic", scale="log"
        ).board
        for weight in (1.0, 1e-10, 1e12)
    ]
    for board in boards[1:]:
        for row in boards[0]:
            assert board[row.system].score == pytest.approx(row.score, abs=1e-8)
            assert board[row.system].low == pytest.approx(row.low, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_thin_evidence_never_breaks(seed: int) -> None:
    """Three hundred systems with eight judgments each: almost every resample falls apart."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 3, 300)
    left = rng.integers(300, size=1200)
    right = (left + rng.integers(1, 300, size=1200)) % 300
    won = rng.random(1200) < special.expit(strength[left] - strength[right])
    names = np.array([f"s{place:03d}" for place in range(300)])
    board = bt.rank(
        {"left": names[left], "right": names[right], "winner": np.where(won, "a", "b")}, resamples=30, scale="log"
    ).board
    assert board.fit.converged
    assert np.all(np.isfinite(board.draws.strength))
    assert np.abs(board.draws.strength).max() < 1000


def test_anchors_must_be_comparable() -> None:
    rows = _rows({("owl", "yak"): 3, ("yak", "owl"): 3, ("owl", "elk"): 3})
    with pytest.raises(bt.PlanError, match="the anchor 'elk' cannot be compared with the others"):
        bt.rank(rows, scale="elo", anchor="elk=1000")


def test_the_last_steps_are_taken_where_rounding_hides_them_in_the_likelihood() -> None:
    rng = np.random.default_rng(0)
    first, second = np.triu_indices(200, 1)
    strength = rng.normal(size=200)
    won = special.expit(strength[first] - strength[second])
    for judgments in (300_000, 400_000, 500_000, 600_000, 700_000, 800_000):
        met = rng.multinomial(judgments, np.full(len(first), 1 / len(first)))
        wins = rng.binomial(met, won).astype(float)
        outcomes = np.stack([wins, np.zeros_like(wins), met - wins])
        counts = PairCounts(tuple(map(str, range(200))), first, second, outcomes, None)  # type: ignore[arg-type]
        fit = BradleyTerry().fit(counts)
        residual = wins - met * special.expit(fit.strength[first] - fit.strength[second])
        assert fit.converged
        assert np.max(np.abs(counts.add_up(residual, -residual))) < 1e-8


def test_a_fit_that_begins_at_the_maximum_does_not_look_for_gains_below_rounding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    first, second = np.triu_indices(100, 1)
    wins, losses = rng.integers(50, 100, size=(2, len(first))).astype(float)
    outcomes = np.stack([wins, np.zeros_like(wins), losses])
    counts = PairCounts(tuple(map(str, range(100))), first, second, outcomes, None)  # type: ignore[arg-type]
    strength, value, asked = BradleyTerry().fit(counts).strength, links.Logistic.value, []

    def counting(link: links.Logistic, *args: Any) -> float:
        asked.append(1)
        return value(link, *args)

    monkeypatch.setattr(links.Logistic, "value", counting)
    near = BradleyTerry().fit_near(counts, strength + 1e-9 * rng.normal(size=100), {})
    assert near.strength == pytest.approx(strength, abs=1e-12)
    assert len(asked) < 10
