"""All pairs: every cell against SciPy and R, corrections, and what is shown."""

import csv
import json
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.base.arrays import FloatArray, IntArray
from betterthan.inference.tests.multiplicity import adjusted
from betterthan.inference.tests.omnibus_tests import cochran, critical_difference, friedman, omnibus, quade
from betterthan.models.base import Fit
from betterthan.models.bradley_terry import BradleyTerry
from tests.arenas import arena
from tests.reference.r_estimates import TABLES, r_estimates

RNG = np.random.default_rng(0)
SCORES = {
    name: (RNG.normal(shift, 1.0, 40)).round(1).tolist()
    for name, shift in (("owl", 0.9), ("yak", 0.3), ("elk", 0.0), ("fox", 0.3))
}


def _cell(pairs: bt.AllPairs, a: str, b: str) -> tuple[float, float]:
    row, column = pairs.systems.index(a), pairs.systems.index(b)
    np.testing.assert_equal(pairs.p[row, column], pairs.p[column, row])
    np.testing.assert_equal(pairs.p_adjusted[row, column], pairs.p_adjusted[column, row])
    return float(pairs.values[row, column]), float(pairs.p[row, column])


@pytest.mark.parametrize(
    ("model", "test"),
    [
        ("mean", lambda a, b: stats.ttest_rel(a, b).pvalue),
        ("median", lambda a, b: stats.median_test(a, b).pvalue),
        ("bradley-terry", lambda a, b: stats.binomtest(int(np.sum(a > b)), int(np.sum(a != b))).pvalue),
        ("elo", lambda a, b: stats.binomtest(int(np.sum(a > b)), int(np.sum(a != b))).pvalue),
        ("trueskill", lambda a, b: stats.binomtest(int(np.sum(a > b)), int(np.sum(a != b))).pvalue),
    ],
)
def test_every_cell_equals_scipy(model: str, test: Any) -> None:
    pairs, by_model = bt.compare_all(SCORES, model, by="pair"), bt.compare_all(SCORES, model)
    board = bt.rank(SCORES, model=model, ci="none").board
    assert pairs.systems == by_model.systems == tuple(row.system for row in board)
    for (a, one), (b, two) in permutations(SCORES.items(), 2):
        value, p = _cell(pairs, a, b)
        assert p == pytest.approx(test(np.array(one), np.array(two)), abs=1e-12)
        if model in {"mean", "median"}:
            assert value == pytest.approx(board[a].score - board[b].score)
            assert _cell(by_model, a, b)[0] == pytest.approx(value)
        else:
            ties = np.mean(np.array(one) == np.array(two))
            own = pairs.share[pairs.systems.index(a), pairs.systems.index(b)]
            assert own == pytest.approx(np.mean(np.array(one) > np.array(two)) + ties / 2)
            assert value == _cell(by_model, a, b)[0] == pytest.approx(board.expected_score(a, b))


@pytest.mark.parametrize("model", ["mean", "median", "bradley-terry", "elo", "win-rate"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_pairs_ranges_and_clusters_are_one_decision(model: str, level: float) -> None:
    """Rank ranges are counts of the pairs that differ, at the same level, with the same draws."""
    pairs = bt.compare_all(SCORES, model, level=level)
    board = bt.rank(SCORES, model=model, level=level).board
    order = [board.fit.systems.index(system) for system in pairs.systems]
    above = board.decisions.above[np.ix_(order, order)]
    np.testing.assert_array_equal((pairs.p_adjusted <= 1 - level) & ~np.eye(4, dtype=bool), above | above.T)
    for place, system in enumerate(pairs.systems):
        assert (board[system].rank_low, board[system].rank_high) == (
            1 + above[:, place].sum(),
            4 - above[place].sum(),
        )
    assert pairs.verdict.startswith(
        f"{above.sum()} of 6 pairs differ significantly for items like these ({model} by item, corrected for all"
    )


def test_omnibus_tests_equal_r() -> None:
    rows = list(csv.DictReader((TABLES / "tests_20items.csv").read_text().splitlines()))
    values = np.array([[float(row[name]) for name in "ABC"] for row in rows])
    golden = r_estimates()["tests.friedman"]
    assert (friedman(values).statistic, friedman(values).p) == pytest.approx(
        (golden["friedman"]["statistic"], golden["friedman"]["p"]), abs=1e-9
    )
    assert friedman(values).note == f"Kendall's W {golden['kendall_W']:.3f}"
    assert (quade(values).statistic, quade(values).p) == pytest.approx(
        (golden["quade"]["statistic"], golden["quade"]["p"]), abs=1e-9
    )


def test_cochran_of_two_systems_is_mcnemar_and_nemenyi_is_demsars() -> None:
    right = np.array([[1, 0]] * 7 + [[0, 1]] * 2 + [[1, 1]] * 5, dtype=float)
    assert cochran(right).statistic == pytest.approx((7 - 2) ** 2 / 9)
    assert [test.name for test in omnibus(right)] == ["friedman", "quade", "cochran"]
    # Demšar (2006): q at .05 for four classifiers is 2.569
    assert critical_difference(14, 4, 0.95) == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=1e-3)


def test_corrections_by_hand() -> None:
    p = np.array([0.01, 0.02, 0.03, 0.9])
    assert adjusted(p, "holm").tolist() == pytest.approx([0.04, 0.06, 0.06, 0.9])
    assert adjusted(p, "bonferroni").tolist() == pytest.approx([0.04, 0.08, 0.12, 1.0])
    assert adjusted(p, "benjamini-hochberg").tolist() == pytest.approx([0.04, 0.04, 0.04, 0.9])
    assert adjusted(p, "none").tolist() == p.tolist()
    with pytest.raises(bt.PlanError) as refusal:
        adjusted(p, "sidak")
    assert str(refusal.value) == "correction must be one of holm, benjamini-hochberg, bonferroni, none, got 'sidak'."


def test_identical_systems_and_pairs_that_never_met() -> None:
    same = bt.compare_all({"owl": SCORES["owl"], "yak": SCORES["owl"], "elk": SCORES["elk"]}, "mean")
    assert _cell(same, "owl", "yak") == (0.0, 1.0)
    rows = [("owl", "yak", "a"), ("yak", "owl", "a"), ("yak", "elk", "a"), ("elk", "yak", "a")]
    assert _cell(bt.compare_all(rows), "owl", "elk")[1] == 1.0  # through yak, both are equal
    thin = bt.compare_all(rows, by="pair")
    assert np.isnan(_cell(thin, "owl", "elk")[1])
    document = json.loads(thin.to_json(), parse_constant=pytest.fail)
    assert None in [pair["p"] for pair in document["pairs"]]


def test_judgments_use_the_sign_test_and_fit_the_terminal() -> None:
    pairs = bt.compare_all(arena(), "davidson", by="pair", correction="none")
    assert (pairs.test, pairs.omnibus, pairs.ranks) == ("sign", (), None)
    assert all(len(line) <= 80 for line in pairs.to_text(80).splitlines()[:-1])
    assert pairs.separated() == sum(p <= 0.05 for p in pairs.columns()["p_adjusted"])


def test_several_metrics_and_models_are_refused() -> None:
    tables = bt.read_scores(
        {"item": ["1", "2"] * 2, "system": ["owl", "owl", "yak", "yak"], "x": [1, 2, 3, 5], "y": [1, 2, 3, 4]},
        score=["x", "y"],
    )
    with pytest.raises(
        bt.PlanError, match="the comparison of all pairs is of one metric and data set, and there are 2: 'x', 'y'"
    ):
        bt.compare_all(tables)
    with pytest.raises(bt.PlanError, match="pairs are compared by one model"):
        bt.compare_all(SCORES, "mean,median")


def test_the_models_own_test_equals_r() -> None:
    """Wald's tests of log odds by BradleyTerry2, ties dropped, judgments independent (one row is one unit)."""
    golden = r_estimates()
    votes = bt.read_judgments(TABLES / "dras_table1_counts.csv")
    votes = replace(
        votes, roles={role: name for role, name in votes.roles.items() if role in {"left", "right", "outcome"}}
    )
    pairs = bt.compare_all(votes, "davidson", correction="none", resamples=4000)
    contrasts = golden["dras.t1.ties"]["pairwise_log_odds_contrasts"]
    for names, found in contrasts.items():
        a, b = (pairs.systems.index(name) for name in names.split("-"))
        # R takes the information, we the sandwich: the same where the model fits, not far from it here.
        freedom = float(votes.tally().times.sum()) - 1
        assert stats.t.isf(pairs.p[a, b] / 2, freedom) == pytest.approx(abs(found["z"]), rel=0.15)


def test_the_models_own_test_knows_what_hangs_together() -> None:
    rng = np.random.default_rng(0)
    rejected = {"item": 0, "row": 0}
    for _ in range(60):
        taste = rng.normal(0, 1.5, size=(25, 3))
        item = np.repeat(np.arange(25), 24)
        one = rng.integers(3, size=600)
        two = (one + rng.integers(1, 3, size=600)) % 3
        won = rng.random(600) < 1 / (1 + np.exp(taste[item, two] - taste[item, one]))
        names = np.array(["a", "b", "c"])
        columns = {"left": names[one], "right": names[two], "winner": np.where(won, "a", "b")}
        for unit, more in (("item", {"item": item.astype(str)}), ("row", {})):
            found = bt.compare_all({**columns, **more}, correction="none", resamples=300)
            rejected[unit] += int(np.sum(found.p[np.triu_indices(3, 1)] < 0.05))
    assert rejected["item"] <= 0.13 * 180  # 25 units: a little more than .05
    assert rejected["row"] > 0.2 * 180


def test_tests_of_single_pairs_have_no_joint_correction() -> None:
    with pytest.raises(bt.PlanError, match=r"cannot be corrected jointly, got correction='joint'\. Use"):
        bt.compare_all([("owl", "yak", "a"), ("yak", "elk", "b"), ("owl", "elk", "a")], by="pair", correction="joint")


def test_a_model_is_asked_for_all_pairs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, chances = [], BradleyTerry.chances

    def counted(self: BradleyTerry, fit: Fit, a: IntArray, b: IntArray) -> FloatArray:
        asked.append(len(a))
        return chances(self, fit, a, b)

    monkeypatch.setattr(BradleyTerry, "chances", counted)
    scores = {f"s{place:02d}": np.random.default_rng(place).normal(place / 20, 1, 30).tolist() for place in range(40)}
    pairs = bt.compare_all(scores, "bradley-terry")
    assert max(asked) == 40 * 40
    assert sum(asked) <= 40 * 40 + 2  # does it have chances at all?
    assert pairs.values[3, 7] == pytest.approx(1 - pairs.values[7, 3], abs=1e-15)
    asked.clear()
    bt.rank(scores, model="bradley-terry", ci="none", scale="log").to_text()
    assert len(asked) <= 3
    assert sum(asked) < 2 * 40


def test_the_models_options_are_used_or_refused() -> None:
    """`median(of=differences)` was ignored, and the result signed with it."""
    values = {"owl": [1.0, 5, 9, 2, 4, 8, 8], "yak": [0.5, 6, 8, 1, 3, 9, 7], "elk": [0.0, 1, 2, 3, 2, 1, 0]}
    pairs = bt.compare_all(values, "median(of=differences)", by="pair")
    a, b = pairs.systems.index("owl"), pairs.systems.index("yak")
    assert pairs.values[a, b] == np.median(np.array(values["owl"]) - np.array(values["yak"]))
    assert pairs.test == "sign"
    assert pairs.p[a, b] == pytest.approx(bt.compare(values, "owl", "yak").test("sign").p)
    assert "model:median(of=differences)" in str(pairs.signature)
    assert bt.compare_all(values, "median", by="pair").test == "mood"
    with pytest.raises(bt.PlanError, match="a trimmed mean has no test of pairs"):
        bt.compare_all(values, "mean(trim=0.1)", by="pair")
    assert bt.compare_all(values, "mean(trim=0.1)").test == "model"


def test_friedman_of_rankings_is_scipys_over_the_rankings() -> None:
    rows = list(csv.DictReader((TABLES / "salad_ranks.csv").read_text().splitlines()))
    ranks = np.array([[float(row[name]) for name in "ABCD"] for row in rows])
    pairs = bt.compare_all(bt.read_rankings(TABLES / "salad_ranks.csv"))
    expected = stats.friedmanchisquare(*ranks.T)
    (test,) = pairs.omnibus
    assert (test.name, test.statistic, test.p) == (
        "friedman",
        pytest.approx(expected.statistic),
        pytest.approx(expected.pvalue),
    )
    assert test.note == f"Kendall's W {expected.statistic / (32 * 3):.3f}, over 32 rankings"
    assert pairs.ranks == pytest.approx(dict(zip("ABCD", ranks.mean(axis=0), strict=True)))
    assert "Friedman test: " in pairs.to_text(100)


def test_friedman_of_rankings_is_over_judges_where_they_repeat() -> None:
    rng = np.random.default_rng(0)
    ranks = np.array([rng.permutation(3) + 1 for _ in range(40)])
    judge = [f"j{place % 8}" for place in range(40)]
    table = {name: ranks[:, place].tolist() for place, name in enumerate("ABC")}
    rankings = bt.read_rankings({**table, "judge": judge}, systems=list("ABC"))
    pairs = bt.compare_all(rankings, unit="judge")
    means = np.array([ranks[[one == f"j{place}" for one in judge]].mean(axis=0) for place in range(8)])
    expected = stats.friedmanchisquare(*means.T)
    (test,) = pairs.omnibus
    assert (test.statistic, test.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))
    assert test.note.endswith("over 8 judges")


def test_rankings_without_some_systems_are_no_blocks_of_friedmans_test() -> None:
    ranks = {"ranking": [1, 1, 1, 2, 2, 2, 3, 3], "system": list("ABCABCAB"), "rank": [1, 2, 3, 2, 1, 3, 1, 2]}
    (test,) = bt.compare_all(bt.read_rankings(ranks)).omnibus
    assert test.note.endswith("over 2 rankings")
