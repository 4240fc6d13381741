"""Power by formula and by simulation, against integration, enumeration, published numbers and each other."""

import itertools
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from betterthan.inference.tests import paired_tests as paired
from betterthan.inference.tests.paired_tests import Differences
from betterthan.verbs.power import power_simulation as simulation
from betterthan.verbs.power import sample_size


def _differences(values: object, group: object = None) -> Differences:
    array = np.array(values, dtype=float)
    codes = np.arange(len(array)) if group is None else np.array(group)
    return Differences(array, np.zeros(len(array)), codes)


@pytest.mark.parametrize(
    ("effect", "power", "needed"),
    [(0.1, 0.8, 787), (0.2, 0.8, 199), (0.3, 0.8, 90), (0.5, 0.8, 34), (0.5, 0.9, 44), (0.8, 0.8, 15), (-0.5, 0.8, 34)],
)
def test_published_numbers_of_the_paired_t_test(effect: float, power: float, needed: int) -> None:
    assert sample_size.t_needed(effect, power) == needed


@pytest.mark.parametrize(("effect", "n", "level"), [(0.5, 12, 0.95), (0.1, 200, 0.99), (2.0, 3, 0.9), (-1.0, 8, 0.95)])
def test_t_power_is_the_integral_over_the_standard_deviation(effect: float, n: int, level: float) -> None:
    limit = stats.t.ppf((1 + level) / 2, n - 1)

    def at(spread: float) -> float:
        reach, shift = limit * spread / np.sqrt(n - 1), effect * np.sqrt(n)
        return float(stats.chi.pdf(spread, n - 1) * (stats.norm.sf(reach - shift) + stats.norm.cdf(-reach - shift)))

    assert sample_size.t_power(effect, n, level) == pytest.approx(integrate.quad(at, 0, np.inf)[0], abs=1e-7)


@given(st.floats(0.05, 3), st.integers(2, 400), st.sampled_from([0.9, 0.95, 0.99]))
def test_t_power_grows_with_number_and_difference(effect: float, n: int, level: float) -> None:
    assert sample_size.t_power(effect, n, level) <= sample_size.t_power(effect, n + 1, level) + 1e-12
    assert sample_size.t_power(effect, n, level) <= sample_size.t_power(effect * 1.1, n, level) + 1e-12


@given(st.floats(0.02, 4), st.floats(0.3, 0.99), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_number_needed_is_the_first_that_is_enough(effect: float, power: float, level: float) -> None:
    needed = sample_size.t_needed(effect, power, level)
    assert sample_size.t_power(effect, needed, level) >= power > sample_size.t_power(effect, needed - 1, level)


@pytest.mark.parametrize("n", [2, 5, 34, 1000, 10**7])
def test_the_smallest_difference_is_detected_with_just_the_power(n: int) -> None:
    assert sample_size.t_power(sample_size.t_smallest(n, 0.8), n) == pytest.approx(0.8, abs=1e-6)
    assert sample_size.t_smallest(1) is None


def test_what_no_number_detects_and_what_nobody_collects() -> None:
    assert sample_size.t_needed(0.0) is None
    assert sample_size.sign_needed(0.5) is None
    assert sample_size.t_needed(1e-200) is None
    assert sample_size.sign_needed(0.5 + 1e-9) is None
    assert sample_size.t_needed(1e-4) == pytest.approx(
        (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * 1e8, rel=1e-4
    )


def _enumerated(win: float, n: int, level: float, tie: float, test: Any) -> float:
    found = 0.0
    for wins, ties in itertools.product(range(n + 1), repeat=2):
        losses = n - wins - ties
        if losses >= 0 and test(wins, ties, losses).p <= 1 - level:
            chance = comb(n, ties) * comb(n - ties, wins) * tie**ties * (1 - tie) ** (n - ties)
            found += chance * win**wins * (1 - win) ** losses
    return found


@pytest.mark.parametrize("n", [1, 5, 6, 9, 14])
@pytest.mark.parametrize(("win", "tie"), [(0.8, 0.0), (0.7, 0.3), (0.05, 0.6), (1.0, 0.1)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_sign_power_is_the_enumeration_of_all_outcomes(win: float, tie: float, n: int, level: float) -> None:
    for mid, test in ((False, paired.sign_test), (True, paired.sign_mid_p)):
        wanted = _enumerated(win, n, level, tie, test)
        assert sample_size.sign_power(win, n, level, tie, mid=mid) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize(("win", "tie"), [(0.6, 0.0), (0.75, 0.0), (0.6, 0.3), (0.2, 0.5), (0.9, 0.8)])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_the_sign_test_keeps_its_power_from_the_number_needed_on(win: float, tie: float, power: float) -> None:
    needed = sample_size.sign_needed(win, power, tie_share=tie)
    assert sample_size.sign_power(win, needed - 1, tie_share=tie) < power
    assert min(sample_size.sign_power(win, n, tie_share=tie) for n in range(needed, needed + 60)) >= power
    assert needed == sample_size.sign_needed(1 - win, power, tie_share=tie)


def test_a_saw_tooth_that_is_enough_for_once_is_not_taken() -> None:
    enough = [n for n in range(1, 300) if sample_size.sign_power(0.6, n) >= 0.8]
    assert enough[0] < sample_size.sign_needed(0.6) == 1 + max(n for n in range(1, 300) if n not in enough)


def test_large_numbers_of_judgments_go_on_where_exact_ones_end() -> None:
    edge = [sample_size.sign_power(0.5063, n, tie_share=0.2) for n in (50_000, 50_001)]
    assert edge[0] == pytest.approx(edge[1], abs=2e-4)
    assert sample_size.t_power(0.0125, 50_000) == pytest.approx(sample_size.t_power(0.0125, 50_001), abs=2e-4)
    assert sample_size.sign_power(1.0, 10**6) == 1.0


@pytest.mark.parametrize(("n", "tie"), [(20, 0.0), (100, 0.4), (90_000, 0.1)])
def test_the_smallest_win_share_is_detected_with_just_the_power(n: int, tie: float) -> None:
    share = sample_size.sign_smallest(n, 0.8, 0.95, tie)
    assert 0.5 < share < 1
    assert sample_size.sign_power(share, n, 0.95, tie) == pytest.approx(0.8, abs=1e-6)
    assert sample_size.sign_smallest(5) is None


def test_groups_that_repeat_one_item_need_as_many_groups_as_there_were_items() -> None:
    values = np.random.default_rng(0).normal(0.3, 1, 50)
    alone, repeated = _differences(values), _differences(np.repeat(values, 4), np.repeat(np.arange(50), 4))
    (spread, one), (by_group, effect) = sample_size.spread_of(alone), sample_size.spread_of(repeated)
    assert by_group == pytest.approx(spread)
    assert (one, effect) == (pytest.approx(1.0), pytest.approx(4.0, rel=0.03))
    assert sample_size.MeanPlan(by_group, 0.8, 0.95).needed(0.3) == sample_size.t_needed(0.3 / np.std(values, ddof=1))


def test_dependent_judgments_count_less_and_too_few_groups_never_count() -> None:
    alone, grouped = sample_size.SharePlan(0.2, 0.8, 0.95), sample_size.SharePlan(0.2, 0.8, 0.95, 5 / 2.5, freedom=1e9)
    assert grouped.needed(0.6) == -(-alone.needed(0.6) // 2)
    assert (
        sample_size.SharePlan(0.0, 0.8, 0.95, 100.0, freedom=1e9).needed(0.9) == 6
    )  # 2 of 2⁶ flips are 3 %, of 2⁵ 6 %
    assert grouped.reached(0.6, 100) == sample_size.sign_power(0.6, 200, tie_share=0.2)


def test_few_units_know_their_error_badly_and_need_to_be_more() -> None:
    many, few = (
        sample_size.SharePlan(0.0, 0.8, 0.95, 20.0, freedom=1e9),
        sample_size.SharePlan(0.0, 0.8, 0.95, 20.0, freedom=1.0),
    )
    student = stats.t.ppf(0.975, few.needed(0.6))
    ratio = ((student + stats.norm.ppf(0.8)) / (stats.norm.ppf(0.975) + stats.norm.ppf(0.8))) ** 2
    assert few.needed(0.6) == pytest.approx(ratio * many.needed(0.6), abs=1.5)
    assert few.reached(0.6, few.needed(0.6)) >= 0.8 > few.reached(0.6, many.needed(0.6))
    assert few.smallest(10) > many.smallest(10)


def test_answers_are_planned_in_differences_of_scores() -> None:
    plan = sample_size.AnswerPlan(step=100.0, tie_share=0.6, power=0.8, level=0.95)
    assert plan.win_share(10.0) == pytest.approx(0.625)
    assert plan.needed(10.0) == sample_size.sign_needed(0.625, tie_share=0.6, mid=True) == plan.needed(-10.0)
    assert plan.reached(plan.smallest(200), 200) == pytest.approx(0.8, abs=1e-6)
    assert (plan.possible(40.0), plan.possible(41.0)) == (True, False)
    assert plan.needed(70.0) == sample_size.sign_needed(1.0, tie_share=0.3, mid=True)


def _normal_units(effect: float) -> simulation.PlannedUnits:
    values = stats.norm.ppf((np.arange(500) + 0.5) / 500)
    return simulation.PlannedUnits(values / values.std() + effect, np.arange(500))


def test_simulated_power_agrees_with_the_formulas() -> None:
    rng = np.random.default_rng(0)
    found, times = simulation.simulate(_normal_units(0.4), 52, 0.95, 20_000, rng)
    assert times == 20_000
    assert found["t"] == pytest.approx(
        sample_size.t_power(0.4, 52), abs=3 * simulation.simulation_error(0.8, times) + 0.002
    )
    share = float(np.mean(_normal_units(0.4).values > 0))
    assert found["sign"] == pytest.approx(sample_size.sign_power(share, 52), abs=0.011)
    # Wilcoxon's test of normal differences is as good as t on 3 / π of the units.
    assert found["wilcoxon"] == pytest.approx(sample_size.t_power(0.4, round(52 * 3 / np.pi)), abs=0.02)


def test_without_a_difference_simulations_reject_as_often_as_the_level_says() -> None:
    found, _ = simulation.simulate(_normal_units(0.0), 40, 0.9, 20_000, np.random.default_rng(1))
    assert found["t"] == pytest.approx(0.1, abs=0.007)
    assert found["wilcoxon"] == pytest.approx(0.1, abs=0.01)
    assert found["sign"] == pytest.approx(sample_size.sign_power(0.5, 40, 0.9), abs=0.007)


@pytest.mark.parametrize("size", [1, 3])
def test_simulated_tests_decide_like_those_of_compare(size: int) -> None:
    rng = np.random.default_rng(2)
    values = np.round(rng.normal(0.3, 1, 60), 1)
    units = simulation.PlannedUnits(values, np.arange(60) // size)
    number, agree = 120 // size, {"t": 0, "sign": 0, "sign-mid-p": 0, "wilcoxon": 0}
    merged = units.merged()
    times = simulation._draw(merged, number, 60, rng)
    fast = {
        "t": simulation._t(merged, times, number, 0.95),
        "sign": simulation._sign(merged, times, 0.95, mid=False),
        "sign-mid-p": simulation._sign(merged, times, 0.95, mid=True),
        "wilcoxon": simulation._wilcoxon(merged, times, 0.95),
    }
    assert 5 < int(fast["wilcoxon"].sum()) < 60
    for place, row in enumerate(times.astype(int)):
        drawn = [
            (value, copy)
            for unit in range(merged.number)
            for copy in [(unit, again) for again in range(row[unit])]
            for value in merged.values[merged.unit == unit]
        ]
        codes = {copy: code for code, copy in enumerate(dict.fromkeys(copy for _, copy in drawn))}
        one = _differences([value for value, _ in drawn], [codes[copy] for _, copy in drawn])
        counts = [int(np.sum(np.sign(one.values) == sign)) for sign in (1, 0, -1)]
        slow = {
            "t": paired.t_test(one),
            "sign": paired.sign_test_by_group(one, rng) if one.grouped else paired.sign_test(*counts),
            "sign-mid-p": paired.sign_test_by_group(one, rng) if one.grouped else paired.sign_mid_p(*counts),
            "wilcoxon": paired.wilcoxon(one, rng),
        }
        for test, answer in slow.items():
            agree[test] += bool(fast[test][place]) == (answer.p <= 0.05)
    assert agree["t"] == 60
    assert min(agree.values()) >= 58


def test_small_simulations_decide_exactly() -> None:
    rng = np.random.default_rng(7)
    units = simulation.PlannedUnits(np.round(rng.normal(0.6, 1, 40), 1), np.arange(40)).merged()
    for number in (4, 12):
        times = simulation._draw(units, number, 400, rng)
        t, wilcoxon = simulation._t(units, times, number, 0.95), simulation._wilcoxon(units, times, 0.95)
        for place, row in enumerate(times.astype(int)):
            values = np.repeat(units.values, row)
            assert t[place] == (paired.t_test(_differences(values)).p <= 0.05)
            found = stats.wilcoxon(values, correction=False, method="asymptotic") if np.any(values) else None
            few = np.sum(values != 0) < 6  # no assignment of signs is rare enough
            assert wilcoxon[place] == (found is not None and not few and found.pvalue < 0.05)


def test_five_groups_are_never_enough_for_flips() -> None:
    units = simulation.PlannedUnits(np.ones(24), np.arange(24) // 2)
    for number, rejected in ((5, False), (6, True)):
        times = simulation._draw(units, number, 20, np.random.default_rng(8))
        assert set(simulation._sign(units, times, 0.95, mid=False)) == {rejected}


@pytest.mark.parametrize("number", [50, 5000])
def test_as_many_units_are_drawn_as_planned_with_their_chances(number: int) -> None:
    units = simulation.PlannedUnits(np.array([1.0, -1.0, 0.0]), np.arange(3), np.array([0.7, 0.1, 0.2]))
    for some in (units, simulation.PlannedUnits(units.values, units.unit)):
        times = simulation._draw(some, number, 400, np.random.default_rng(3))
        assert set(times.sum(axis=1)) == {number}
        expected = [1 / 3] * 3 if some.chances is None else some.chances
        np.testing.assert_allclose(times.mean(axis=0) / number, expected, atol=0.02)


@given(st.floats(0.05, 0.95), st.integers(1, 4))
def test_tilted_units_have_the_win_share_asked_and_their_ties(share: float, size: int) -> None:
    signs = np.random.default_rng(4).choice([1.0, 0.0, -1.0], p=[0.4, 0.3, 0.3], size=240)
    units = simulation.tilted(_differences(signs, np.arange(240) // size), share)
    won, lost, all_of = (units.chances @ units.sums(part) for part in (signs > 0, signs < 0, np.ones(240)))
    assert won / (won + lost) == pytest.approx(share, abs=1e-6)
    assert (won + lost) / all_of == pytest.approx(np.mean(signs != 0), abs=1e-6)


def test_nothing_is_tilted_to_what_never_happened() -> None:
    assert simulation.tilted(_differences([1.0, 1.0, 0.0]), 0.6) is None
    assert simulation.tilted(_differences([1.0, 1.0, 0.0]), 1.0) is not None


def test_shifted_units_have_the_mean_asked_and_ties_stay_ties() -> None:
    values = np.array([2.0, -1.0, 0.0, 4.0, 0.0])
    units = simulation.shifted(_differences(values), 0.25)
    assert units.values.mean() == pytest.approx(0.25)
    assert (units.values == 0).tolist() == (values == 0).tolist()


def test_large_evidence_is_simulated_less_often() -> None:
    many = simulation.PlannedUnits(np.random.default_rng(5).normal(0.1, 1, 40_000), np.arange(40_000))
    assert simulation.simulate(many, 500, 0.95, 1000, np.random.default_rng(6))[1] == 500
    assert simulation.simulation_error(1.0, 500) > 0
