"""The mean over tasks, beside SciPy, statsmodels and numbers by hand, and how often it gives false alarms."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from betterthan.inference.intervals.task_mean import Heterogeneity, TaskMean, heterogeneity, overall

MEANS = [0.72, -0.11, 1.01, 0.64, 0.70, -0.39]
VARIANCES = [0.03, 0.05, 0.04, 0.033, 0.024, 0.037]


def _tasks(means: list[float], variances: list[float], freedom: float = 59) -> list[TaskMean]:
    return [TaskMean(mean, variance, freedom) for mean, variance in zip(means, variances, strict=True)]


def test_heterogeneity_by_hand() -> None:
    # Weights 1/0.25 = 4 and 1/1 = 1: weighted mean (4·1 + 1·6)/5 = 2, Q = 4·1 + 1·16 = 20, I² = 19/20.
    found = heterogeneity(_tasks([1.0, 6.0], [0.25, 1.0]))
    assert isinstance(found, Heterogeneity)
    assert (found.q, found.df, found.i_squared) == pytest.approx((20.0, 1, 0.95))
    assert found.p == pytest.approx(2 * stats.norm.sf(20**0.5))


@pytest.mark.parametrize("means", [MEANS, [0.30, 0.32, 0.28, 0.31, 0.29, 0.30]])
def test_heterogeneity_is_that_of_statsmodels(means: list[float]) -> None:
    found = heterogeneity(_tasks(means, VARIANCES))
    expected = combine_effects(np.array(means), np.array(VARIANCES))
    assert found is not None
    assert (found.q, found.df) == pytest.approx((expected.q, expected.df))
    assert found.i_squared == pytest.approx(max(0.0, expected.i2))
    assert found.p == pytest.approx(expected.test_homogeneity().pvalue)


@pytest.mark.parametrize("variance", [0.0, np.nan])
def test_a_task_without_a_known_error_has_no_weight(variance: float) -> None:
    assert heterogeneity(_tasks([0.1, 0.2], [0.01, variance])) is None


def test_equal_tasks_are_homogeneous() -> None:
    assert heterogeneity(_tasks([0.2, 0.2], [0.01, 0.02])) == Heterogeneity(0.0, 1, 1.0, 0.0)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_random_tasks_are_a_t_test_over_tasks(level: float) -> None:
    difference, p = overall(_tasks(MEANS, VARIANCES), level, random=True)
    expected = stats.ttest_1samp(MEANS, 0.0)
    assert p == pytest.approx(expected.pvalue)
    assert (difference.low, difference.high) == pytest.approx(tuple(expected.confidence_interval(level)))


def test_random_tasks_by_hand() -> None:
    # Means 0 and 2: variance 2, error (2/2)^½ = 1, and t with 1 degree of freedom is 12.706.
    difference, p = overall(_tasks([0.0, 2.0], [0.01, 0.01]), 0.95, random=True)
    assert (difference.value, difference.low, difference.high) == pytest.approx((1, -11.706, 13.706), abs=5e-4)
    assert p == pytest.approx(0.5)


@pytest.mark.parametrize("freedom", [2.0, 59.0])
@pytest.mark.parametrize("means", [MEANS, [0.300, 0.301, 0.299, 0.300, 0.300, 0.300]])
def test_random_tasks_are_never_surer_than_these_tasks(means: list[float], freedom: float) -> None:
    tasks = _tasks(means, VARIANCES, freedom)
    (fixed, p_fixed), (wide, p_wide) = overall(tasks, 0.95), overall(tasks, 0.95, random=True)
    assert fixed.low is not None
    assert wide.low is not None
    assert p_fixed is not None
    assert p_wide is not None
    assert wide.low <= fixed.low
    assert p_wide >= p_fixed
    assert wide.value == fixed.value


def test_equal_means_of_two_tasks_do_not_make_their_error_that_of_items() -> None:
    """Two tasks that agree by chance say little about others: the error is that of items, with t of 1 degree."""
    difference, p = overall(_tasks([0.4, 0.4], [0.02, 0.02]), 0.95, random=True)
    assert difference.high == pytest.approx(0.4 + stats.t.ppf(0.975, 1) * 0.1)
    assert p == pytest.approx(2 * stats.t.sf(4, 1))


def test_one_item_per_task_is_enough_for_random_tasks() -> None:
    tasks = _tasks(MEANS, [np.nan] * 6, 0)
    assert overall(tasks, 0.95)[1] is None
    assert overall(tasks, 0.95, random=True)[1] == pytest.approx(stats.ttest_1samp(MEANS, 0.0).pvalue)


def test_nothing_is_said_where_nothing_varies() -> None:
    for random in (False, True):
        difference, p = overall(_tasks([0.1 + 0.2, 0.3], [0.0, 0.0]), 0.95, random=random)
        assert (difference.low, difference.high, p) == (None, None, None)


@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_false_alarms_about_other_tasks(spread: float) -> None:
    """Tasks with differences of their own, 0 on average: of 6 such tasks, the mean is not that of all tasks."""
    rng = np.random.default_rng(7)
    runs, alarms = 2_000, {False: 0, True: 0}
    for _ in range(runs):
        items = rng.normal(rng.normal(0, spread, (6, 1)), 1.0, (6, 50))
        tasks = [TaskMean(float(row.mean()), float(row.var(ddof=1)) / 50, 49) for row in items]
        for random in alarms:
            p = overall(tasks, 0.95, random=random)[1]
            assert p is not None
            alarms[random] += p <= 0.05
    assert alarms[True] / runs <= 0.06
    if spread:
        assert alarms[False] / runs > 0.3
    else:
        assert alarms[False] / runs == pytest.approx(0.05, abs=0.015)
