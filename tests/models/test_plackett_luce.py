"""Plackett–Luce against R, a likelihood that lists every subset, choix, and evidence without a maximum."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from math import exp, log

import choix
import numpy as np
import pytest
from scipy import optimize, special

import betterthan as bt
from betterthan.datasets.statistics.orders import Orders
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.units.units import RowWeights
from betterthan.models.davidson import Davidson
from betterthan.models.likelihood import choices
from betterthan.models.plackett_luce import PlackettLuce
from tests.reference.r_estimates import TABLES, r_estimates

Ranking = Mapping[str, float]
MODEL = PlackettLuce()


def _orders(
    rankings: Sequence[Ranking],
    weight: Iterable[float] | None = None,
    systems: Sequence[str] | None = None,
    factors: Sequence[np.ndarray] = (),
) -> Orders:
    names = tuple(systems or sorted({name for ranking in rankings for name in ranking}))
    rows = [
        (number, names.index(name), rank) for number, ranking in enumerate(rankings) for name, rank in ranking.items()
    ]
    ranking, system, rank = (np.array(column) for column in zip(*rows, strict=True))
    levels = tuple(int(factor.max()) + 1 for factor in factors) or (len(rankings),)
    units = RowWeights("ranking", tuple(factors), levels, len(rankings))
    weights = np.ones(len(rankings)) if weight is None else np.array(list(weight), dtype=float)
    return Orders(names, ranking, system, rank.astype(float), weights, units)


def _listed(*orders: str) -> list[Ranking]:
    """Read rankings such as "a b=c d": best first, = for a tie."""
    return [{name: place for place, group in enumerate(order.split()) for name in group.split("=")} for order in orders]


def _simulated(
    theta: Sequence[float], delta: Mapping[int, float], rankings: int, length: int, seed: int
) -> list[Ranking]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(rankings):
        left = list(rng.choice(len(theta), length, replace=False))
        ranking: dict[str, float] = {}
        while left:
            sets = [s for d in (1, *delta) for s in combinations(left, d)]
            chance = special.softmax([np.mean([theta[i] for i in s]) + np.log(delta.get(len(s), 1.0)) for s in sets])
            chosen = sets[rng.choice(len(sets), p=chance)]
            place = len(ranking)
            for system in chosen:
                ranking[f"s{system}"] = place
                left.remove(system)
        found.append(ranking)
    return found


def _brute_force(orders: Orders, sizes: Sequence[int], theta: np.ndarray, log_delta: Mapping[int, float]) -> float:
    """Return the log-likelihood by its definition, one ranking and one subset at a time."""
    worth = theta.tolist()

    def utility(chosen: Sequence[int]) -> float:
        return sum(worth[system] for system in chosen) / len(chosen) + log_delta.get(len(chosen), 0.0)

    total = 0.0
    for number, weight in enumerate(orders.weight):
        mine = orders.ranking == number
        left = dict(zip(orders.system[mine].tolist(), orders.rank[mine].tolist(), strict=True))
        while len(left) > 1:
            best = [system for system, rank in left.items() if rank == min(left.values())]
            everything = sum(exp(utility(chosen)) for size in sizes for chosen in combinations(left, size))
            total += weight * (utility(best) - log(everything))
            left = {system: rank for system, rank in left.items() if system not in best}
    return float(total)


def _against_the_first(covariance: np.ndarray, size: int) -> np.ndarray:
    variance = np.diag(covariance)[:size]
    return np.sqrt(np.maximum(variance + variance[0] - 2 * covariance[0, :size], 0.0))


def test_r_ranks_the_salads_the_same() -> None:
    golden = r_estimates()["pl.salad"]["fit"]
    with (TABLES / "salad_ranks.csv").open() as file:
        orders = _orders([{name: float(row[name]) for name in "ABCD"} for row in csv.DictReader(file)])
    fit = MODEL.fit(orders)
    covariance = MODEL.covariance(fit, orders, clustered=False)
    coefficients = [golden["coef"][name] for name in "ABCD"]
    np.testing.assert_allclose(fit.strength - fit.strength[0], [row["est"] for row in coefficients], atol=1e-6)
    np.testing.assert_allclose(_against_the_first(covariance, 4), [row["se"] for row in coefficients], atol=1e-6)
    assert fit.log_likelihood == pytest.approx(golden["loglik"], abs=1e-6)
    assert fit.converged
    assert fit.parameters == {}
    assert fit.findings == ()


def _pudding() -> tuple[list[Ranking], list[float]]:
    rankings: list[Ranking] = []
    weights = []
    with (TABLES / "pudding_counts.csv").open() as file:
        for row in csv.DictReader(file):
            a, b = row["item_a"], row["item_b"]
            rankings += _listed(f"{a} {b}", f"{a}={b}", f"{b} {a}")
            weights += [float(row[name]) for name in ("n_a", "n_tie", "n_b")]
    return rankings, weights


def test_r_ranks_the_puddings_the_same_with_their_ties() -> None:
    golden = r_estimates()["pl.pudding"]["fit"]
    orders = _orders(*_pudding())
    fit = MODEL.fit(orders)
    covariance = MODEL.covariance(fit, orders, clustered=False)
    coefficients = [golden["coef"][str(number)] for number in range(1, 7)]
    np.testing.assert_allclose(fit.strength - fit.strength[0], [row["est"] for row in coefficients], atol=1e-6)
    np.testing.assert_allclose(_against_the_first(covariance, 6), [row["se"] for row in coefficients], atol=1e-6)
    assert np.log(fit.parameters["delta2"]) == pytest.approx(golden["coef"]["tie2"]["est"], abs=1e-6)
    assert np.sqrt(covariance[6, 6]) == pytest.approx(golden["coef"]["tie2"]["se"], abs=1e-6)
    assert fit.log_likelihood == pytest.approx(golden["loglik"], abs=1e-6)


def test_judgments_are_rankings_of_two() -> None:
    rows = [("a", "b", "left")] * 5 + [("b", "a", "left")] * 3 + [("a", "b", "tie")] * 4 + [("b", "c", "left")] * 4
    rows += [("c", "a", "left")] * 2 + [("c", "a", "tie")]
    counts = PairCounts.of(bt.read_judgments(rows).tally())
    words = {"left": "{0} {1}", "tie": "{0}={1}"}
    orders = _orders(_listed(*(words[outcome].format(left, right) for left, right, outcome in rows)))
    by_pairs, by_rankings = MODEL.fit(counts), MODEL.fit(orders)
    np.testing.assert_allclose(by_pairs.strength, by_rankings.strength, atol=1e-7)
    assert by_pairs.log_likelihood == pytest.approx(by_rankings.log_likelihood, abs=1e-9)
    assert MODEL.probability(by_pairs, 0, 1) == pytest.approx(MODEL.probability(by_rankings, 0, 1), abs=1e-7)
    assert MODEL.probability(by_pairs, 0, 1) == Davidson().probability(by_pairs, 0, 1)
    np.testing.assert_allclose(
        MODEL.covariance(by_pairs, counts, clustered=False)[:3, :3],
        MODEL.covariance(by_rankings, orders, clustered=False)[:3, :3],
        atol=1e-6,
    )
    refitted, degenerate = MODEL.refitter(by_pairs, counts)(counts.outcomes[:, :, None], np.random.default_rng(0))
    assert degenerate == 0
    np.testing.assert_allclose(refitted[:, 0], by_pairs.strength, atol=1e-7)
    drawn = MODEL.draw(by_pairs, counts, clustered=True, draws=4, rng=np.random.default_rng(0))
    np.testing.assert_allclose(drawn.mean(axis=1), by_pairs.strength, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_listing_every_subset_gives_the_same(seed: int) -> None:
    rankings = _simulated([0.8, 0.3, 0.0, -0.4, -0.7], {2: 0.5, 3: 0.4}, rankings=40, length=4, seed=seed)
    rng = np.random.default_rng(seed)
    orders = _orders(rankings, weight=rng.choice([0.5, 1.0, 2.0], len(rankings)))

    def loss(at: np.ndarray) -> float:
        return -_brute_force(orders, (1, 2, 3), np.append(at[:4], -at[:4].sum()), {2: at[4], 3: at[5]})

    fit = MODEL.fit(orders)
    found = np.append(fit.strength[:4], np.log([fit.parameters["delta2"], fit.parameters["delta3"]]))
    assert fit.log_likelihood == pytest.approx(-loss(found), abs=1e-9)
    best = optimize.minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-5})
    np.testing.assert_allclose(found, best.x, atol=2e-5)
    step = 1e-3 * np.eye(6)
    hessian = np.array(
        [
            [
                (loss(found + a + b) - loss(found + a - b) - loss(found - a + b) + loss(found - a - b)) / 4e-6
                for a in step
            ]
            for b in step
        ]
    )
    covariance = MODEL.covariance(fit, orders, clustered=False)
    kept = [0, 1, 2, 3, 5, 6]
    np.testing.assert_allclose(covariance[np.ix_(kept, kept)], np.linalg.inv(hessian), rtol=1e-3, atol=1e-6)
    np.testing.assert_allclose(covariance[:5].sum(axis=0), 0.0, atol=1e-9)


def test_choix_agrees_without_ties() -> None:
    rankings = _simulated([1.0, 0.5, 0.2, 0.0, -0.3, -0.6, -0.9], {}, rankings=150, length=5, seed=1)
    names = sorted({name for ranking in rankings for name in ranking})
    indices = [[names.index(name) for name in sorted(ranking, key=ranking.__getitem__)] for ranking in rankings]
    expected = choix.ilsr_rankings(len(names), indices, tol=1e-12)
    np.testing.assert_allclose(MODEL.fit(_orders(rankings)).strength, expected - expected.mean(), atol=1e-6)


def test_a_weight_of_two_is_the_ranking_twice() -> None:
    rankings = _simulated([0.6, 0.2, 0.0, -0.5], {2: 0.4}, rankings=30, length=3, seed=2)
    twice = np.random.default_rng(2).integers(1, 3, len(rankings))
    weighted = MODEL.fit(_orders(rankings, twice))
    repeated = MODEL.fit(_orders([ranking for ranking, n in zip(rankings, twice, strict=True) for _ in range(n)]))
    np.testing.assert_allclose(weighted.strength, repeated.strength, atol=1e-9)
    assert weighted.parameters == pytest.approx(repeated.parameters, abs=1e-9)
    assert weighted.log_likelihood == pytest.approx(repeated.log_likelihood, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-10, 1e12])
def test_the_unit_of_weights_does_not_matter(scale: float) -> None:
    rankings = _simulated([0.6, 0.2, 0.0, -0.5], {2: 0.4}, rankings=60, length=3, seed=3)
    one, other = _orders(rankings), _orders(rankings, [scale] * 60)
    np.testing.assert_allclose(MODEL.fit(other).strength, MODEL.fit(one).strength, atol=1e-8)


def test_relabelling_systems_relabels_the_result() -> None:
    rankings = _simulated([0.6, 0.2, 0.0, -0.5], {2: 0.4, 3: 0.2}, rankings=60, length=4, seed=4)
    new = {"s0": "zebra", "s1": "ant", "s2": "mole", "s3": "bat"}
    one = MODEL.fit(_orders(rankings))
    renamed = [{new[name]: rank for name, rank in ranking.items()} for ranking in reversed(rankings)]
    other = MODEL.fit(_orders(renamed))
    found = dict(zip(other.systems, other.strength, strict=True))
    np.testing.assert_allclose([found[new[name]] for name in one.systems], one.strength, atol=1e-9)
    assert one.parameters == pytest.approx(other.parameters, abs=1e-9)


def test_the_chances_of_two_are_those_of_davidson_or_bradley_terry() -> None:
    tied = MODEL.fit(_orders(_simulated([0.5, 0.0, -0.5], {2: 0.5}, rankings=50, length=3, seed=5)))
    a, b, delta = np.exp(tied.strength[0]), np.exp(tied.strength[1]), tied.parameters["delta2"]
    worths = np.array([a, delta * np.sqrt(a * b), b])
    assert MODEL.probability(tied, 0, 1) == pytest.approx(tuple(worths / worths.sum()))
    strict = MODEL.fit(_orders(_listed("a b", "a b", "b a")))
    assert MODEL.probability(strict, 0, 1) == pytest.approx((2 / 3, 0.0, 1 / 3))


def test_refitting_a_resample_equals_fitting_it_alone() -> None:
    """The only tie of three is missing from many resamples; such a resample has no δ_3."""
    rankings = [*_simulated([0.5, 0.2, 0.0, -0.6], {2: 0.5}, rankings=80, length=3, seed=6), *_listed("s0=s1=s2 s3")]
    orders = _orders(rankings)
    fit = MODEL.fit(orders)
    assert set(fit.parameters) == {"delta2", "delta3"}
    times = orders.units.resample(np.random.default_rng(0), 20)
    assert 0 < np.sum(times[-1] == 0) < 20
    refitted, degenerate = MODEL.refitter(fit, orders)(times, np.random.default_rng(1))
    assert degenerate == 0
    for column in range(20):
        drawn = np.repeat(np.arange(len(rankings)), times[:, column].astype(int))
        alone = MODEL.fit(_orders([rankings[place] for place in drawn], systems=orders.systems))
        np.testing.assert_allclose(refitted[:, column], alone.strength, atol=1e-7)


def test_bootstrap_information_and_sandwich_agree_where_the_model_is_true() -> None:
    orders = _orders(_simulated([0.8, 0.4, 0.0, -0.4, -0.8], {2: 0.3}, rankings=600, length=4, seed=7))
    fit = MODEL.fit(orders)
    np.testing.assert_allclose(fit.strength, [0.8, 0.4, 0.0, -0.4, -0.8], atol=0.15)
    assert fit.parameters["delta2"] == pytest.approx(0.3, abs=0.06)
    information = np.sqrt(np.diag(MODEL.covariance(fit, orders, clustered=False)))
    sandwich = np.sqrt(np.diag(MODEL.covariance(fit, orders, clustered=True)))
    np.testing.assert_allclose(sandwich / information, 1.0, atol=0.12)
    rng = np.random.default_rng(0)
    refitted, degenerate = MODEL.refitter(fit, orders)(orders.units.resample(rng, 800), rng)
    assert degenerate == 0
    np.testing.assert_allclose(refitted.std(axis=1) / sandwich[:5], 1.0, atol=0.1)
    drawn = MODEL.draw(fit, orders, clustered=False, draws=2000, rng=rng)
    np.testing.assert_allclose(drawn.std(axis=1) / information[:5], 1.0, atol=0.1)
    np.testing.assert_allclose(drawn.mean(axis=1), fit.strength, atol=1e-9)


def test_units_enter_the_sandwich() -> None:
    """Every ranking three times tells as much as once if the three are one unit."""
    rankings = _simulated([0.6, 0.2, 0.0, -0.5], {2: 0.4}, rankings=60, length=3, seed=8)
    once = _orders(rankings)
    unit = np.repeat(np.arange(60), 3)
    thrice = [ranking for ranking in rankings for _ in range(3)]
    fit = MODEL.fit(once)
    expected = MODEL.covariance(fit, once, clustered=True)
    for factors in ([unit], [unit, unit]):
        found = MODEL.covariance(fit, _orders(thrice, factors=factors), clustered=True)
        np.testing.assert_allclose(found, expected, atol=1e-9)


def _finite(orders: Orders, resamples: int = 20) -> bt.models.base.Fit:
    """Check that nothing about the evidence is infinite or missing, and return the fit."""
    fit = MODEL.fit(orders)
    assert fit.converged
    assert np.all(np.isfinite(fit.strength))
    assert np.isfinite(fit.log_likelihood)
    assert all(np.isfinite(value) and value > 0 for value in fit.parameters.values())
    rng = np.random.default_rng(0)
    for clustered in (False, True):
        assert np.all(np.isfinite(MODEL.covariance(fit, orders, clustered=clustered)))
        assert np.all(np.isfinite(MODEL.draw(fit, orders, clustered=clustered, draws=10, rng=rng)))
    refitted, _ = MODEL.refitter(fit, orders)(orders.units.resample(rng, resamples), rng)
    assert refitted.shape == (orders.size, resamples)
    assert np.all(np.isfinite(refitted))
    assert np.abs(refitted).max() < 1000
    assert sum(MODEL.probability(fit, 0, 1)) == pytest.approx(1.0)
    return fit


@pytest.mark.parametrize(
    ("rankings", "codes"),
    [
        (["a b"], ["never-loses"]),
        (["a=b"], ["tie-width"]),
        (["a=b=c"], ["tie-width"]),
        (["a=b", "b=c", "a=b=c"], ["tie-width"]),
        (["a b c d"], ["never-loses", "one-way"]),
        (["a b", "a=b"], ["tie-width"]),
        (["a=b c", "b=c a", "a=c b"], ["tie-width"]),  # a cycle, but nobody was ever placed first alone
        (["a=b=c", "a b", "b a", "b c", "c b"], ["tie-width"]),  # three always tie, two never
        (["a b=c", "b a c", "c=b a"], []),
        (["a=b c", "b a c", "c a b", "d a", "a b d"], []),
        (["a b c", "b a c"], ["never-wins"]),
        (["a b", "b a", "c d", "d c"], ["islands"]),
    ],
)
def test_thin_evidence_is_finite_and_says_what_is_missing(rankings: list[str], codes: list[str]) -> None:
    fit = _finite(_orders(_listed(*rankings)))
    assert sorted(finding.code for finding in fit.findings) == codes


def test_the_doubt_about_ties_is_said() -> None:
    finding = MODEL.fit(_orders(_listed("a b", "a=b"))).findings[0]
    assert str(finding) == (
        "! tie-width: The data do not determine how often ties of 2 systems occur, so a weak prior decides. "
        "Collect more comparisons, or use a model that has no probability of ties."
    )


def test_a_system_never_compared_is_apart() -> None:
    fit = _finite(_orders([*_listed("a b c", "b c a", "c a b"), {"d": 1.0}]))
    assert fit.apart.tolist() == [False, False, False, True]
    np.testing.assert_allclose(fit.strength[:3], 0.0, atol=1e-9)


def test_nobody_is_compared_at_all() -> None:
    _finite(_orders([{"a": 1.0}, {"b": 1.0}]))


def test_a_system_that_is_always_last_leaves_the_others_where_they_were() -> None:
    rankings = _simulated([0.5, 0.2, 0.0, -0.6], {2: 0.5, 3: 0.3}, rankings=60, length=4, seed=9)
    without = MODEL.fit(_orders(rankings))
    last = [{**ranking, "z": 99.0} for ranking in rankings]
    orders = _orders(last)
    fit = _finite(orders)
    np.testing.assert_allclose(fit.strength[:4], without.strength, atol=1e-8)
    assert fit.parameters == pytest.approx(without.parameters, abs=1e-8)
    assert fit.open_low.tolist() == [False] * 4 + [True]
    assert [finding.code for finding in fit.findings] == ["never-wins"]


def test_the_open_interval_ends_where_the_exact_one_does() -> None:
    """One system came last in all of ten rankings, of others whose worths are known well."""
    rankings = _simulated([0.4, 0.2, 0.0, -0.6], {}, rankings=400, length=4, seed=10)
    orders = _orders([*rankings, *({**ranking, "z": 99.0} for ranking in rankings[:10])])
    fit = MODEL.fit(orders)
    nowhere = _brute_force(orders, [1], np.append(fit.strength[:4], -99.0), {})

    def excess(worth: float) -> float:
        return _brute_force(orders, [1], np.append(fit.strength[:4], worth), {}) - nowhere - log(0.05)

    exact = optimize.brentq(excess, -10, 5)
    rng = np.random.default_rng(0)
    drawn = MODEL.draw(fit, orders, clustered=False, draws=4000, rng=rng)
    refitted, _ = MODEL.refitter(fit, orders)(orders.units.resample(rng, 1000), rng)
    assert np.quantile(drawn[4], 0.95) == pytest.approx(exact, abs=0.2)
    assert np.quantile(refitted[4], 0.95) == pytest.approx(exact, abs=0.3)


def test_degenerate_resamples_are_counted() -> None:
    orders = _orders(_listed("a b c", "a b c", "b c a", "c b a"))
    rng = np.random.default_rng(0)
    times = orders.units.resample(rng, 300)
    refitted, degenerate = MODEL.refitter(MODEL.fit(orders), orders)(times, rng)
    # Only the first two place a above the others, only the last two below.
    assert degenerate == np.sum((times[:2].sum(axis=0) == 0) | (times[2:].sum(axis=0) == 0))
    assert 15 < degenerate < 60
    assert np.all(np.isfinite(refitted))


def test_worths_farther_apart_than_a_number_reaches() -> None:
    """A chain in which everybody loses to the next better one a million times, and wins once."""
    chain = [f"s{place:02d}" for place in range(60)]
    pairs = list(pairwise(chain))
    orders = _orders(_listed(*(f"{a} {b}" for a, b in pairs), *(f"{b} {a}" for a, b in pairs)), [1e6] * 59 + [1.0] * 59)
    fit = MODEL.fit(orders)
    np.testing.assert_allclose(np.diff(fit.strength), -np.log(1e6), atol=1e-6)
    assert np.all(np.isfinite(MODEL.covariance(fit, orders, clustered=True)))


def test_what_is_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choices, "LIMIT", 2_000_000)
    names = [f"s{place:03d}" for place in range(200)]
    orders = _orders(_listed("=".join(names), " ".join(names), " ".join(reversed(names))))
    with pytest.raises(bt.ModelError) as refusal:
        MODEL.fit(orders)
    assert str(refusal.value) == (
        "plackett-luce: all sets that could have been chosen need 8 million numbers (limit 2 million). "
        "Break the ties, or rank with bradley-terry or davidson, which compare pairs."
    )
    monkeypatch.setattr(choices, "DENSE_LIMIT", 100)
    with pytest.raises(bt.ModelError) as refusal:
        MODEL.fit(orders)
    assert str(refusal.value) == (
        "plackett-luce: 200 systems make its matrix too large (limit 100). "
        "Rank with bradley-terry or davidson, which compare pairs."
    )


def test_it_makes_no_random_choices() -> None:
    assert MODEL.rerunner(_orders(_listed("a b"))) is None
