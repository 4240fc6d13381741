"""Intervals of shares: by hand, against SciPy, and how often they hold the truth."""

import numpy as np
import pytest
from scipy import stats

from betterthan.inference.intervals import share_intervals


@pytest.mark.parametrize(("right", "number"), [(0, 12), (1, 15), (14, 15), (29, 30), (50, 50), (37, 80)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_equals_scipy(right: int, number: int, level: float) -> None:
    wanted = stats.binomtest(right, number).proportion_ci(level, method="wilson")
    assert [float(end) for end in share_intervals.wilson(right / number, number, level)] == pytest.approx(
        [wanted.low, wanted.high], abs=1e-12
    )


def test_wilson_takes_many_shares_at_once_and_students_quantile() -> None:
    low, high = share_intervals.wilson([0.0, 0.5, 1.0], [10, 10, 10], 0.95, freedom=4)
    t = stats.t.ppf(0.975, 4)
    assert (low[0], high[2]) == (0.0, 1.0)
    assert [high[0], low[2]] == pytest.approx([t**2 / (10 + t**2), 10 / (10 + t**2)])
    # At its ends the score test is just significant.
    assert abs(high[1] - 0.5) / np.sqrt(high[1] * (1 - high[1]) / 10) == pytest.approx(t)


@pytest.mark.parametrize(("right", "number"), [(0, 7), (1, 7), (9, 10), (10, 10), (33, 80)])
def test_mid_p_counts_the_observed_number_half(right: int, number: int) -> None:
    low, high = share_intervals.mid_p(right / number, number, 0.9)
    own = [stats.binom.pmf(right, number, chance) / 2 for chance in (low, high)]
    if right:
        assert stats.binom.sf(right, number, low) + own[0] == pytest.approx(0.05)
    if right < number:
        assert stats.binom.cdf(right - 1, number, high) + own[1] == pytest.approx(0.05)
    assert (low == 0, high == 1) == (right == 0, right == number)


def test_mid_p_of_a_broken_number_lies_between_its_neighbours() -> None:
    ends = [share_intervals.mid_p(0.8, number, 0.95) for number in (10, 12.5, 15)]
    assert ends[0][0] < ends[1][0] < ends[2][0]
    assert ends[0][1] > ends[1][1] > ends[2][1]


def test_the_effective_number_by_hand() -> None:
    ratio = (stats.t.ppf(0.975, 199) / stats.t.ppf(0.975, 19)) ** 2
    assert float(share_intervals.effective_number(0.9, 0.002, 200, 20)) == pytest.approx(0.09 / 0.002 * ratio)
    assert share_intervals.effective_number([0.9, 1.0, 0.0, 0.5], [1e-9, 0.0, 0.0, 0.3], 200, 20).tolist() == [
        200,
        20,
        20,
        1,
    ]
    # Independent items: the usual variance of a share gives the number itself.
    assert float(share_intervals.effective_number(0.3, 0.3 * 0.7 / 50, 50, 50)) == pytest.approx(50)


@pytest.mark.parametrize(("number", "share"), [(15, 0.95), (30, 0.98), (50, 0.98)])
def test_wilson_holds_accuracies_near_one(number: int, share: float) -> None:
    right = np.arange(number + 1)
    low, high = share_intervals.wilson(right / number, number, 0.95)
    # Added up over all outcomes: no simulation is needed.
    assert stats.binom.pmf(right, number, share)[(low <= share) & (share <= high)].sum() >= 0.92


@pytest.mark.parametrize(("groups", "size", "share"), [(10, 5, 0.9), (20, 5, 0.95), (40, 5, 0.98), (15, 20, 0.7)])
@pytest.mark.parametrize("together", [0.0, 0.3, 0.9])
def test_groups_hold_the_truth_by_their_effective_number(groups: int, size: int, share: float, together: float) -> None:
    rng = np.random.default_rng(3)
    runs = 2000
    # In a share of the cases an item answers like its group.
    leader = rng.random((runs, groups, 1)) < share
    own = rng.random((runs, groups, size)) < share
    right = np.where(rng.random((runs, groups, size)) < together, leader, own).sum(axis=2)
    found = right.sum(axis=1) / (groups * size)
    squares = np.sum((right - found[:, None] * size) ** 2, axis=1)
    variance = squares * groups / (groups - 1) / (groups * size) ** 2
    low, high = share_intervals.wilson(
        found, share_intervals.effective_number(found, variance, groups * size, groups), 0.95
    )
    assert np.mean((low <= share) & (share <= high)) >= 0.92
