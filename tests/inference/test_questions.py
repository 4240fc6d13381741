"""Flips, Walsh averages, right and wrong answers, studentised resamples: against brute force and known figures."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from betterthan.inference import effect_sizes, mcnemar, paired_tests, questions, sign_flips
from betterthan.inference.intervals.hodges_lehmann import hodges_lehmann
from betterthan.inference.intervals.studentised import studentise
from betterthan.inference.tests.equivalence import equivalence
from betterthan.inference.tests.paired_tests import Differences


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def _made(a: Any, b: Any, group: Any = None) -> Differences:
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return Differences(a, b, np.arange(len(a)) if group is None else np.asarray(group))


def _flipped(units: Any) -> tuple[float, float]:
    """Return p and mid-p by trying all signs."""
    sums = np.abs([np.dot(signs, units) for signs in product((1, -1), repeat=len(units))])
    reach = abs(np.sum(units))
    larger, equal = np.mean(sums > reach + 1e-9), np.mean(np.abs(sums - reach) <= 1e-9)
    return float(larger + equal), float(larger + equal / 2)


@pytest.mark.parametrize("units", [[3, 2, 1, 4, 1, -2], [1, 1, 1], [2, 0, 1, 0, 1, 1, 1], [1.5, -0.4, 2.2, 0.3]])
def test_flips_count_every_assignment(units: Any) -> None:
    found = sign_flips.flip(np.array(units, dtype=float), _rng())
    p, mid = _flipped(units)
    assert (found.p, found.how) == (pytest.approx(p), "exact")
    assert found.mid_p is None if units[0] == 1.5 else found.mid_p == pytest.approx(mid)


def test_random_flips_are_not_called_exact() -> None:
    found = sign_flips.flip(_rng().normal(size=21), _rng())
    assert (found.how, found.mid_p) == ("9,999 random flips", None)
    assert paired_tests.permutation(_made(_rng().normal(size=30), np.zeros(30)), _rng())[0].note == "9,999 random flips"


def test_the_interval_of_flips_holds_what_the_test_does_not_refuse() -> None:
    sums, sizes = np.array([3.1, 2.0, -0.7, 4.4, 1.2, 2.9, 0.5, 1.9]), np.array([3.0, 2, 4, 3, 1, 2, 5, 3])
    low, high = sign_flips.flip_interval(sums, sizes, 0.95, _rng(), mid=False)
    for inside, outside in ((low + 1e-6, low - 1e-6), (high - 1e-6, high + 1e-6)):
        assert _flipped(sums - inside * sizes)[0] > 0.05
        assert _flipped(sums - outside * sizes)[0] <= 0.05
    assert sign_flips.flip_interval(sums[:5], sizes[:5], 0.95, _rng(), mid=False) == (-np.inf, np.inf)


@pytest.mark.parametrize("groups", [6, 9, 12, 30])
def test_the_interval_of_flips_agrees_with_mid_p(groups: int) -> None:
    rng = _rng(4)
    for _ in range(40 if groups < 30 else 10):
        sums, sizes = rng.integers(-2, 4, groups).astype(float), np.full(groups, 5.0)
        found = sign_flips.flip(sums, _rng())
        low, high = sign_flips.flip_interval(sums, sizes, 0.95, _rng(), mid=found.mid_p is not None)
        p = found.p if found.mid_p is None else found.mid_p
        assert (p <= 0.05) == (low > 1e-9 or high < -1e-9)


def test_bonett_and_price_by_hand() -> None:
    won, lost = 6 / 32, 2 / 32
    error = np.sqrt((won + lost - (won - lost) ** 2) / 32)
    assert mcnemar.bonett_price_interval(5, 1, 30, 0.95) == pytest.approx(
        (won - lost - 1.959964 * error, won - lost + 1.959964 * error), abs=1e-6
    )
    assert mcnemar.bonett_price_interval(30, 0, 30, 0.999)[1] == 1.0


@pytest.mark.parametrize("digits", [0, 3])
@pytest.mark.parametrize("number", [6, 20, 49, 70])
def test_hodges_and_lehmann_take_walsh_averages(number: int, digits: int) -> None:
    values = np.round(_rng(number).normal(0.3, 1, number), digits)
    first, second = np.triu_indices(number)
    averages = np.sort((values[first] + values[second]) / 2)
    middle, low, high = hodges_lehmann(_made(values, np.zeros(number)), 0.95)
    assert middle == pytest.approx(np.median(averages))
    # R's qsignrank(0.025, n), of which wilcox.test takes the average in this place.
    rank = {6: 1, 20: 53, 49: 416}.get(
        number, int(number * (number + 1) / 4 - 1.959964 * np.sqrt(number * (number + 1) * (2 * number + 1) / 24))
    )
    assert (low, high) == pytest.approx((averages[rank - 1], averages[-rank]))


def test_the_typical_interval_agrees_with_wilcoxon_without_ties() -> None:
    rng = _rng(8)
    for _ in range(60):
        made = _made(rng.normal(0.6, 1, 14), np.zeros(14))
        _, low, high = hodges_lehmann(made, 0.95)
        assert (paired_tests.wilcoxon(made, rng).p <= 0.05) == (low > 0 or high < 0)


def test_the_typical_interval_of_groups_is_wider() -> None:
    shared = np.repeat(_rng(3).normal(size=25), 6)
    values = shared + _rng(4).normal(0, 0.3, 150)
    widths = []
    for group in (None, np.repeat(np.arange(25), 6)):
        _, low, high = hodges_lehmann(_made(values, np.zeros(150), group), 0.95)
        widths.append(high - low)
    assert widths[1] > 2 * widths[0]


@pytest.mark.parametrize("shape", ["exponential", "normal"])
def test_resamples_have_a_p_that_agrees_with_their_interval(shape: str) -> None:
    rng = _rng(2)
    for _ in range(40):
        values = getattr(rng, shape)(size=25) - (0.6 if shape == "exponential" else 0.4)
        drawn = studentise(_made(values, np.zeros(25)), rng, 999)
        low, high = drawn.interval(0.95)
        assert (drawn.p() <= 0.05) == (low > 0 or high < 0)
        assert drawn.p() >= paired_tests.t_test(_made(values, np.zeros(25))).p - 1e-12


@pytest.mark.parametrize("number", [2, 3, 20, 60])
def test_no_difference_on_any_item_bounds_how_often_there_is_one(number: int) -> None:
    share = 1 - 0.025 ** (1 / number)
    right = np.ones(number)
    assert questions.bounds(_made(right, right), 0.95, 1.0) == pytest.approx((-share, share))
    mean, _, won = questions.answered(_made(right, right), 0.95, 0)
    assert (mean.low, mean.high) == pytest.approx((-share, share))
    assert (won.low, won.high) == pytest.approx((0.5 - share / 2, 0.5 + share / 2))
    # Scores from 1 to 4: a difference may be as large as 3. With one score alone, nothing is known of differences.
    graded = np.r_[4.0, np.ones(number - 1)]
    assert questions.answered(_made(graded, graded), 0.95, 0)[0].high == pytest.approx(3 * share)
    assert questions.answered(_made(right * 5, right * 5), 0.95, 0)[0].low is None
    in_pairs = _made(np.ones(2 * number), np.ones(2 * number), np.repeat(np.arange(number), 2))
    assert questions.answered(in_pairs, 0.95, 0)[0].high == pytest.approx(share)


def test_equality_of_identical_scores_rests_on_how_many_there_are() -> None:
    right = np.r_[0.0, np.ones(19)]
    assert equivalence(_made(right, right), 0.02, _rng()).p == pytest.approx(0.98**20)
    many = np.r_[0.0, np.ones(299)]
    assert equivalence(_made(many, many), 0.02, _rng()).p == pytest.approx(0.98**300)
    assert equivalence(_made(right, right), 2.0, _rng()).p > 0
    assert equivalence(_made(np.ones(20), np.ones(20)), None, _rng()).p == 1.0


@pytest.mark.parametrize("number", [2, 3, 6, 30])
def test_a_constant_difference_is_as_rare_as_equal_signs(number: int) -> None:
    base = _rng().normal(size=number)
    made = _made(base + 0.1, base)
    assert paired_tests.t_test(made).p == pytest.approx(2.0 ** (1 - number))
    assert questions.answered(made, 0.95, 0)[0].low is None
    assert equivalence(made, 0.5, _rng()).p > 0


def test_chances_never_underflow_to_nothing() -> None:
    values = 1 + _rng().normal(0, 0.01, 5000)
    assert 0 < paired_tests.t_test(_made(values, np.zeros(5000))).p < 1e-300


def test_groups_count_as_the_items_they_are_worth() -> None:
    rng = _rng(6)
    covered, sure, runs = 0, 0, 400
    group = np.repeat(np.arange(20), 8)
    for _ in range(runs):
        gap = np.repeat(rng.normal(size=20), 8) + 0.5 * rng.normal(size=160)  # won as often as lost
        made = _made(gap, np.zeros(160), group)
        wins, losses = int(np.sum(gap > 0)), int(np.sum(gap < 0))
        found = effect_sizes.odds(wins, losses, 0.95, effect_sizes.effective_decided(made, 0.95))
        covered += (found.low or 0.0) <= 1 <= (found.high or np.inf)
        shares = equivalence(made, 0.0, rng, studentise(made, rng, 19))
        sure += max(shares.better, shares.worse) >= 0.95
    assert covered >= 0.93 * runs
    assert sure <= 0.12 * runs  # one in twenty on either side


def test_the_share_won_has_the_same_odds_where_nothing_is_grouped() -> None:
    made = _made([1.0] * 9 + [0.0] * 3, [0.0] * 9 + [1.0] * 3)
    assert effect_sizes.effective_decided(made, 0.95) == 12
    won = questions.answered(made, 0.95, 0)[2]
    found = effect_sizes.odds(9, 3, 0.95)
    assert won.low == pytest.approx(found.low / (1 + found.low))
    own = stats.binom.pmf(9, 12, won.low) / 2
    assert stats.binom.sf(9, 12, won.low) + own == pytest.approx(0.025)
