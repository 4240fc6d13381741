"""Where models disagree: by the definitions, counted pair by pair, and as the paper prints it."""

from itertools import combinations

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import betterthan as bt
from betterthan.verbs.rank.model_disagreement import disagree


def _competition(values: list[int]) -> np.ndarray:
    """Return ranks with 1 the best and equal ones sharing the better rank."""
    return stats.rankdata(values, method="min").astype(np.int64)


@st.composite
def two_rankings(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    size, distinct = draw(st.integers(2, 9)), draw(st.integers(1, 9))
    values = st.lists(st.integers(1, distinct), min_size=size, max_size=size)
    return _competition(draw(values)), _competition(draw(values))


@given(ranks=two_rankings())
def test_correlations_are_those_of_signs_and_of_midranks(ranks: tuple[np.ndarray, np.ndarray]) -> None:
    one, other = ranks
    found = disagree("a", one, "b", other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert (found.kendall, found.spearman) == (None, None)
        return
    a, b = (np.sign(ranks[:, None] - ranks).ravel() for ranks in (one, other))
    assert found.kendall == pytest.approx(a @ b / np.sqrt((a @ a) * (b @ b)), abs=1e-12)  # Kendall (1945), τ-b
    middle = [np.mean([ranks[:, None] > ranks, ranks[:, None] >= ranks], axis=0).sum(axis=1) for ranks in (one, other)]
    assert found.spearman == pytest.approx(np.corrcoef(*middle)[0, 1], abs=1e-12)


def test_rankings_of_one_system_have_no_correlation() -> None:
    found = disagree("a", np.array([1]), "b", np.array([1]))
    assert (found.kendall, found.spearman, found.pairs_differ) == (None, None, 0.0)


@given(ranks=two_rankings())
def test_pairs_and_tops_are_counted(ranks: tuple[np.ndarray, np.ndarray]) -> None:
    one, other = ranks
    found = disagree("a", one, "b", other)
    differ = []
    for i, j in combinations(range(len(one)), 2):
        a, b = np.sign(one[i] - one[j]), np.sign(other[i] - other[j])
        differ.append(1.0 if a * b < 0 else 0.5 if (a == 0) != (b == 0) else 0.0)
    assert found.pairs_differ == pytest.approx(np.mean(differ), abs=1e-12)
    assert found.same_best == ({i for i, r in enumerate(one) if r == 1} == {i for i, r in enumerate(other) if r == 1})
    assert found.same_top3 == ({i for i, r in enumerate(one) if r <= 3} == {i for i, r in enumerate(other) if r <= 3})
    back = disagree("b", other, "a", one)
    assert (back.pairs_differ, back.same_best, back.same_top3) == (found.pairs_differ, found.same_best, found.same_top3)


def test_without_ties_the_share_of_pairs_is_a_rescaled_kendall() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        one, other = rng.permutation(7) + 1, rng.permutation(7) + 1
        found = disagree("a", one, "b", other)
        assert found.pairs_differ == pytest.approx((1 - stats.kendalltau(one, other).statistic) / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("one", "other", "same_best", "same_top3"),
    [
        ([1, 2, 3, 4], [1, 3, 2, 4], True, True),
        ([1, 1, 3, 4], [1, 2, 3, 4], False, True),  # a shared first place is not a sole one
        ([1, 2, 3, 3], [1, 2, 3, 4], True, False),  # two share the third place
        ([1, 2, 3, 3], [1, 3, 3, 2], True, True),
        ([2, 1, 3, 4], [1, 2, 3, 4], False, True),
        ([1, 2, 4, 3], [1, 2, 3, 4], True, False),
    ],
)
def test_shared_ranks_at_the_top(one: list[int], other: list[int], same_best: bool, same_top3: bool) -> None:
    found = disagree("a", np.array(one), "b", np.array(other))
    assert (found.same_best, found.same_top3) == (same_best, same_top3)


def test_two_hundred_systems_are_scipy_s_too() -> None:
    rng = np.random.default_rng(1)
    one, other = (_competition(rng.integers(60, size=200).tolist()) for _ in range(2))
    found = disagree("a", one, "b", other)
    assert found.kendall == pytest.approx(stats.kendalltau(one, other).statistic, abs=1e-12)
    assert found.spearman == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)


# --- boards --------------------------------------------------------------------------------------------------------


def test_systems_that_one_model_cannot_place_are_left_out() -> None:
    """emu only ties: expected-wins knows nothing about it, and the others are ranked among themselves."""
    rows = [
        *[("owl", "yak", "left")] * 3,
        ("yak", "owl", "left"),
        *[("yak", "elk", "left")] * 2,
        ("elk", "owl", "left"),
        *[("emu", "owl", "tie")] * 9,
        *[("emu", "elk", "tie")] * 9,
    ]
    boards = bt.rank(rows, model=["expected-wins", "win-rate"], ci="none")
    assert boards["expected-wins"]["emu"].rank is None
    order = {model: {row.system: row.score for row in boards[model] if row.system != "emu"} for model in boards.models}
    expected = stats.kendalltau(
        list(order["expected-wins"].values()), [order["win-rate"][name] for name in order["expected-wins"]]
    )
    (found,) = boards.disagreement
    assert found.kendall == pytest.approx(expected.statistic, abs=1e-12)


def test_metrics_are_compared_each_for_itself() -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"metric": metric, "instance": str(place), "system": system, "score": float(rng.standard_t(2) + strength)}
        for metric in ("bleu", "chrf")
        for place in range(30)
        for system, strength in (("owl", 0.3), ("yak", 0.0), ("elk", -0.1), ("fox", 0.1))
    ]
    boards = bt.rank(bt.read_scores(rows), ci="none")
    assert [(each.title, each.a, each.b) for each in boards.disagreement] == [
        (metric, a, b)
        for metric in ("bleu", "chrf")
        for a, b in (("mean", "median"), ("mean", "bradley-terry"), ("median", "bradley-terry"))
    ]
    for each in boards.disagreement:
        one, other = boards[each.title, each.a], boards[each.title, each.b]
        expected = stats.kendalltau([row.score for row in one], [other[row.system].score for row in one])
        assert each.kendall == pytest.approx(expected.statistic, abs=1e-12)


def test_three_mechanisms_of_one_table() -> None:
    """Scores are ranked by three mechanisms unless one is chosen; an outlier makes them disagree."""
    scores = {
        "M0": [1.0, 2.0, 3.0, 4.0, 40.0],
        "M1": [2.0, 3.0, 4.0, 5.0, 0.0],
        "M2": [3.0, 1.0, 5.0, 3.0, 1.0],
        "M3": [2.5, 2.5, 2.5, 2.5, 2.5],
    }
    boards = bt.rank(scores, resamples=100, scale="worth")
    assert isinstance(boards, bt.Leaderboards)
    assert boards.models == ("mean", "median", "bradley-terry")
    values = np.array(list(scores.values()))
    wins = np.sum(values[:, None, :] > values[None, :, :], axis=2).astype(float)
    worth = np.exp(choix.ilsr_pairwise_dense(wins + wins_of_ties(values), alpha=0.0))
    expected = {"mean": values.mean(axis=1), "median": np.median(values, axis=1), "bradley-terry": worth / worth.sum()}
    for model, numbers in expected.items():
        found = {row.system: row.score for row in boards[model]}
        assert found == pytest.approx(dict(zip(scores, numbers, strict=True)), abs=1e-6)
    assert len(boards.disagreement) == 3
    for each in boards.disagreement:
        one, two = expected[each.a].round(9), expected[each.b].round(9)
        assert each.kendall == pytest.approx(stats.kendalltau(one, two).statistic, abs=1e-12)
        assert each.spearman == pytest.approx(stats.spearmanr(one, two).statistic, abs=1e-12)
        assert each.same_best is bool(np.array_equal(one == one.max(), two == two.max()))
    assert {each.same_best for each in boards.disagreement} == {False}


def wins_of_ties(values: np.ndarray) -> np.ndarray:
    """Return half a win on both sides for every item on which two systems tie."""
    return np.sum(values[:, None, :] == values[None, :, :], axis=2) * (1 - np.eye(len(values))) / 2
