"""TrueSkill as a model, against the trueskill package; and repeated runs of models that make random choices."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
import trueskill
from scipy import integrate, stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.datasets.statistics.orders import Orders
from betterthan.datasets.units.units import RowWeights
from betterthan.models.ordered.matches import RankedMatches
from betterthan.models.trueskill import TrueSkill
from betterthan.uncertainty import ranks_and_clusters
from tests.draws import plain_draws
from tests.models.test_ordered_models import NAMES, _evalica_elo, _random


def test_trueskill_is_the_package_s() -> None:
    rows = _random(150, seed=4)
    environment = trueskill.TrueSkill(backend="scipy")  # game defaults, draws of 10 %
    ratings = {name: environment.create_rating() for name in NAMES}
    for left, right, outcome in rows:
        first, second = (left, right) if outcome != "right" else (right, left)
        ratings[first], ratings[second] = trueskill.rate_1vs1(
            ratings[first], ratings[second], drawn=outcome == "tie", min_delta=1e-12, env=environment
        )
    board = bt.rank(rows, model="trueskill", ci="none").board
    assert {row.system: row.score for row in board} == pytest.approx({n: r.mu for n, r in ratings.items()}, abs=1e-6)
    assert dict(zip(NAMES, board.fit.spread, strict=True)) == pytest.approx(
        {name: rating.sigma for name, rating in ratings.items()}, abs=1e-6
    )
    margin = trueskill.calc_draw_margin(0.1, 2, environment)
    gap = ratings["owl"].mu - ratings["yak"].mu
    scale = np.sqrt(2 * environment.beta**2 + ratings["owl"].sigma ** 2 + ratings["yak"].sigma ** 2)
    win, loss = stats.norm.cdf((gap - margin) / scale), stats.norm.cdf((-gap - margin) / scale)
    assert board.probability("owl", "yak") == pytest.approx((win, 1 - win - loss, loss), abs=1e-7)


def test_matches_of_all_players_are_the_package_s() -> None:
    rng = np.random.default_rng(5)
    ranks = rng.integers(1, 5, size=(40, 5)) + np.arange(5) // 2
    environment = trueskill.TrueSkill(backend="scipy")
    ratings = [environment.create_rating() for _ in NAMES]
    for ranking in ranks:
        groups = environment.rate([(rating,) for rating in ratings], ranks=ranking.tolist(), min_delta=1e-12)
        ratings = [group[0] for group in groups]
    rankings = bt.read_rankings({name: ranks[:, place] for place, name in enumerate(NAMES)})
    board = bt.rank(rankings, model="trueskill(players=all)", ci="none").board
    assert [board[name].score for name in NAMES] == pytest.approx([rating.mu for rating in ratings], abs=1e-5)
    assert board.fit.spread == pytest.approx([rating.sigma for rating in ratings], abs=1e-5)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_matches_of_some_players_are_all_sets_of_them_by_the_package(players: int) -> None:
    """Rankings of five, four and three systems: sets come in the order of combinations, best systems first."""
    rng = np.random.default_rng(7)
    rankings = [
        {str(name): int(rank) for name, rank in zip(names, rng.integers(1, 5, size=len(names)), strict=True)}
        for names in (rng.choice(NAMES, size, replace=False) for size in rng.choice([3, 4, 5], 12))
    ]
    environment = trueskill.TrueSkill(backend="scipy")
    ratings = {name: environment.create_rating() for name in NAMES}
    for ranking in rankings:
        # Systems of equal rank in the order of their names, as the columns of the evidence have them.
        best_first = sorted(ranking, key=lambda name: (ranking[name], name))
        for match in combinations(best_first, min(players, len(ranking))):
            groups = [(ratings[name],) for name in match]
            rated = environment.rate(groups, ranks=[ranking[name] for name in match], min_delta=1e-12)
            ratings |= {name: group[0] for name, group in zip(match, rated, strict=True)}
    rows = [(str(number), *entry) for number, ranking in enumerate(rankings) for entry in sorted(ranking.items())]
    number, system, rank = zip(*rows, strict=True)
    evidence = bt.read_rankings({"ballot": number, "system": system, "rank": rank}, ranking="ballot")
    board = bt.rank(evidence, model=f"trueskill(players={players})", ci="none").board
    assert {row.system: row.score for row in board} == pytest.approx({n: r.mu for n, r in ratings.items()}, abs=1e-5)
    assert dict(zip(board.fit.systems, board.fit.spread, strict=True)) == pytest.approx(
        {name: rating.sigma for name, rating in ratings.items()}, abs=1e-5
    )


def test_so_many_players_as_there_are_is_the_whole_ranking() -> None:
    ranks = np.random.default_rng(8).integers(1, 6, size=(30, 5))
    rankings = bt.read_rankings({name: ranks[:, place] for place, name in enumerate(NAMES)})
    five, every = (
        bt.rank(rankings, model=f"trueskill(players={players})", resamples=20).board for players in (5, "all")
    )
    assert np.array_equal(five.draws.strength, every.draws.strength)
    three = bt.rank(rankings, model="trueskill(players=3)", resamples=20).board
    assert not np.allclose(three.fit.strength, every.fit.strength)


def test_two_players_are_two() -> None:
    assert TrueSkill(players=2) == TrueSkill(players="two")


def test_a_ranking_that_was_drawn_again_is_played_again() -> None:
    ranks = np.random.default_rng(9).integers(1, 6, size=(6, 5))
    orders = data_sets(bt.read_rankings({name: ranks[:, place] for place, name in enumerate(NAMES)}))
    statistic = orders.only("a test").statistic(Orders)
    times = np.array([[2], [0], [1], [0], [3], [1]], dtype=float)
    model = TrueSkill(players=3)
    drawn, _ = model.refitter(model.fit(statistic), statistic)(times, np.random.default_rng(0))
    again = bt.read_rankings({name: np.repeat(ranks[:, at], times[:, 0].astype(int)) for at, name in enumerate(NAMES)})
    expected = bt.rank(again, model="trueskill(players=3)", ci="none").board.fit
    assert drawn[:, 0] == pytest.approx(expected.strength, abs=1e-12)


def test_matches_have_the_weight_of_their_ranking() -> None:
    size, rank = [4, 2, 5, 3], [2.0, 1, 3, 2, 1, 2, 5, 4, 3, 2, 1, 1, 2, 3]
    orders = Orders(
        NAMES,
        np.repeat(np.arange(4), size),
        np.concatenate([np.arange(each) for each in size]),
        np.array(rank),
        np.array([1.0, 2.0, 3.0, 4.0]),
        RowWeights.of(4, {}),
    )
    places = np.array([2, 0, 0, 3, 1])
    start, system, ranked, weight = RankedMatches.of(orders, 3).at(places)
    expected = []
    for place in places:
        entries = [(rank[at], at - sum(size[:place])) for at in np.flatnonzero(orders.ranking == place)]
        expected += [(match, 1.0 + place) for match in combinations(sorted(entries), min(3, size[place]))]
    assert len(expected) == 10 + 4 + 4 + 1 + 1 == len(weight)
    for number, (match, weighs) in enumerate(expected):
        entry = slice(start[number], start[number + 1])
        assert list(zip(ranked[entry], system[entry], strict=True)) == list(match)
        assert weight[number] == weighs


@pytest.mark.parametrize("players", ["1", "0", "51", "three", "2.5"])
def test_players_that_cannot_be(players: str) -> None:
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(_random(20, seed=2), model=f"trueskill(players={players})")
    shown = players if players.isdigit() else repr(players)
    assert str(refusal.value) == f"trueskill: players must be 'two', 'all' or a whole number from 2 to 50, got {shown}"


def test_too_many_sets_of_players_are_refused() -> None:
    ranks = np.random.default_rng(10).permuted(np.tile(np.arange(1, 61), (3, 1)), axis=1)
    rankings = bt.read_rankings({f"s{place:02d}": ranks[:, place] for place in range(60)})
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(rankings, model="trueskill(players=30)", ci="none")
    assert str(refusal.value) == (
        f"the rankings hold {3 * comb(60, 30):,} matches of 30 systems, and 5,000,000 can be played. Use players=all, "
        "which takes each ranking as one match, or players=two."
    )


@pytest.mark.parametrize("players", ["two", "all", "3"])
def test_the_preset_of_wmt(players: str) -> None:
    ranks = np.random.default_rng(6).integers(1, 6, size=(20, 5))
    rankings = bt.read_rankings({name: ranks[:, place] for place, name in enumerate(NAMES)})
    fit = bt.rank(rankings, model=f"trueskill(preset=wmt, players={players})", ci="none").board.fit
    expected = {"mu": 0.0, "sigma": 0.5, "beta": 0.025 * 200 * 0.25, "tau": 0.0, "margin": 0.25, "radius": 0.25}
    assert dict(fit.parameters) == pytest.approx(expected), "ten judgments in each of twenty rankings"


@pytest.mark.parametrize(("options", "radius"), [("", 0.25), (", radius=0.1", 0.1), (", margin=0.4", 0.4)])
def test_chances_of_wmt_s_preset_are_those_of_the_difference_of_two_beliefs(options: str, radius: float) -> None:
    board = bt.rank(_random(400, seed=2), model=f"trueskill(preset=wmt{options})", ci="none").board
    owl, yak = (board.fit.systems.index(name) for name in ("owl", "yak"))
    assert board.fit.spread is not None
    one, two = (stats.norm(board.fit.strength[place], board.fit.spread[place]) for place in (owl, yak))
    # Of a fixed belief about the first, the second is below it by more than the radius, or not; then over all beliefs.
    win = integrate.quad(lambda mu: one.pdf(mu) * two.cdf(mu - radius), -6, 6, epsabs=1e-12)[0]
    loss = integrate.quad(lambda mu: one.pdf(mu) * two.sf(mu + radius), -6, 6, epsabs=1e-12)[0]
    assert board.probability("owl", "yak") == pytest.approx((win, 1 - win - loss, loss), abs=1e-9)


def test_a_radius_is_for_the_preset_of_wmt() -> None:
    with pytest.raises(bt.ModelError, match="radius is for preset=wmt; other chances are cut at the margin"):
        bt.rank(_random(20, seed=2), model="trueskill(radius=0.1)")


def test_ratings_that_are_net_wins_are_doubted_where_systems_were_judged_unequally_often() -> None:
    rng = np.random.default_rng(0)
    strength = dict(zip(NAMES, (2.0, 0.5, 0.0, -0.5, -1.0), strict=True))

    def judgments(seldom: float) -> list[tuple[str, str, str]]:
        rows = []
        while len(rows) < 3000:
            left, right = (str(name) for name in rng.choice(NAMES, 2, replace=False))
            if NAMES[0] in {left, right} and rng.random() > seldom:
                continue
            won = rng.random() < 1 / (1 + np.exp(strength[right] - strength[left]))
            rows.append((left, right, "left" if won else "right"))
        return rows

    def codes(rows: list[tuple[str, str, str]], model: str) -> set[str]:
        return {finding.code for finding in bt.rank(rows, model=model, ci="none").board.findings}

    uneven = judgments(0.1)
    board = bt.rank(uneven, model="trueskill(preset=wmt)", ci="none").board
    assert board[NAMES[0]].rank > 1, "the best system was judged too seldom to lead"
    finding = next(finding for finding in board.findings if finding.code == "net-wins")
    net = dict.fromkeys(NAMES, 0)
    for left, right, outcome in uneven:
        net[left] += 1 if outcome == "left" else -1
        net[right] -= 1 if outcome == "left" else -1
    expected = np.corrcoef([net[name] for name in board.fit.systems], board.fit.strength)[0, 1]
    assert finding.value == pytest.approx(expected)
    assert "net-wins" not in codes(judgments(1.0), "trueskill(preset=wmt)")
    assert "net-wins" not in codes(uneven, "trueskill")
    assert "net-wins" not in codes(uneven, "trueskill(preset=wmt, beta=0.5)")


# --- runs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["elo", "trueskill", "hopkins-may(noise=0, burn_in=20, sweeps=20)"])
def test_a_hundred_runs_lose_two_at_each_end(model: str) -> None:
    board = bt.rank(_random(60), model=model, ci="runs", seed=3).board
    assert (board.settings.resamples, board.settings.level) == (100, 0.96)
    assert board.draws.strength.shape == (100, 5)
    ranks = stats.rankdata(-board.draws.strength, axis=1)  # no two are equal
    for place, name in enumerate(NAMES):
        kept = np.sort(ranks[:, place])[2:-2]
        assert (board[name].rank_low, board[name].rank_high) == (kept[0], kept[-1])
    assert "runs" in [finding.code for finding in board.findings]


@pytest.mark.parametrize(("extreme", "worst"), [(1, 1), (2, 1), (3, 3)])
def test_two_of_a_hundred_decide_nothing_and_three_do(extreme: int, worst: int) -> None:
    strength = np.tile([3.0, 2.0, 1.0], (100, 1))
    strength[:extreme] = [0.0, 2.0, 1.0]
    draws = plain_draws(strength, [3.0, 2.0, 1.0], method="runs", units=60)
    assert [ends.tolist() for ends in ranks_and_clusters.rank_ranges(draws, 0.96)] == [
        [1, 2 - extreme // 3, 3 - extreme // 3],
        [worst, 2, 3],
    ]


def test_runs_of_elo_are_other_orders_of_the_same_judgments() -> None:
    rows = [("owl", "yak", "left"), ("yak", "elk", "left"), ("elk", "owl", "left")]
    possible = set()
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        ratings = _evalica_elo([rows[place] for place in order], k=20.0)
        possible.add(tuple(round(ratings[name], 6) for name in ("elk", "owl", "yak")))
    runs = bt.rank(rows, model="elo", ci="runs").board.draws.strength
    assert {tuple(round(value, 6) for value in run) for run in runs} == possible


@pytest.mark.parametrize("model", ["bradley-terry", "win-rate", "davidson", "pagerank", "rank-centrality"])
def test_models_without_random_choices_refuse_runs(model: str) -> None:
    with pytest.raises(bt.ModelError) as refusal:
        bt.rank(_random(60), model=model, ci="runs")
    assert str(refusal.value) == (
        f"{model} makes no random choices, so every run would give the same result. Use ci='bootstrap'; "
        "runs are for elo, trueskill and hopkins-may."
    )
