"""Plackett–Luce with covariates: the solver against the ranking model, brute force and closed forms."""

from itertools import combinations

import numpy as np
import pytest
from scipy import optimize, stats

import betterthan as bt
from betterthan.evidence.rankings import Rankings
from betterthan.verbs.fit.estimation.ranking_stages import Stages


def drawn(seed: int, systems: int, number: int, sd: float, *, step: float = 0.0, judges: int = 1) -> Rankings:
    """Return complete rankings of systems whose strengths differ; utilities rounded to steps make ties."""
    rng = np.random.default_rng(seed)
    strength = sd * rng.normal(size=(judges, systems))
    judge = np.arange(number) % judges
    utility = strength[judge] + rng.gumbel(size=(number, systems))
    if step:
        utility = np.round(utility / step)
    ranks = np.stack([stats.rankdata(-row, method="min") for row in utility]).astype(int)
    names = [f"S{place:02d}" for place in range(systems)]
    columns = {name: ranks[:, place].tolist() for place, name in enumerate(names)}
    return bt.read_rankings({**columns, "judge": [f"j{place}" for place in judge]}, systems=names)


def as_ranked(rankings: Rankings, close: float) -> bt.LogLinear:
    """Fit, and see that the ranking model says the same."""
    model = bt.fit(rankings, model="plackett-luce")
    board = bt.rank(rankings, model="plackett-luce", ci="none").board
    strength = {row.system: row.log_strength for row in board.rows}
    assert model.converged
    assert not {finding.code for finding in model.findings} & {"separation", "not-converged", "aliased"}
    for system in model.systems:
        expected = strength[system] - strength[str(model.reference)]
        assert model[system].estimate == pytest.approx(expected, abs=close)
    assert model.log_likelihood == pytest.approx(board.fit.log_likelihood, abs=1e-8)
    ties = {each.term.replace("tie", "delta"): each.odds for each in model if each.kind == "width"}
    assert ties == pytest.approx(dict(board.fit.parameters), rel=1e-6)
    return model


@pytest.mark.parametrize("seeds", [range(3, 5), range(24)], ids=["two sets", "24 sets"])
def test_sixty_systems_far_apart_are_fitted(seeds: range) -> None:
    for seed in seeds:
        as_ranked(drawn(seed, 60, 60, 2.0), 1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_ties_are_those_of_the_ranking_model(seed: int) -> None:
    rankings = drawn(seed, 6, 40, 1.0, step=0.7)
    model = as_ranked(rankings, 1e-6)
    assert [each.term for each in model if each.kind == "width"][:2] == ["tie2", "tie3"]


def test_pairs_with_ties_are_davidsons() -> None:
    table = {"A": [1] * 12 + [1] * 5 + [2] * 3, "B": [2] * 12 + [1] * 5 + [1] * 3}
    model = bt.fit(bt.read_rankings(table), model="plackett-luce")
    assert model["A"].estimate == pytest.approx(np.log(4), abs=1e-9)
    assert model["A"].se == pytest.approx(np.sqrt(1 / 12 + 1 / 3), abs=1e-9)
    assert model["tie2"].estimate == pytest.approx(np.log(5 / 6), abs=1e-9)
    pairs = bt.fit(bt.read_rankings(table))
    assert (model.df, model.deviance) == (2 * 20 - 2, pytest.approx(-2 * pairs.log_likelihood, abs=1e-9))
    assert model.null_deviance == pytest.approx(2 * 20 * np.log(3), abs=1e-9)


def _by_listing(rankings: Rankings, design: np.ndarray, orders: tuple[int, ...], point: np.ndarray) -> float:
    """Return the log-likelihood with all sets that could have been chosen listed."""
    strength, log_delta = (
        design @ point[: design.shape[1]],
        {1: 0.0, **dict(zip(orders, point[design.shape[1] :], strict=True))},
    )
    total = 0.0
    for ranking in range(len(rankings.weight)):
        rest = np.flatnonzero(rankings.ranking == ranking).tolist()
        while len(rest) > 1:
            best = min(rankings.rank[place] for place in rest)
            chosen = [place for place in rest if rankings.rank[place] == best]
            masses = [
                log_delta[size] + np.mean(strength[list(some)])
                for size in log_delta
                if size <= len(rest)
                for some in combinations(rest, size)
            ]
            seen = log_delta[len(chosen)] + np.mean(strength[chosen])
            total += rankings.weight[ranking] * (seen - np.logaddexp.reduce(masses))
            rest = [place for place in rest if place not in chosen]
    return total


def test_likelihood_and_derivatives_are_those_of_all_sets_listed() -> None:
    rankings, rng = drawn(1, 5, 8, 1.0, step=1.0), np.random.default_rng(0)
    design = rng.normal(size=(len(rankings.system), 3))
    stages = Stages.of(rankings, design)
    assert len(stages.orders) >= 2
    point = rng.normal(size=stages.size) / 2
    value, gradient, information = stages.at(point)
    assert value == pytest.approx(_by_listing(rankings, design, stages.orders, point), abs=1e-9)
    small = 1e-5
    for place, unit in enumerate(np.eye(stages.size) * small):
        ends = [_by_listing(rankings, design, stages.orders, point + sign * unit) for sign in (1, -1)]
        assert gradient[place] == pytest.approx((ends[0] - ends[1]) / (2 * small), abs=1e-6)
        slopes = [stages.at(point + sign * unit)[1] for sign in (1, -1)]
        assert information[place] == pytest.approx((slopes[1] - slopes[0]) / (2 * small), abs=1e-6)
    assert stages.scores(point).sum(axis=0) == pytest.approx(gradient, abs=1e-9)
    cluster = np.arange(8) % 3
    assert stages.informations(point, cluster, 3).sum(axis=0) == pytest.approx(information, abs=1e-9)


def test_ties_with_judges_maximise_the_likelihood_of_all_sets() -> None:
    rankings = drawn(2, 4, 30, 0.8, step=0.9, judges=2)
    model = bt.fit(rankings, model="plackett-luce", subject="~ judge")
    judge = np.array([text == "j1" for text in rankings.about["judge"].texts()])[rankings.ranking]
    own = np.delete(np.eye(4), 3, axis=1)[rankings.system]
    design = np.concatenate([own, own * judge[:, None]], axis=1)
    orders = tuple(int(name.removeprefix("tie")) for name in model.names if name.startswith("tie"))
    found = optimize.minimize(lambda point: -_by_listing(rankings, design, orders, point), np.zeros(len(model.names)))
    assert [model[name].estimate for name in model.names] == pytest.approx(found.x.tolist(), abs=1e-3)
    assert model.log_likelihood == pytest.approx(-found.fun, abs=1e-7)


@pytest.mark.parametrize("unit", [1.0, 1e6, 1e-6])
def test_a_steep_slope_is_not_without_a_maximum(unit: float) -> None:
    size = np.array([0.0, 8.0, 16.0, 24.0, 32.0])
    rng = np.random.default_rng(3)
    ranks = np.argsort(np.argsort(-(size / 4 + rng.gumbel(size=(200, 5)))), axis=1) + 1
    names = list("ABCDE")
    rankings = bt.read_rankings({name: ranks[:, place].tolist() for place, name in enumerate(names)}, systems=names)
    model = bt.fit(rankings, model="plackett-luce", object={"system": names, "size": (10 * size * unit).tolist()})
    slope = model["size"]
    assert (slope.infinite, model.converged) == (False, True)
    assert slope.estimate * 10 * unit == pytest.approx(0.25, abs=3 * slope.se * 10 * unit)
    # What the strengths span is beyond what a fixed bound would take for endless.
    steep = bt.fit(rankings, model="plackett-luce", object={"system": names, "size": [0, 1, 2, 3, 200]})
    assert not steep["size"].infinite


def test_a_slope_that_tells_every_order_has_no_maximum() -> None:
    rankings = bt.read_rankings({"A": [1] * 6, "B": [2] * 6, "C": [3] * 6})
    model = bt.fit(rankings, model="plackett-luce", object={"system": list("ABC"), "size": [3, 2, 1]})
    assert model["size"].infinite


def test_ties_with_covariates_of_systems_and_of_judges_have_no_slope_left() -> None:
    rankings = drawn(5, 5, 40, 0.8, step=0.8, judges=2)
    size = [3.0, 1.0, 4.0, 1.5, 2.0]
    table = {"system": [f"S{place:02d}" for place in range(5)], "size": size}
    model = bt.fit(rankings, model="plackett-luce", object=table, subject="~ judge")
    judge = np.array([text == "j1" for text in rankings.about["judge"].texts()])[rankings.ranking]
    own = np.array(size)[rankings.system][:, None]
    design = np.concatenate([own, own * judge[:, None]], axis=1)
    orders = tuple(int(name.removeprefix("tie")) for name in model.names if name.startswith("tie"))
    assert model.names == ("size", "size:judge[T.j1]", *(f"tie{order}" for order in orders))
    assert len(orders) >= 2
    point = np.array([model[name].estimate for name in model.names])
    assert model.log_likelihood == pytest.approx(_by_listing(rankings, design, orders, point), abs=1e-8)
    for unit in 1e-4 * np.eye(len(point)):
        ends = [_by_listing(rankings, design, orders, point + sign * unit) for sign in (1, -1)]
        assert (ends[0] - ends[1]) / 2e-4 == pytest.approx(0.0, abs=1e-5)
        assert max(ends) < model.log_likelihood


def test_races_of_many_drivers_are_fitted() -> None:
    """30 races of 25 drivers out of 45, as a row per driver and race."""
    rng = np.random.default_rng(5)
    strength = rng.normal(size=45)
    rows: dict[str, list[object]] = {"ranking": [], "system": [], "rank": []}
    for race in range(30):
        drivers = rng.choice(45, 25, replace=False)
        order = drivers[np.argsort(-(strength[drivers] + rng.gumbel(size=25)))]
        for place, driver in enumerate(order, 1):
            for name, cell in zip(rows, (f"r{race}", f"driver {driver}", place), strict=True):
                rows[name].append(cell)
    model = as_ranked(bt.read_rankings(rows), 1e-7)
    assert (len(model.systems), model.judgments) == (45, 30)
