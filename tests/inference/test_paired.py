"""Paired tests and effects against R and SciPy, and their error rates in simulation."""

import csv
from typing import Any

import numpy as np
import pytest
from scipy import stats

from betterthan.inference import effect_sizes
from betterthan.inference import mcnemar as mcnemar_tests
from betterthan.inference.intervals.studentised import studentise
from betterthan.inference.tests import paired_tests as paired
from betterthan.inference.tests.equivalence import equivalence
from betterthan.inference.tests.paired_tests import Differences
from tests.reference.r_estimates import TABLES, r_estimates


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)


def _made(a: Any, b: Any, group: Any = None) -> Differences:
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return Differences(a, b, np.arange(len(a)) if group is None else np.asarray(group))


@pytest.fixture(scope="module")
def items() -> Differences:
    rows = list(csv.DictReader((TABLES / "tests_20items.csv").read_text().splitlines()))
    return _made([row["A"] for row in rows], [row["B"] for row in rows])


@pytest.fixture(scope="module")
def golden() -> Any:
    return r_estimates()


def test_every_test_equals_r(items: Differences, golden: Any) -> None:
    t = paired.t_test(items)
    assert (t.statistic, t.p) == pytest.approx((golden["tests.t_paired"]["t"], golden["tests.t_paired"]["p"]), abs=1e-9)
    sign = golden["tests.sign"]
    assert paired.sign_test(12, 6, 2).p == pytest.approx(sign["p"], abs=1e-12)
    assert paired.sign_test(12, 6, 2, how="split").p == pytest.approx(sign["ties_split_half"], abs=1e-12)
    wilcoxon = golden["tests.wilcoxon_paired_ties"]
    assert paired.wilcoxon(items, _rng()).statistic == wilcoxon["V"]
    exact = wilcoxon["exactRankTests_wilcox_exact"]["p"]
    assert paired.wilcoxon(items, _rng()).p == pytest.approx(exact, abs=1e-12)
    pratt = wilcoxon["coin_wilcoxsign_pratt_exact"]["p"]
    assert paired.wilcoxon(items, _rng(), zeros="pratt").p == pytest.approx(pratt, abs=1e-9)
    assert paired.permutation(items, _rng())[0].p == pytest.approx(
        golden["tests.sign_flip_permutation"]["p"], abs=1e-12
    )
    yates = golden["tests.median"]["chisq_yates"]
    assert (paired.mood(items, _rng()).statistic, paired.mood(items, _rng()).p) == pytest.approx(
        (yates["statistic"], yates["p"]), abs=1e-9
    )
    drawn = studentise(items, _rng())
    reach = stats.t.ppf(0.975, drawn.freedom) * drawn.error
    assert [drawn.mean - reach, drawn.mean + reach] == pytest.approx(golden["tests.t_paired"]["ci95"], abs=1e-9)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
def test_large_wilcoxon_equals_scipy(zeros: Any) -> None:
    values = np.round(_rng().normal(0.2, 1.0, 80), 1)
    found = paired.wilcoxon(_made(values, np.zeros(80)), _rng(), zeros=zeros)
    wanted = stats.wilcoxon(values, zero_method=zeros, correction=True, method="asymptotic")
    assert found.p == pytest.approx(wanted.pvalue, abs=1e-12)


def test_mcnemar_by_hand() -> None:
    mid, exact, corrected = mcnemar_tests.mcnemar(10, 3)
    assert mid.p == pytest.approx(stats.binomtest(10, 13).pvalue - stats.binom.pmf(3, 13, 0.5))
    assert exact.p == pytest.approx(stats.binomtest(10, 13).pvalue)
    assert corrected.statistic == pytest.approx((7 - 1) ** 2 / 13)
    assert corrected.p == pytest.approx(stats.chi2.sf(36 / 13, 1))
    assert [test.p for test in mcnemar_tests.mcnemar(0, 0)] == [1.0, 1.0, 1.0]


def test_exact_flips_equal_all_permutations_of_scipy() -> None:
    values = np.array([1.5, -0.5, 2.0, 0.25, -1.0, 3.0, 0.75])
    wanted = stats.permutation_test(
        (values, np.zeros(7)), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
    )
    assert paired.permutation(_made(values, np.zeros(7)), _rng())[0].p == pytest.approx(wanted.pvalue, abs=1e-12)


def test_groups_of_one_change_nothing_and_groups_of_twins_count_once() -> None:
    values = _rng().normal(0.4, 1.0, 15)
    alone = _made(values, np.zeros(15))
    twins = _made(np.repeat(values, 2), np.zeros(30), np.repeat(np.arange(15), 2))
    for test in (
        paired.t_test,
        lambda d: paired.permutation(d, _rng())[0],
        lambda d: paired.sign_test_by_group(d, _rng()),
    ):
        assert test(twins).p == pytest.approx(test(alone).p, abs=1e-9)


def test_effects_by_hand(items: Differences) -> None:
    found = {effect.name: effect for effect in effect_sizes.effects(items, 0.95, _rng())}
    values = items.values
    assert found["median_difference"].value == np.median(values)
    assert found["cohens_dz"].value == pytest.approx(values.mean() / values.std(ddof=1))
    assert found["cliffs_delta"].value == pytest.approx(np.mean(np.sign(items.a[:, None] - items.b)))
    kept = values[values != 0]
    ranks = stats.rankdata(np.abs(kept)) * np.sign(kept)
    assert found["rank_biserial"].value == pytest.approx(ranks.sum() / np.abs(ranks).sum())
    assert found["superiority"].value == pytest.approx((12 + 3) / 20)
    assert found["odds"].value == 6.0
    for effect in found.values():
        assert effect.low <= effect.value <= effect.high


def test_odds_have_the_mid_p_interval() -> None:
    found = effect_sizes.odds(9, 1, 0.9)
    assert found.low is not None
    assert found.high is not None
    low, high = (end / (1 + end) for end in (found.low, found.high))
    own = [stats.binom.pmf(9, 10, chance) / 2 for chance in (low, high)]
    assert stats.binom.sf(9, 10, low) + own[0] == pytest.approx(0.05)
    assert stats.binom.cdf(8, 10, high) + own[1] == pytest.approx(0.05)
    exact = stats.binomtest(9, 10).proportion_ci(0.9)
    assert exact.low < low < 0.9 < high < exact.high


def test_odds_of_groups_are_wider_than_those_of_items() -> None:
    rng = np.random.default_rng(5)
    shared = np.repeat(rng.normal(size=30), 6)
    gap = shared + rng.normal(size=180)
    alone, together = (_made(gap, np.zeros(180), group) for group in (None, np.repeat(np.arange(30), 6)))
    widths = []
    for each in (alone, together):
        found = effect_sizes.effects(each, 0.95, _rng())[-1]
        assert found.low is not None
        assert found.high is not None
        widths.append(np.log(found.high / found.low))
    assert widths[1] > 1.4 * widths[0]


def test_mood_by_group_exchanges_whole_groups() -> None:
    a, b, group = [5.0, 6.0, 7.0, 1.0], [1.0, 2.0, 8.0, 3.0], [0, 0, 1, 1]
    # Above the common median of 4: a wins group 0 by 2, and ties group 1: exchanging gives ±2 in any case.
    assert paired.mood(_made(a, b, group), _rng()).p == 1.0


def test_equivalence_by_resamples_is_honest_where_differences_are_skew() -> None:
    rng = np.random.default_rng(6)
    false = {"t": 0, "bootstrap": 0}
    for _ in range(300):
        gap = rng.exponential(size=50) - 0.5  # the mean difference is the margin
        found = equivalence(_made(gap, np.zeros(50)), 0.5, _rng())
        false["t"] += found.p <= 0.05
        false["bootstrap"] += found.p_bootstrap <= 0.05
    assert false["bootstrap"] < false["t"]
    assert false["bootstrap"] <= 0.09 * 300
    assert effect_sizes.odds(5, 0, 0.95).value is None
    assert effect_sizes.odds(0, 0, 0.95).low is None


def test_equivalence_equals_two_t_tests(items: Differences) -> None:
    found = equivalence(items, 1.5, _rng())
    lower = stats.ttest_1samp(items.values, -1.5, alternative="greater").pvalue
    upper = stats.ttest_1samp(items.values, 1.5, alternative="less").pvalue
    assert found.p == pytest.approx(max(lower, upper), abs=1e-12)
    assert found.better + found.equal + found.worse == pytest.approx(1)
    assert equivalence(items, 100.0, _rng()).equal == 1.0


@pytest.mark.parametrize("grouped", [False, True])
def test_false_alarms_stay_rare(grouped: bool) -> None:
    rng = np.random.default_rng(1)
    alarms: dict[str, int] = {}
    for _ in range(500):
        effect = np.repeat(rng.normal(size=25), 4 if grouped else 1)
        values = effect + rng.normal(size=len(effect))
        group = np.repeat(np.arange(25), 4) if grouped else np.arange(25)
        data = _made(values, np.zeros(len(values)), group)
        for test in (
            paired.t_test(data),
            paired.wilcoxon(data, rng),
            paired.permutation(data, rng)[0],
            studentise(data, rng, 499).test(),
        ):
            alarms[test.name] = alarms.get(test.name, 0) + (test.p <= 0.05)
    # 5 % of 500, and three standard errors of it
    assert all(10 <= number <= 40 for number in alarms.values()), alarms


@pytest.mark.parametrize(
    ("wins", "ties", "losses"), [(12, 6, 4), (4, 6, 12), (12, 30, 4), (7, 0, 2), (5, 3, 5), (0, 4, 0)]
)
def test_all_ties_may_count_for_the_side_behind(wins: int, ties: int, losses: int) -> None:
    """The most cautious way: never below the other two, and 1 where ties could make both sides equal."""
    found = paired.sign_test(wins, ties, losses, how="against")
    behind = min(wins, losses) + ties
    ahead = max(wins, losses)
    expected = stats.binomtest(ahead, ahead + behind).pvalue if behind < ahead else 1.0
    assert found.p == pytest.approx(expected, abs=1e-12)
    others = [paired.sign_test(wins, ties, losses, how=how).p for how in ("drop", "split")]
    assert found.p >= max(others) - 1e-12
    assert paired.sign_mid_p(wins, ties, losses, how="against").p <= found.p + 1e-12
    assert found.note == (f"{ties} ties counted for the side behind" if ties else "no ties")
