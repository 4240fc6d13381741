"""Policies: the chances of pairs against formulas, counting, determinants and differentiation."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from betterthan.base.arrays import FloatArray
from betterthan.base.errors import PlanError
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.datasets.units.units import RowUnits
from betterthan.inference import sequential
from betterthan.verbs.collect import collection_state
from betterthan.verbs.collect.collection_state import CollectionState
from betterthan.verbs.collect.policies.base import known_policies, policy_of
from betterthan.verbs.collect.trueskill_beliefs import Beliefs

EVERY = (
    "uniform",
    "uniform(balance=yes)",
    "wmt",
    "trueskill-quality",
    "trueskill-quality(preset=wmt)",
    "uncertain",
    "sort",
    "information",
    "information(goal=order)",
    "information(goal=strengths, greed=1)",
    "unresolved",
    "unresolved(explore=0)",
    "unresolved(favour=none, explore=0.3)",
)


def _counts(size: int, outcomes: Any) -> PairCounts:
    first, second = np.triu_indices(size, 1)
    table = np.array(outcomes, dtype=float).reshape(-1, 3).T.copy()
    units = RowUnits.of(np.arange(table.size), np.ones(table.size), table.ravel(), table.shape)
    return PairCounts(tuple("abcdefgh"[:size]), first, second, table, units)


def _ratings(mean: Any, variance: Any, beta: float = 0.8) -> Beliefs:
    return Beliefs(np.array(mean, dtype=float), np.array(variance, dtype=float), beta**2, 0.0, 0.25)


def _known(size: int, outcomes: Any, ratings: Beliefs | None = None, **choices: Any) -> CollectionState:
    start = Beliefs.start(size, "game", 10) if ratings is None else ratings
    return CollectionState(_counts(size, outcomes), lambda preset: start, **choices)


def _chances(policy: str, known: CollectionState, pending: Any = None, allowed: Any = None) -> FloatArray:
    pairs = len(known.counts.first)
    pending = np.zeros(pairs) if pending is None else np.array(pending, dtype=float)
    allowed = np.ones(pairs, dtype=bool) if allowed is None else np.array(allowed)
    return policy_of(policy).chances(known, pending, allowed)


def _by_name(known: CollectionState, chances: FloatArray) -> dict[tuple[int, int], float]:
    pairs = zip(known.counts.first.tolist(), known.counts.second.tolist(), strict=True)
    return dict(zip(pairs, chances.tolist(), strict=True))


NOTHING_4 = [(0, 0, 0)] * 6


# --- going from system to system -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "allowed", [[True] * 6, [True, True, True, False, True, True], [False, True, True, False, True, True]]
)
def test_wmt_takes_the_least_known_and_one_near_it(allowed: list[bool]) -> None:
    mean = [0.3, -0.2, 1.4, 0.0]
    known = _known(4, NOTHING_4, _ratings(mean, [0.2, 0.24, 0.1, 0.05]))
    found = _by_name(known, _chances("wmt", known, allowed=allowed))
    pairs = list(itertools.combinations(range(4), 2))
    weight = {
        pair: math.exp(-abs(mean[pair[0]] - mean[pair[1]])) if 1 in pair and may else 0.0
        for pair, may in zip(pairs, allowed, strict=True)
    }
    assert found == pytest.approx({pair: value / sum(weight.values()) for pair, value in weight.items()})


def test_a_system_that_may_meet_nobody_is_not_the_first() -> None:
    known = _known(4, NOTHING_4, _ratings([0, 0, 1, 2], [0.2, 0.9, 0.1, 0.05]))
    found = _by_name(known, _chances("wmt", known, allowed=[False, True, True, False, False, True]))
    total = math.exp(-1) + math.exp(-2)
    assert found[0, 2] == pytest.approx(math.exp(-1) / total)
    assert found[0, 3] == pytest.approx(math.exp(-2) / total)
    assert found[2, 3] == 0


def test_quality_is_the_chance_of_a_draw() -> None:
    mean, variance, beta = [1.0, -2.0, 0.5, 4.0], [3.0, 1.0, 2.0, 0.5], 1.3
    known = _known(4, NOTHING_4, _ratings(mean, variance, beta))
    weight = {}
    for other in (1, 2, 3):
        total = 2 * beta**2 + variance[0] + variance[other]
        weight[0, other] = math.sqrt(2 * beta**2 / total) * math.exp(-((mean[0] - mean[other]) ** 2) / (2 * total))
    found = _by_name(known, _chances("trueskill-quality", known))
    assert {pair: found[pair] for pair in weight} == pytest.approx(
        {pair: value / sum(weight.values()) for pair, value in weight.items()}
    )
    assert sum(found.values()) == pytest.approx(1.0)
    environment = trueskill.TrueSkill(beta=beta, backend="scipy")
    package = [
        trueskill.quality_1vs1(
            environment.create_rating(mean[0], math.sqrt(variance[0])),
            environment.create_rating(mean[other], math.sqrt(variance[other])),
            env=environment,
        )
        for other in (1, 2, 3)
    ]
    assert list(weight.values()) == pytest.approx(package)


@pytest.mark.parametrize("policy", ["wmt", "trueskill-quality"])
def test_equal_variances_share_the_first_place(policy: str) -> None:
    mean = [0.0, 0.4, 1.0, 3.0]
    known = _known(4, NOTHING_4, _ratings(mean, [0.5, 0.5, 0.1, 0.5]))
    found = _by_name(known, _chances(policy, known))
    expected = dict.fromkeys(found, 0.0)
    for system in (0, 1, 3):
        weight = {}
        for other in set(range(4)) - {system}:
            gap, total = abs(mean[system] - mean[other]), 2 * 0.64 + 0.5 + [0.5, 0.5, 0.1, 0.5][other]
            near = math.exp(-gap) if policy == "wmt" else math.sqrt(1.28 / total) * math.exp(-gap * gap / 2 / total)
            weight[min(system, other), max(system, other)] = near
        for pair, value in weight.items():
            expected[pair] += value / sum(weight.values()) / 3
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("policy", ["wmt", "trueskill-quality"])
def test_what_is_pending_makes_a_system_better_known(policy: str) -> None:
    known = _known(4, NOTHING_4, _ratings([0, 0, 0, 0], [0.5, 0.49, 0.1, 0.1]))
    before = _by_name(known, _chances(policy, known))
    assert sum(value for pair, value in before.items() if 0 in pair) == pytest.approx(1)
    after = _by_name(known, _chances(policy, known, pending=[0, 0, 3, 0, 0, 0]))
    assert sum(value for pair, value in after.items() if 1 in pair) == pytest.approx(1)


def test_ratings_follow_the_trueskill_package() -> None:
    rng = np.random.default_rng(1)
    left = rng.integers(4, size=80)
    right = (left + rng.integers(1, 4, size=80)) % 4
    outcome = rng.integers(3, size=80)
    environment = trueskill.TrueSkill(backend="scipy")
    expected = [environment.create_rating() for _ in range(4)]
    for a, b, won in zip(left.tolist(), right.tolist(), outcome.tolist(), strict=True):
        first, second = (a, b) if won != 2 else (b, a)
        expected[first], expected[second] = trueskill.rate_1vs1(
            expected[first], expected[second], drawn=won == 1, min_delta=1e-12, env=environment
        )
    found = Beliefs.start(4, "game", 80).after(left, right, outcome)
    assert found.mean == pytest.approx([rating.mu for rating in expected], abs=1e-6)
    assert found.variance == pytest.approx([rating.sigma**2 for rating in expected], abs=1e-5)
    parts = Beliefs.start(4, "game", 80)
    for place in range(0, 80, 13):
        parts = parts.after(*(column[place : place + 13] for column in (left, right, outcome)))
    np.testing.assert_allclose(parts.mean, found.mean, rtol=1e-12)
    np.testing.assert_allclose(parts.variance, found.variance, rtol=1e-12)


def test_ratings_with_the_preset_of_wmt_follow_the_closed_form() -> None:
    judgments, rng = 60, np.random.default_rng(2)
    left = rng.integers(3, size=judgments)
    right = (left + rng.integers(1, 3, size=judgments)) % 3
    outcome = rng.integers(3, size=judgments)
    beta, margin = 0.025 * judgments * 0.25, 0.25
    mean, variance = [0.0] * 3, [0.25] * 3
    normal = stats.norm
    for a, b, won in zip(left.tolist(), right.tolist(), outcome.tolist(), strict=True):
        one, two = (a, b) if won != 2 else (b, a)
        c = math.sqrt(2 * beta**2 + variance[one] + variance[two])
        t, e = (mean[one] - mean[two]) / c, margin / c
        if won != 1:
            v = normal.pdf(t - e) / normal.cdf(t - e)
            w = v * (v + t - e)
        else:
            mass = normal.cdf(e - t) - normal.cdf(-e - t)
            v = (normal.pdf(-e - t) - normal.pdf(e - t)) / mass
            w = v**2 + ((e - t) * normal.pdf(e - t) + (e + t) * normal.pdf(e + t)) / mass
        mean[one], mean[two] = mean[one] + variance[one] / c * v, mean[two] - variance[two] / c * v
        for system in (one, two):
            variance[system] *= 1 - variance[system] / c**2 * w
    found = Beliefs.start(3, "wmt", judgments).after(left, right, outcome)
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert found.variance == pytest.approx(variance, abs=1e-9)


def test_nothing_played_changes_nothing_and_the_start_is_kept() -> None:
    start = Beliefs.start(3, "game", 0)
    nothing = np.empty(0, dtype=np.int64)
    assert start.after(nothing, nothing, nothing).mean.tolist() == [25.0] * 3
    start.after(np.array([0]), np.array([1]), np.array([0]))
    assert start.mean.tolist() == [25.0] * 3
    assert start.variance == pytest.approx([(25 / 3) ** 2] * 3)


# --- all pairs alike, and the least certain ones -------------------------------------------------------------------


def test_uniform_knows_no_pair_better_than_another() -> None:
    known = _known(3, [(5, 0, 0), (0, 1, 0), (0, 0, 0)])
    assert _chances("uniform", known).tolist() == [1, 1, 1]
    assert _chances("uniform", known, allowed=[True, False, True]).tolist() == [1, 0, 1]
    assert _chances("uniform(balance=yes)", known).tolist() == [0, 0, 1]
    assert _chances("uniform(balance=yes)", known, pending=[0, 0, 1]).tolist() == [0, 1, 1]
    assert _chances("uniform(balance=yes)", known, allowed=[True, False, False]).tolist() == [1, 0, 0]


def _quicksorted(order: list[int], rng: np.random.Generator, met: dict[tuple[int, int], int]) -> None:
    """Sort what is in order already, and count who is compared."""
    if len(order) < 2:
        return
    pivot = int(rng.integers(len(order)))
    for other in order[:pivot] + order[pivot + 1 :]:
        pair = (min(other, order[pivot]), max(other, order[pivot]))
        met[pair] = met.get(pair, 0) + 1
    _quicksorted(order[:pivot], rng, met)
    _quicksorted(order[pivot + 1 :], rng, met)


def test_sort_compares_as_quicksort_does() -> None:
    """The first system is the best, the fourth the second best, and so on."""
    order = [0, 3, 1, 4, 2]
    place = {system: rank for rank, system in enumerate(order)}
    outcomes = [(9, 0, 1) if place[one] < place[two] else (1, 0, 9) for one, two in itertools.combinations(range(5), 2)]
    known = _known(5, outcomes)
    chances = _by_name(known, _chances("sort", known))
    rng, met, rounds = np.random.default_rng(0), {}, 4000
    for _ in range(rounds):
        _quicksorted(order, rng, met)
    for pair, chance in chances.items():
        assert met[pair] / rounds == pytest.approx(chance, abs=0.04), pair
    pending = np.zeros(10)
    pending[0] = 1
    assert _chances("sort", known, pending)[0] == pytest.approx(chances[0, 1] / 2)


def test_sort_knows_no_pair_better_than_another_where_nothing_was_judged() -> None:
    chances = _chances("sort", _known(4, NOTHING_4))
    assert np.ptp(chances) == 0
    assert chances[0] > 0


def test_uncertain_counts_draws() -> None:
    known = _known(4, [(6, 1, 3), (8, 0, 2), (3, 0, 3), (4, 0, 5), (9, 2, 1), (3, 3, 3)], clustered=True, seed=3)
    drawn = known.draws.strength
    assert len(drawn) == 500
    doubts = []
    for first, second in itertools.combinations(range(4), 2):
        ahead = (
            sum(
                1.0 if row[first] > row[second] + 1e-7 else 0.5 if abs(row[first] - row[second]) <= 1e-7 else 0.0
                for row in drawn
            )
            / 500
        )
        doubts.append(max(min(ahead, 1 - ahead), 0.5 / 500))
    assert _chances("uncertain", known) == pytest.approx(doubts, abs=1e-12)
    pending = np.array([0, 1, 0, 3, 0, 0])
    assert _chances("uncertain", known, pending) == pytest.approx(np.array(doubts) / (1 + pending), abs=1e-12)


def test_normal_draws_have_the_spread_of_the_strengths() -> None:
    known = _known(3, [(40, 0, 30), (35, 0, 35), (20, 0, 25)])
    spread = np.cov(known.draws.strength.T)
    assert np.sqrt(np.diag(spread)) == pytest.approx(np.sqrt(np.diag(known.covariance())), rel=0.2)
    assert known.draws.strength.mean(axis=0) == pytest.approx(known.fit.strength, abs=1.0)


def test_a_pair_in_doubt_is_asked_more_often_than_a_clear_one() -> None:
    found = _chances("uncertain", _known(3, [(30, 0, 2), (30, 0, 2), (15, 0, 15)], clustered=True))
    assert found[2] > 5 * max(found[0], found[1])


# --- information ---------------------------------------------------------------------------------------------------

SOME = [(12, 2, 6), (9, 0, 3), (14, 1, 2), (7, 3, 8), (10, 0, 6), (4, 0, 5)]


def _strengths(outcomes: Any) -> FloatArray:
    """Maximise the likelihood of Bradley and Terry, ties half."""
    pairs = list(itertools.combinations(range(4), 2))

    def loss(values: FloatArray) -> float:
        strength = np.append(values, 0.0)
        return sum(
            (won + tied / 2) * np.logaddexp(0, strength[b] - strength[a])
            + (lost + tied / 2) * np.logaddexp(0, strength[a] - strength[b])
            for (a, b), (won, tied, lost) in zip(pairs, outcomes, strict=True)
        )

    found = np.append(optimize.minimize(loss, np.zeros(3), tol=1e-12).x, 0.0)
    return found - found.mean()


def _information(strength: FloatArray, judged: FloatArray) -> FloatArray:
    """Add up what judgments tell, a vague prior of precision 0.1 first."""
    total = 0.1 * np.eye(4)
    for (a, b), number in zip(itertools.combinations(range(4), 2), judged, strict=True):
        contrast = np.zeros(4)
        contrast[a], contrast[b] = 1, -1
        win = 1 / (1 + np.exp(strength[b] - strength[a]))
        total += number * win * (1 - win) * np.outer(contrast, contrast)
    return total


@pytest.mark.parametrize("pending", [[0] * 6, [0, 3, 0, 0, 10, 1]])
def test_information_about_strengths_is_half_the_log_of_the_determinants(pending: list[int]) -> None:
    strength, judged = _strengths(SOME), np.sum(SOME, axis=1) + np.array(pending)
    before = np.linalg.slogdet(_information(strength, judged))[1]
    gains = [(np.linalg.slogdet(_information(strength, judged + one))[1] - before) / 2 for one in np.eye(6)]
    found = _chances("information(goal=strengths, greed=1)", _known(4, SOME), pending)
    assert found == pytest.approx(np.array(gains) / max(gains), rel=1e-4)
    greedy = _chances("information(goal=strengths, greed=3)", _known(4, SOME), pending)
    assert greedy == pytest.approx((np.array(gains) / max(gains)) ** 3, rel=1e-3)


@pytest.mark.parametrize("goal", ["order", "neighbours"])
@pytest.mark.parametrize("pending", [[0] * 6, [0, 3, 0, 0, 10, 1]])
def test_information_about_the_order_is_the_fall_of_wrong_orders(goal: str, pending: list[int]) -> None:
    """Small parts of a judgment: how fast the sum of chances of a wrong order falls, judged by finite differences.

    A whole judgment takes each·cov²/(1 + each·variance) from a variance, a small part each·cov²: the policy's gain is
    the slope times 1/(1 + each·variance).
    """
    strength, judged = _strengths(SOME), np.sum(SOME, axis=1) + np.array(pending, dtype=float)
    order = np.argsort(-strength).tolist()
    pairs = list(itertools.combinations(range(4), 2))
    counted = [(a, b) for a, b in pairs if goal == "order" or abs(order.index(a) - order.index(b)) == 1]

    def wrong(number: FloatArray) -> float:
        covariance = np.linalg.inv(_information(strength, number))
        spread = [covariance[a, a] + covariance[b, b] - 2 * covariance[a, b] for a, b in counted]
        gaps = [abs(strength[a] - strength[b]) for a, b in counted]
        return sum(stats.norm.sf(gap / math.sqrt(one)) for gap, one in zip(gaps, spread, strict=True))

    step, gains = 1e-4, []
    covariance = np.linalg.inv(_information(strength, judged))
    for place, (a, b) in enumerate(pairs):
        more = np.eye(6)[place] * step
        slope = (wrong(judged - more) - wrong(judged + more)) / (2 * step)
        win = 1 / (1 + np.exp(strength[b] - strength[a]))
        variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        gains.append(slope / (1 + win * (1 - win) * variance))
    found = _chances(f"information(goal={goal}, greed=1)", _known(4, SOME), pending)
    assert min(gains) > 0
    assert found == pytest.approx(np.array(gains) / max(gains), rel=1e-3)


def test_information_prefers_what_is_less_known() -> None:
    known = _known(3, [(50, 0, 50), (5, 0, 5), (5, 0, 5)])
    found = _chances("information(goal=strengths)", known)
    assert found[0] < found[1]
    assert found[1] == pytest.approx(found[2])
    asked = _chances("information(goal=strengths)", known, pending=[0, 40, 0])
    assert asked[1] < asked[2]


# --- unresolved ----------------------------------------------------------------------------------------------------

OPEN = [(60, 0, 20), (14, 0, 4), (12, 0, 10)]  # the first is settled, the second nearly, the third far from it


def test_unresolved_asks_for_undecided_pairs_and_explores_a_little() -> None:
    known = _known(3, OPEN)
    assert (known.decisions.state == sequential.UNDECIDED).tolist() == [False, True, True]
    needed = known.needed
    quick = np.array([0, 1 / needed[1], 1 / needed[2]])
    expected = 0.9 * quick / quick.sum() + 0.1 / 3
    assert _chances("unresolved", known) == pytest.approx(expected)
    assert _chances("unresolved(explore=0)", known) == pytest.approx(quick / quick.sum())
    assert _chances("unresolved(favour=none, explore=0.3)", known) == pytest.approx([0.1, 0.45, 0.45])
    assert _chances("unresolved(favour=none, explore=0)", known, allowed=[True, True, False]) == pytest.approx(
        [0, 1, 0]
    )
    assert _chances("unresolved(explore=0.5)", known, allowed=[True, False, True]) == pytest.approx([0.25, 0, 0.75])


def test_the_next_judgments_are_expected_as_the_pair_s_own_and_ten_of_the_model_s() -> None:
    known = _known(4, SOME)
    strength, tied = _strengths(SOME), sum(one[1] for one in SOME) / np.sum(SOME)
    chances = []
    for (a, b), outcomes in zip(itertools.combinations(range(4), 2), SOME, strict=True):
        win = (1 - tied) / (1 + math.exp(strength[b] - strength[a]))
        model = np.array([win, tied, 1 - tied - win])
        chances.append((np.array(outcomes) + 10 * model) / (sum(outcomes) + 10))
    assert known.needed == pytest.approx(known.decisions.needed(np.array(chances).T), rel=0.01)


def test_unresolved_has_nothing_to_ask_when_all_is_settled() -> None:
    known = _known(3, [(60, 0, 20), (60, 0, 10), (70, 0, 20)])
    assert not known.decisions.undecided.any()
    assert _chances("unresolved", known).tolist() == [0, 0, 0]
    open_one = _known(3, OPEN)
    assert _chances("unresolved", open_one, allowed=[True, False, False]).tolist() == [0, 0, 0]


def test_pairs_within_the_margin_are_not_asked_for() -> None:
    outcomes = [(4000, 0, 4000), (60, 0, 10), (12, 0, 10)]
    assert _chances("unresolved(explore=0)", _known(3, outcomes))[0] > 0
    assert _chances("unresolved(explore=0)", _known(3, outcomes, margin=0.05))[0] == 0


def test_a_pair_with_all_it_needs_pending_gives_way_to_the_others() -> None:
    """What is outstanding counts as if it had come: once that may settle a pair, further judgments belong elsewhere."""
    known = _known(3, OPEN)
    needed = known.needed
    before = _chances("unresolved(explore=0)", known)
    after = _chances("unresolved(explore=0)", known, pending=[0, 3 * needed[1], 0])
    assert before[1] > before[2]
    assert after[1] < before[1], "a pair that has got three times what it needs is asked for more than ever"


# --- every policy --------------------------------------------------------------------------------------------------

_outcome = st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 6))


@st.composite
def _evidence(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int]], list[int], list[bool]]:
    size = draw(st.integers(2, 5))
    pairs = size * (size - 1) // 2
    scale = draw(st.sampled_from([0, 1, 1, 20]))
    rare = st.one_of(st.just((0, 0, 0)), _outcome, st.just((5, 0, 0)), st.just((0, 0, 5)))
    outcomes = draw(st.lists(rare, min_size=pairs, max_size=pairs))
    outcomes = [tuple(scale * number for number in one) for one in outcomes]
    pending = draw(st.lists(st.integers(0, 5), min_size=pairs, max_size=pairs))
    allowed = draw(st.lists(st.booleans(), min_size=pairs, max_size=pairs))
    return size, outcomes, pending, allowed


@pytest.mark.parametrize("policy", EVERY)
@pytest.mark.parametrize("clustered", [False, True])
@settings(max_examples=25)
@given(_evidence())
def test_chances_are_finite_and_never_of_what_is_not_allowed(
    policy: str, clustered: bool, evidence: tuple[int, Any, list[int], list[bool]]
) -> None:
    size, outcomes, pending, allowed = evidence
    counts = _counts(size, outcomes)
    pair = np.repeat(np.arange(counts.outcomes.size) % len(counts.first), counts.outcomes.ravel().astype(int))
    side = np.repeat(np.arange(counts.outcomes.size) // len(counts.first), counts.outcomes.ravel().astype(int))

    def rate(preset: str) -> Beliefs:
        return Beliefs.start(size, preset, len(pair)).after(counts.first[pair], counts.second[pair], side)

    known = CollectionState(counts, rate, margin=0.1, clustered=clustered)
    chances = _chances(policy, known, pending, allowed)
    assert chances.shape == (len(counts.first),)
    assert np.all(np.isfinite(chances))
    assert np.all(chances >= 0)
    assert np.all(chances[~np.array(allowed)] == 0)
    worth = known.decisions.undecided if policy.startswith("unresolved") else np.ones(len(chances), dtype=bool)
    assert bool(chances.sum() > 0) == bool(np.any(worth & np.array(allowed)))


def test_every_policy_is_in_the_battery() -> None:
    assert set(known_policies()) == {name.partition("(")[0] for name in EVERY}
    for name in EVERY:
        assert isinstance(type(policy_of(name)).turns, bool)


def test_counts_of_pairs_that_met_get_a_place_among_all() -> None:
    met = np.array([[3.0, 1.0], [0.0, 2.0], [1.0, 0.0]])
    units = RowUnits.of(np.arange(6), np.ones(6), met.ravel(), (3, 2))
    spread = collection_state.on_all_pairs(PairCounts(tuple("abcd"), np.array([0, 1]), np.array([2, 3]), met, units))
    pairs = list(itertools.combinations(range(4), 2))
    assert list(zip(spread.first.tolist(), spread.second.tolist(), strict=True)) == pairs
    expected = {(0, 2): [3.0, 0.0, 1.0], (1, 3): [1.0, 2.0, 0.0]}
    assert spread.outcomes.T.tolist() == [expected.get(pair, [0.0] * 3) for pair in pairs]
    drawn = spread.units.resample(np.random.default_rng(0), 400)
    assert drawn.shape == (3, 6, 400)
    np.testing.assert_allclose(drawn.mean(axis=2), spread.outcomes, atol=0.35)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "unresolvd",
            "unknown policy 'unresolvd'; known: information, sort, trueskill-quality, uncertain, uniform, unresolved, wmt. Did you mean 'unresolved'?",
        ),
        ("unresolved(explore=2)", "unresolved: explore must be a number of at least 0 and at most 1, got 2."),
        ("unresolved(explore=nan)", "unresolved: explore must be a number of at least 0 and at most 1, got nan."),
        ("unresolved(favor=none)", "unresolved: unknown option 'favor=none'; known: explore, favour (as name=value)."),
        ("unresolved(explore=0.1, explore=0.2)", "unresolved: the option 'explore' is given twice. Give it once."),
        (
            "unresolved(explore=0.1",
            "the options of 'unresolved(explore=0.1' cannot be read; write unresolved(option=value, option=value).",
        ),
        ("information(goal=all)", "information: goal must be 'neighbours' or 'order' or 'strengths', got 'all'."),
        ("information(greed=-1)", "information: greed must be a number of at least 0 and at most 100, got -1."),
        ("uniform(balance=1)", "uniform: balance must be 'no' or 'yes', got '1'."),
        ("wmt(preset=game)", "wmt: unknown option 'preset=game'; known: none (as name=value)."),
        ("trueskill-quality(preset=chess)", "trueskill-quality: preset must be 'game' or 'wmt', got 'chess'."),
    ],
)
def test_what_is_no_policy_is_refused(text: str, message: str) -> None:
    with pytest.raises(PlanError) as refusal:
        policy_of(text)
    assert str(refusal.value) == message


def test_equal_systems_are_neighbours_of_the_same_others() -> None:
    known = _known(3, [(10, 0, 10), (12, 0, 8), (12, 0, 8)])  # A and B are equal, both ahead of C
    chances = _chances("information", known)
    assert chances[1] == pytest.approx(chances[2])
