"""Decisions about pairs by tests of their own, by few units, and in steps from the largest difference on."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.uncertainty.decisions import Decisions, decide, decisions_from
from betterthan.uncertainty.draws import Draws
from tests.draws import plain_draws

STRENGTH = np.array([1.4, 0.9, 0.0])
EVERY = np.ones(3, dtype=bool)


def _normal(number: int = 4000) -> np.ndarray:
    return STRENGTH + 0.4 * np.random.default_rng(5).normal(size=(number, 3))


def test_the_test_of_the_evidence_decides() -> None:
    """Of three p-values one is given for every pair, and none for a pair that cannot be tested."""
    draws = plain_draws(_normal(), STRENGTH)
    alone = np.array([[1.0, 0.8, 0.04], [0.8, 1.0, np.nan], [0.04, np.nan, 1.0]])
    by_test, by_draws = decide(STRENGTH, draws, 0.95, EVERY, alone), decide(STRENGTH, draws, 0.95, EVERY)
    assert by_test.p[0, 1] == by_test.p[1, 0] == 0.8
    assert by_test.p[0, 2] == 0.04
    assert by_test.p[1, 2] == by_draws.p[1, 2] > 0.1
    assert by_draws.above[0, 2]
    assert not by_test.above.any()  # 0.04 is not rare among three pairs
    assert 0.04 < by_test.p_adjusted[0, 2] < 3 * 0.04


@pytest.mark.parametrize(("units", "systems"), [(2, 8), (3, 12), (5, 12), (10, 12)])
def test_few_units_decide_hardly_any_pair_of_equal_systems(units: int, systems: int) -> None:
    """Few units show pairs as more correlated than they are, so that their number would count for little."""
    rng, wrong, known = np.random.default_rng(units), 0, np.ones(systems, dtype=bool)
    for _ in range(200):
        scores = rng.normal(size=(units, systems))
        mean, away = scores.mean(axis=0), (scores - scores.mean(axis=0)) / np.sqrt(units * (units - 1))
        drawn = mean + rng.normal(size=(400, units)) @ away
        draws = plain_draws(drawn, mean, units=units, freedom=units - 1.0)
        wrong += bool(decide(mean, draws, 0.95, known).above.any())
    assert wrong <= 21  # of 200: 5 % and four standard errors


def test_a_single_pair_needs_no_correction() -> None:
    """However heavy the tails of the draws are, a pair deviates as far as its own test says."""
    rng, units, number = np.random.default_rng(6), 4, 40_000
    stretch = np.sqrt((units - 1) / rng.chisquare(units - 1, number))
    centre = np.array([0.8, 0.0])
    normal = 0.3 * rng.normal(size=(number, 2))
    draws = replace(
        plain_draws(centre + normal, centre, units=units, freedom=units - 1.0),
        strength=centre + normal * stretch[:, None],
        stretch=stretch,
    )
    found = decide(centre, draws, 0.95, np.ones(2, dtype=bool))
    expected = 2 * stats.t.sf(0.8 / (0.3 * np.sqrt(2)), units - 1)
    assert found.p[0, 1] == pytest.approx(expected, rel=0.02)
    assert found.p_adjusted[0, 1] == pytest.approx(expected, rel=0.06)


def test_stretched_draws_decide_as_those_they_were_made_from() -> None:
    rng = np.random.default_rng(7)
    plain = plain_draws(_normal(), STRENGTH, units=5, freedom=4.0)
    stretch = np.sqrt(4 / rng.chisquare(4, len(plain.strength)))
    stretched: Draws = replace(
        plain, strength=STRENGTH + (plain.strength - STRENGTH) * stretch[:, None], stretch=stretch
    )
    one, two = (decide(STRENGTH, draws, 0.95, EVERY) for draws in (plain, stretched))
    np.testing.assert_array_equal(one.p, two.p)
    np.testing.assert_allclose(one.p_adjusted, two.p_adjusted, atol=1.5 / len(plain.strength))


def test_a_pair_competes_with_those_that_are_still_open() -> None:
    """Independent pairs are as rare as the largest of all that are not larger: Šidák's formula in steps."""
    rng, number = np.random.default_rng(8), 40_000
    size = np.array([3.2, 2.6, 2.2])  # in standard errors, of three pairs that have no system in common
    strength = np.concatenate([[gap * np.sqrt(2), 0.0] for gap in size])
    far = np.repeat([0.0, 1e3, -1e3], 2)  # other pairs differ beyond doubt
    draws = plain_draws(strength + far + rng.normal(size=(number, 6)), strength + far)
    found = decide(strength + far, draws, 0.95, np.ones(6, dtype=bool))
    alone = 2 * stats.norm.sf(size)
    for place, p in enumerate(alone):
        pair = 2 * place, 2 * place + 1
        assert found.p[pair] == pytest.approx(p, rel=0.05)
        expected = 1 - (1 - p) ** (len(size) - place)
        assert found.p_adjusted[pair] == pytest.approx(expected, rel=0.08)


def test_no_correction_makes_a_pair_rarer_than_its_own_test() -> None:
    """Draws that take two values only never deviate as far as a normal deviate may."""
    drawn = STRENGTH + 0.1 * np.where(np.random.default_rng(9).random((999, 3)) < 0.5, 1, -1)
    alone = np.full((3, 3), 0.01)
    found = decide(STRENGTH, plain_draws(drawn, STRENGTH), 0.95, EVERY, alone)
    assert np.all(found.p_adjusted[np.triu_indices(3, 1)] >= 0.01)


@pytest.mark.parametrize("units", [1, 3, 6, 12])
def test_units_that_all_agree_are_as_rare_as_equal_coin_flips(units: int) -> None:
    """A gap that no draw changes has no error to be compared with."""
    centre = np.array([2.0, 0.0])
    drawn = centre + np.random.default_rng(10).normal(size=(500, 1))
    found = decide(centre, plain_draws(drawn, centre, units=units), 0.95, np.ones(2, dtype=bool))
    assert found.p[0, 1] == found.p_adjusted[0, 1] == 2.0 ** (1 - units)


def test_systems_apart_may_have_any_rank_and_move_nobody() -> None:
    centre = np.array([9.0, 50.0, 3.0, 6.0])
    apart = np.array([False, True, False, False])
    drawn = centre + 0.1 * np.random.default_rng(11).normal(size=(2000, 4))
    draws = replace(plain_draws(drawn, centre), apart=apart)
    low, high = decide(centre, draws, 0.95, ~apart).ranges
    assert (low.tolist(), high.tolist()) == ([1, 1, 3, 2], [1, 4, 3, 2])


def test_the_leader_is_compared_with_its_strongest_rival() -> None:
    """No correction for the number of rivals; none of them may be ahead, and those that met nobody do not count."""
    p = np.array([[1.0, 0.03, 0.001], [0.03, 1.0, 0.2], [0.001, 0.2, 1.0]])
    sign = np.array([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]])
    none = np.zeros(3, dtype=bool)
    found = Decisions(0.95, sign, p, np.minimum(3 * p, 1), none)
    assert found.p_first(0) == 0.03
    assert found.p_first(1) == 1.0
    assert replace(found, anytime=True).p_first(0) == pytest.approx(0.09)
    assert replace(found, apart=np.array([False, True, False])).p_first(0) == 0.001
    assert replace(found, apart=np.array([True, False, False])).p_first(0) == 1.0
    assert replace(found, apart=np.array([False, True, True])).p_first(0) == 1.0


@pytest.mark.parametrize("gaps", [(0.0, 0.0), (0.0, 0.0, -9.0), (0.0, 0.0, 0.0), (0.0,) * 8, (0.0, 0.0, -0.5, -1.0)])
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_first_ranks_are_falsely_claimed_in_one_of_twenty_samples(gaps: tuple[float, ...], spread: float) -> None:
    """Two or more systems share the first place; the first of them is measured less, or more, precisely."""
    rng, size, times = np.random.default_rng(len(gaps)), len(gaps), 4000
    error = np.ones(size)
    error[0] = spread
    first, second = np.triu_indices(size, 1)
    claimed = 0
    for strength in np.array(gaps) + error * rng.normal(size=(times, size)):
        gap = strength[first] - strength[second]
        p = 2 * stats.norm.sf(np.abs(gap) / np.hypot(error[first], error[second]))
        found = decisions_from(0.95, np.sign(gap), p, p, np.zeros(size, dtype=bool))
        claimed += found.p_first(int(np.argmax(strength))) <= 0.05
    assert claimed / times <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / times)


def test_a_system_that_won_all_of_its_few_judgments_is_not_shown_to_be_better() -> None:
    """Of equal systems one in 32 wins all of five judgments; resamples of them have nothing but wins."""
    drawn = np.array([5.0, 0.2, 0.0]) + 0.1 * np.random.default_rng(7).normal(size=(1000, 3))
    draws = plain_draws(drawn, np.array([5.0, 0.2, 0.0]))
    known = np.array([False, True, True])
    for judged, decided in ((5.0, False), (12.0, True)):
        found = decide(drawn.mean(axis=0), draws, 0.95, known, judged=np.array([judged, 400.0, 400.0]))
        assert found.p[0, 1] == pytest.approx(max(2 / 1001, 2 ** (1 - judged)))
        assert bool(found.above[0, 1]) == decided


def test_new_systems_are_not_first_by_chance() -> None:
    """Three equal systems, and one with five judgments: it won all of them in one of 32 data sets."""
    rng = np.random.default_rng(8)
    old = [(left, right, str(rng.choice(["a", "b"]))) for left, right in [("owl", "yak"), ("yak", "elk")] * 150]
    new = [("new", str(rng.choice(["owl", "yak", "elk"])), "a") for _ in range(5)]
    board = bt.rank([*old, *new]).board
    assert board["new"].rank is None
    assert (board["new"].rank_low, board["new"].rank_high) == (1, 4)
