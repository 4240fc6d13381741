"""Shares, counts and ranks against definitions written out as loops, SciPy, and evalica."""

from collections.abc import Callable, Iterator
from typing import Any

import evalica
import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.base import build_model

Row = tuple[str, str, str]
SYSTEMS = ("elk", "emu", "fox", "owl", "yak")


def _random(seed: int, judgments: int = 300, unmet: tuple[str, ...] = ()) -> list[Row]:
    """Draw judgments with ties; the two systems named by `unmet` never meet."""
    rng = np.random.default_rng(seed)
    strength = dict(zip(SYSTEMS, rng.normal(size=len(SYSTEMS)), strict=True))
    rows: list[Row] = []
    while len(rows) < judgments:
        left, right = (str(name) for name in rng.choice(SYSTEMS, 2, replace=False))
        seen = strength[left] - strength[right] + rng.logistic()
        if {left, right} != set(unmet):
            rows.append((left, right, "left" if seen > 0.5 else "right" if seen < -0.5 else "tie"))
    return rows


def _counts(rows: Any) -> PairCounts:
    return PairCounts.of(bt.read_judgments(rows).tally())


def _records(rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
    """Return wins (winner × loser) and ties (both ways), counted row by row."""
    names = sorted({name for row in rows for name in row[:2]})
    wins, ties = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for left, right, outcome in rows:
        a, b = names.index(left), names.index(right)
        if outcome == "tie":
            ties[a, b] += 1
            ties[b, a] += 1
        elif outcome == "left":
            wins[a, b] += 1
        else:
            wins[b, a] += 1
    return wins, ties


def _unpacked(counts: PairCounts, outcomes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the same two tables from the outcomes (3 × pairs) of one resample."""
    wins, ties = np.zeros((counts.size, counts.size)), np.zeros((counts.size, counts.size))
    for pair, (a, b) in enumerate(zip(counts.first, counts.second, strict=True)):
        wins[a, b], wins[b, a] = outcomes[0, pair], outcomes[2, pair]
        ties[a, b] = ties[b, a] = outcomes[1, pair]
    return wins, ties


def _others(size: int, one: int) -> Iterator[int]:
    return (other for other in range(size) if other != one)


def _share_of_judgments(points: np.ndarray) -> list[float]:
    return [points[one].sum() / (points[one].sum() + points[:, one].sum()) for one in range(len(points))]


def _share_over_opponents(points: np.ndarray) -> list[float]:
    means = []
    for one in range(len(points)):
        met = [other for other in _others(len(points), one) if points[one, other] + points[other, one] > 0]
        means.append(np.mean([points[one, other] / (points[one, other] + points[other, one]) for other in met]))
    return means


NAIVE: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
    "win-rate": lambda wins, ties: _share_of_judgments(wins + ties / 2),
    "win-rate(ties=drop)": lambda wins, ties: _share_of_judgments(wins),
    "win-rate(over=opponents)": lambda wins, ties: _share_over_opponents(wins + ties / 2),
    "win-rate(over=opponents, ties=drop)": lambda wins, ties: _share_over_opponents(wins),
    "count": lambda wins, ties: (wins + ties / 2).sum(axis=1),
    "count(ties=drop)": lambda wins, ties: wins.sum(axis=1),
    "borda": lambda wins, ties: np.multiply(_share_over_opponents(wins + ties / 2), len(wins) - 1),
    "average-rank": lambda wins, ties: (
        np.multiply(_share_over_opponents(wins + ties / 2), len(wins) - 1) - len(wins)  # its sign turned
    ),
    "expected-wins": lambda wins, ties: _share_over_opponents(wins),
    "expected-wins(version=wmt11)": lambda wins, ties: (wins + ties).sum(axis=1) / (wins + wins.T + ties).sum(axis=1),
}


@pytest.mark.parametrize("unmet", [(), ("owl", "yak")])
@pytest.mark.parametrize("model", NAIVE)
def test_it_equals_its_definition(model: str, unmet: tuple[str, ...]) -> None:
    rows = _random(1, unmet=unmet)
    fit = build_model(model).fit(_counts(rows))
    np.testing.assert_allclose(fit.strength, NAIVE[model](*_records(rows)), atol=1e-12)
    assert not fit.findings


@pytest.mark.parametrize("model", NAIVE)
def test_a_resample_equals_its_definition(model: str) -> None:
    counts = _counts(_random(2, judgments=400))
    mechanism = build_model(model)
    outcomes = counts.units.resample(np.random.default_rng(0), 20)
    strength, lost = mechanism.refitter(mechanism.fit(counts), counts)(outcomes, np.random.default_rng(1))
    assert lost == 0
    for column in range(20):
        expected = NAIVE[model](*_unpacked(counts, outcomes[:, :, column]))
        np.testing.assert_allclose(strength[:, column], expected, atol=1e-12)


def test_the_bootstrap_recomputes_from_whole_items() -> None:
    """Every draw must be the share of some way to draw three items: their shares are known one by one."""
    columns = {
        "left": ["owl"] * 12,
        "right": ["yak"] * 12,
        "winner": ["a"] * 4 + ["b"] * 4 + ["a"] * 3 + ["tie"],
        "item": [1] * 4 + [2] * 4 + [3] * 4,
    }
    counts, model = data_sets(columns, unit="item").sets[0].pairs(), build_model("win-rate")
    rng = np.random.default_rng(0)
    draws = model.refitter(model.fit(counts), counts)(counts.units.resample(rng, 400), rng)[0].T
    points = [4.0, 0.0, 3.5]
    possible = {round((a + b + c) / 12, 12) for a in points for b in points for c in points}
    assert {round(share, 12) for share in draws[:, 0]} == possible
    np.testing.assert_allclose(draws.sum(axis=1), 1.0, atol=1e-12)


def test_weights_count() -> None:
    columns = {"left": ["owl", "owl", "owl"], "right": ["yak"] * 3, "winner": ["a", "b", "tie"], "weight": [3, 2, 1]}
    assert bt.rank(columns, model="win-rate", ci="none").board["owl"].score == pytest.approx(3.5 / 6)
    assert bt.rank(columns, model="count", ci="none").board["yak"].score == pytest.approx(2.5)


def test_expected_wins_by_hand() -> None:
    rows = [
        *[("owl", "yak", "left")] * 3,
        ("owl", "yak", "right"),
        *[("owl", "yak", "tie")] * 2,
        ("yak", "elk", "left"),
        ("yak", "elk", "tie"),
        ("elk", "owl", "tie"),
    ]
    new = bt.rank(rows, model="expected-wins", ci="none").board
    assert new["owl"].score == pytest.approx(3 / 4), "elk and owl only tied: no decision, left out of the mean"
    assert new["yak"].score == pytest.approx((1 / 4 + 1) / 2)
    assert new["elk"].score == 0.0
    old = bt.rank(rows, model="expected-wins(version=wmt11)", ci="none").board
    assert old["owl"].score == pytest.approx((3 + 3) / 7)
    assert old["yak"].score == pytest.approx((2 + 3) / 8)
    assert old["elk"].score == pytest.approx(2 / 3)


def test_complete_rankings_give_mean_borda_counts_and_mean_ranks() -> None:
    rng = np.random.default_rng(3)
    ranks = rng.integers(1, 5, size=(40, 5)) + np.arange(5) // 2  # ties, and some systems better than others
    rankings = bt.read_rankings({name: ranks[:, place] for place, name in enumerate(SYSTEMS)})
    average, borda = (bt.rank(rankings, model=model, resamples=50).board for model in ("average-rank", "borda"))
    mean_ranks = dict(zip(SYSTEMS, stats.rankdata(ranks, axis=1).mean(axis=0), strict=True))
    assert {row.system: row.score for row in average} == pytest.approx(mean_ranks, abs=1e-12)
    assert {row.system: row.score for row in borda} == pytest.approx(
        {name: 5 - rank for name, rank in mean_ranks.items()}, abs=1e-12
    )
    assert [row.system for row in average] == [row.system for row in borda] == sorted(SYSTEMS, key=mean_ranks.get)
    for row in average:
        assert row.low < row.score < row.high, "1 is best, and intervals are those of ranks"
        assert row.high == pytest.approx(5 - borda[row.system].low, abs=1e-12)


ONLY_TIES = [("owl", "yak", "left")] * 3 + [("yak", "owl", "left")] + [("aye-aye", "owl", "tie")] * 2


@pytest.mark.parametrize("model", ["win-rate(ties=drop)", "win-rate(over=opponents, ties=drop)", "expected-wins"])
def test_a_system_that_only_ties_comes_last_at_any_rank(model: str) -> None:
    board = bt.rank(ONLY_TIES, model=model, resamples=200).board
    assert [row.system for row in board] == ["owl", "yak", "aye-aye"]
    assert board["owl"].score == pytest.approx(0.75)
    row = board["aye-aye"]
    assert (row.rank, row.rank_low, row.rank_high, row.cluster, row.p_best) == (None, 1, 3, None, None)
    finding = next(finding for finding in board.findings if finding.code == "nothing-counts")
    assert finding.message == "'aye-aye' has no comparison that counts for this model and is listed last."


def test_where_nobody_ever_wins_all_share_the_first_rank() -> None:
    board = bt.rank([("owl", "yak", "tie"), ("yak", "elk", "tie")], model="expected-wins", resamples=20).board
    assert [row.rank for row in board] == [1, 1, 1]
    assert [finding.message for finding in board.findings if finding.code == "nothing-counts"] == [
        "'elk', 'owl', 'yak' have no comparison that counts for this model and are listed last."
    ]


def test_a_system_that_a_resample_lost_stays_where_it_was() -> None:
    counts = _counts(ONLY_TIES)
    model = build_model("win-rate")
    fit = model.fit(counts)
    outcomes = counts.outcomes[:, :, None].copy()
    outcomes[:, counts.first == 0] = 0.0  # aye-aye's two ties are not drawn
    strength, lost = model.refitter(fit, counts)(outcomes, np.random.default_rng(0))
    np.testing.assert_allclose(strength[:, 0], [0.5, 0.75, 0.25])
    assert lost == 1


@pytest.mark.parametrize("model", [*NAIVE, "pagerank", "eigenvector", "hopkins-may"])
def test_islands_are_said(model: str) -> None:
    rows = [(a, b, "left") for a, b in [("owl", "yak"), ("yak", "owl"), ("elk", "fox"), ("fox", "elk")] * 3]
    finding = next(each for each in bt.rank(rows, model=model, ci="none").board.findings if each.code == "islands")
    assert finding.message == (
        "'owl', 'yak' were never compared with the other systems, not even through third systems."
    )


# --- evalica -------------------------------------------------------------------------------------------------------

WINNERS = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}


def _evalica(name: str, rows: list[Row], *, swapped: bool = False, **options: Any) -> tuple[np.ndarray, Any]:
    left, right, outcome = zip(*rows, strict=True)
    sides = (right, left) if swapped else (left, right)
    result = getattr(evalica, name)(*sides, [WINNERS[word] for word in outcome], **options)
    return result.scores.sort_index().to_numpy(), result


TIGHT = {"tolerance": 1e-12, "limit": 2000}


@pytest.mark.parametrize("unmet", [(), ("owl", "yak")])
def test_evalica_counts_and_averages_alike(unmet: tuple[str, ...]) -> None:
    """Also where a pair never met: evalica 0.4.2 leaves it out of the mean, as we do."""
    rows = _random(4, unmet=unmet)
    fits = {model: build_model(model).fit(_counts(rows)).strength for model in ("count", "win-rate(over=opponents)")}
    np.testing.assert_allclose(fits["count"], _evalica("counting", rows)[0], atol=1e-12)
    np.testing.assert_allclose(fits["win-rate(over=opponents)"], _evalica("average_win_rate", rows)[0], atol=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.85])
def test_evalica_surfs_alike(damping: float) -> None:
    rows = _random(5)
    expected, _ = _evalica("pagerank", rows, damping=damping, **TIGHT)
    ours = build_model(f"pagerank(damping={damping})").fit(_counts(rows)).strength
    np.testing.assert_allclose(ours, expected, atol=1e-9)


def test_evalica_s_eigenvector_is_ours_with_winners_and_losers_swapped() -> None:
    """As of 0.4.2 its `eigen` multiplies by the transposed matrix, so that the highest score is the worst system's."""
    rows = _random(6)
    ours = build_model("eigenvector").fit(_counts(rows)).strength
    swapped, _ = _evalica("eigen", rows, swapped=True, **TIGHT)
    np.testing.assert_allclose(ours, swapped / swapped.sum(), atol=1e-9)
    win_rate = build_model("win-rate").fit(_counts(rows)).strength
    assert ours.argmax() == win_rate.argmax()


def test_evalica_finds_newman_s_maximum() -> None:
    rows = _random(7)
    expected, result = _evalica("newman", rows, tolerance=1e-13, limit=5000)
    fit = build_model("newman").fit(_counts(rows))
    np.testing.assert_allclose(fit.strength, np.log(expected) - np.log(expected).mean(), atol=1e-8)
    assert fit.parameters["nu"] == pytest.approx(result.v, abs=1e-8)
