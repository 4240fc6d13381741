"""TrueSkill's arithmetic against the `trueskill` package, game by game, and where that one gives up."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numba  # noqa: F401 (without it, compiled loops would be compared with themselves)
import numpy as np
import pytest
import trueskill
from scipy import special

from betterthan.models import skill
from betterthan.models.ordered import compiled

Matches = list[tuple[list[int], list[int]]]  # per match its systems, sorted by rank, and their ranks


def _game_defaults() -> trueskill.TrueSkill:
    return trueskill.TrueSkill(25, 25 / 3, 25 / 6, 25 / 300, 0.1, backend="scipy")


def _frequent_ties() -> trueskill.TrueSkill:
    return trueskill.TrueSkill(1500, 200, 150, 10, 0.4, backend="scipy")


def _wmt() -> trueskill.TrueSkill:
    """Return WMT's setting for 400 judgments, whose margin of .25 the package takes as a probability."""
    environment = trueskill.TrueSkill(0, 0.5, 0.025 * 400 * 0.5**2, 0, 0.0, backend="scipy")
    environment.draw_probability = trueskill.calc_draw_probability(0.25, 2, environment)
    return environment


settings = pytest.mark.parametrize("setting", [_game_defaults, _frequent_ties, _wmt])
Setting = Callable[[], trueskill.TrueSkill]


def _parameters(environment: trueskill.TrueSkill) -> tuple[float, float, float]:
    margin = skill.draw_margin(float(environment.draw_probability), environment.beta)
    return environment.beta**2, environment.tau**2, margin


def _start(environment: trueskill.TrueSkill, systems: int) -> tuple[list[float], list[float]]:
    return [float(environment.mu)] * systems, [environment.sigma**2] * systems


def _random_games(games: int, systems: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=systems)
    left = rng.integers(systems, size=games)
    right = (left + rng.integers(1, systems, size=games)) % systems
    seen = strength[left] - strength[right] + rng.normal(size=games)
    return left, right, np.where(seen > 0.3, 0, np.where(seen < -0.3, 2, 1)), np.ones(games)


def _random_matches(matches: int, size: int, *, ties: bool, seed: int) -> Matches:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(matches):
        systems = rng.permutation(size + 2)[:size].tolist()
        made.append((systems, sorted(rng.integers(1, size, size=size).tolist()) if ties else list(range(size))))
    return made


def _columns(matches: Matches) -> tuple[list[int], list[int], list[float]]:
    start = [0, *np.cumsum([len(systems) for systems, _ in matches]).tolist()]
    system, rank = zip(*(entry for match in matches for entry in zip(*match, strict=True)), strict=True)
    return start, list(system), [float(place) for place in rank]


def _rated(environment: trueskill.TrueSkill, matches: Matches, players: int) -> list[trueskill.Rating]:
    ratings = [environment.create_rating() for _ in range(players)]
    for systems, ranks in matches:
        groups = environment.rate([(ratings[system],) for system in systems], ranks=ranks, min_delta=1e-12)
        for system, (rating,) in zip(systems, groups, strict=True):
            ratings[system] = rating
    return ratings


@settings
def test_two_players_equal_the_package_after_every_game(setting: Setting) -> None:
    environment, systems = setting(), 8
    mean, variance = _start(environment, systems)
    ratings = [environment.create_rating() for _ in range(systems)]
    for a, b, outcome, _ in zip(*(column.tolist() for column in _random_games(300, systems, seed=1)), strict=True):
        skill.play_pairs([a], [b], [outcome], [1.0], mean, variance, *_parameters(environment))
        first, second = (b, a) if outcome == 2 else (a, b)
        ratings[first], ratings[second] = trueskill.rate_1vs1(
            ratings[first], ratings[second], drawn=outcome == 1, env=environment
        )
        assert mean == pytest.approx([rating.mu for rating in ratings], abs=1e-7, rel=1e-10)
        assert np.sqrt(variance) == pytest.approx([rating.sigma for rating in ratings], abs=1e-7, rel=1e-10)


@settings
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("size", [3, 4, 5, 8])
def test_matches_equal_the_package(setting: Setting, ties: bool, size: int) -> None:
    environment, matches = setting(), _random_matches(5, size, ties=ties, seed=size)
    mean, variance = _start(environment, size + 2)
    skill.play_matches(*_columns(matches), [1.0] * len(matches), mean, variance, *_parameters(environment))
    ratings = _rated(environment, matches, size + 2)
    assert mean == pytest.approx([rating.mu for rating in ratings], abs=1e-6, rel=1e-10)
    assert np.sqrt(variance) == pytest.approx([rating.sigma for rating in ratings], abs=1e-6, rel=1e-10)


@pytest.mark.parametrize("outcome", [0, 1, 2])
@pytest.mark.parametrize("weight", [1.0, 0.3, 7.0])
def test_a_match_of_two_is_a_game_of_two(outcome: int, weight: float) -> None:
    parameters, first, second = (17.0, 0.01, 0.7), ([25.0, 31.0], [70.0, 3.0]), ([25.0, 31.0], [70.0, 3.0])
    skill.play_pairs([0], [1], [outcome], [weight], *first, *parameters)
    order = [1, 0] if outcome == 2 else [0, 1]
    skill.play_matches([0, 2], order, [1.0, 1.0 if outcome == 1 else 2.0], [weight], *second, *parameters)
    assert second[0] == pytest.approx(first[0], rel=1e-13)
    assert second[1] == pytest.approx(first[1], rel=1e-13)


def test_matches_of_one_and_judgments_of_no_weight_are_not_played() -> None:
    mean, variance = [1.0, 2.0], [3.0, 4.0]
    skill.play_pairs([0], [1], [0], [0.0], mean, variance, 1.0, 1.0, 0.1)
    skill.play_matches([0, 1, 3], [0, 0, 1], [1.0, 1.0, 2.0], [1.0, 0.0], mean, variance, 1.0, 1.0, 0.1)
    assert (mean, variance) == ([1.0, 2.0], [3.0, 4.0])


@pytest.mark.parametrize("outcome", [0, 1, 2])
def test_a_weight_multiplies_the_step_and_is_a_power_of_the_shrinkage(outcome: int) -> None:
    def played(weight: float) -> tuple[np.ndarray, np.ndarray]:
        mean, variance = [25.0, 31.0], [70.0, 3.0]
        skill.play_pairs([0], [1], [outcome], [weight], mean, variance, 17.0, 0.0, 0.7)
        return np.array(mean) - [25.0, 31.0], np.log(variance) - np.log([70.0, 3.0])

    for once, weighted in zip(played(1.0), played(2.5), strict=True):
        np.testing.assert_allclose(weighted, 2.5 * once, rtol=1e-12)


def test_the_sides_can_be_swapped() -> None:
    left, right, outcome, weight = (column.tolist() for column in _random_games(500, 6, seed=3))
    one, other = _start(_game_defaults(), 6), _start(_game_defaults(), 6)
    skill.play_pairs(left, right, outcome, weight, *one, 17.0, 0.01, 0.7)
    skill.play_pairs(right, left, [2 - side for side in outcome], weight, *other, 17.0, 0.01, 0.7)
    assert one == other


def test_the_margin_is_the_package_s() -> None:
    for probability in (0.0, 0.1, 0.25, 0.9):
        expected = trueskill.calc_draw_margin(probability, 2, trueskill.TrueSkill(beta=3.0, backend="scipy"))
        assert skill.draw_margin(probability, 3.0) == pytest.approx(expected, abs=1e-12)


def test_a_win_is_exact_in_the_tails() -> None:
    leads = np.concatenate([np.linspace(-60.0, 8.0, 500), [-6.0, -1e3, -1e5]])
    shift, kept = np.array([skill.after_win(lead) for lead in leads]).T
    # N(x)/Φ(x) with the exponential taken out of both.
    np.testing.assert_allclose(shift, np.sqrt(2 / np.pi) / special.erfcx(-leads * np.sqrt(0.5)), rtol=1e-13)
    # Far out the tail is exponential: 1 − w is 1/z² with the asymptotic series −6/z⁴ + 50/z⁶.
    far = leads[leads < -30.0]
    np.testing.assert_allclose(kept[leads < -30.0], far**-2.0 - 6 * far**-4.0 + 50 * far**-6.0, rtol=1e-6)
    assert np.all(np.diff(kept[:500]) > 0)  # across the change of formula, too


@pytest.mark.parametrize("half", [0.0, 1e-9, 9.99e-4, 1.001e-3, 0.05, 1.0, 20.0])
def test_a_tie_is_exact_in_the_tails(half: float) -> None:
    for lead in (0.0, 1e-4, 0.3, 2.0, 7.0, 40.0, 199.0, 260.0):
        low, high = -lead - half, -lead + half
        # Integrate within the range, from its end nearest to 0 on (40 units of decay are enough).
        top = min(high, 0.0)
        bottom = max(low, top - 40.0 / max(1.0, -top))
        places, weights = np.polynomial.legendre.leggauss(300)
        edges = np.linspace(bottom, min(high, 12.0), 41)
        at = np.concatenate([(b - a) / 2 * places + (a + b) / 2 for a, b in pairwise(edges)]) - top
        density = np.exp(-0.5 * at * at - at * top) * np.tile(weights, 40)
        mean = np.average(at, weights=density)
        shift, kept = skill.after_tie(lead, half)
        assert shift == pytest.approx(top + mean, rel=1e-8, abs=1e-10)
        assert kept == pytest.approx(np.average((at - mean) ** 2, weights=density), abs=1e-8)
        assert skill.after_tie(-lead, half) == (-shift, kept)


@pytest.mark.parametrize("margin", [0.0, 1e-6, 0.7, 1e3])
@pytest.mark.parametrize("beta2", [0.0, 1e-6, 17.0])
@pytest.mark.parametrize("weight", [1.0, 50.0])
def test_whatever_happens_ratings_stay_finite(margin: float, beta2: float, weight: float) -> None:
    left, right, outcome, weights = (column.tolist() for column in _random_games(2000, 4, seed=5))
    far, spread = [-1e5, 0.0, 1.0, 1e9], [1e-6, 1.0, 1e8, 70.0]
    skill.play_pairs(
        left, right, outcome, [weight] * len(weights), mean := list(far), variance := list(spread), beta2, 0.0, margin
    )
    assert np.all(np.isfinite(mean))
    assert np.all(np.isfinite(variance))
    assert np.all(np.array(variance) > 0)
    matches = _random_matches(300, 4, ties=True, seed=6)
    mean, variance = [*far, 1.0, 2.0], [*spread, 1.0, 1.0]
    skill.play_matches(*_columns(matches), [weight] * 300, mean, variance, beta2, 0.0, margin)
    assert np.all(np.isfinite(mean))
    assert np.all(np.isfinite(variance))
    assert np.all(np.array(variance) > 0)


@pytest.mark.parametrize("loop", [skill.play_pairs, skill.play_matches])
def test_compiled_loops_agree_with_plain_ones(loop: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    start, system, rank = _columns(_random_matches(400, 5, ties=True, seed=8))
    columns: tuple[Any, ...] = (start, system, rank, np.full(400, 1.5))
    if loop is skill.play_pairs:
        columns = _random_games(3000, 7, seed=7)

    def ratings() -> tuple[Any, ...]:
        given = compiled.prepared(3000, *columns, np.full(7, 25.0), np.full(7, 70.0))
        compiled.quick(loop, 3000)(*given, 17.0, 0.01, 0.7)
        return given[-2:]

    plain = ratings()
    monkeypatch.setattr(compiled, "PAYS", 0)
    fast = ratings()
    assert [type(part) for part in (*plain, *fast)] == [list, list, np.ndarray, np.ndarray]
    np.testing.assert_allclose(fast, plain, rtol=1e-12)
