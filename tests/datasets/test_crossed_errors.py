"""The error with two crossed units: few judges, no judges' effects at all, and runs that belong to one system."""

import numpy as np
import pytest
from scipy import stats

import betterthan as bt
from betterthan.datasets import ScoreMatrix, data_sets, unit_draws
from betterthan.datasets.units.crossed_variance import between_units, nested_squares
from betterthan.datasets.units.units import RowWeights
from betterthan.inference import ByJudge, EstimateErrors


def _parts(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the variances of the mean of samples × items × judges, by items, judges and cells."""
    _, items, judges = scores.shape
    away = (scores - scores.mean(axis=(1, 2), keepdims=True)) / (items * judges)
    by_item = np.sum(away.sum(axis=2) ** 2, axis=1) * items / (items - 1)
    by_judge = np.sum(away.sum(axis=1) ** 2, axis=1) * judges / (judges - 1)
    return by_item, by_judge, np.sum(away**2, axis=(1, 2)) * items * judges / (items * judges - 1)


@pytest.mark.parametrize("judges", [2, 3, 5])
@pytest.mark.parametrize("taste", [0.0, 0.2, 1.0])
def test_few_judges_have_intervals_that_hold(judges: int, taste: float) -> None:
    rng, samples, items = np.random.default_rng(9), 4000, 15
    scores = (
        0.3 * rng.normal(size=(samples, items, 1))
        + taste * rng.normal(size=(samples, 1, judges))
        + rng.normal(size=(samples, items, judges))
    )
    found = EstimateErrors.crossed(*_parts(scores), np.array(items - 1.0), np.array(judges - 1.0))
    mean = scores.mean(axis=(1, 2))
    p = found.p(mean)
    np.testing.assert_array_equal(np.abs(mean) > found.reach(0.95), p < 0.05)
    # 4,000 samples: three standard errors above 5.6, 2 and 0.65 %
    assert np.mean(p < 0.05) <= 0.067
    assert np.mean(p < 0.05 / 3) <= 0.027
    assert np.mean(p < 0.005) <= 0.0104


def test_judges_who_differ_much_leave_their_own_test_its_power() -> None:
    """Where judges are all that varies, theirs is the best test: three judges are not taken for fewer."""
    rng, samples, items, judges = np.random.default_rng(8), 4000, 30, 4
    scores = 0.5 + 0.4 * rng.normal(size=(samples, 1, judges)) + 0.5 * rng.normal(size=(samples, items, judges))
    p = EstimateErrors.crossed(*_parts(scores), np.array(items - 1.0), np.array(judges - 1.0)).p(
        scores.mean(axis=(1, 2))
    )
    best = stats.ttest_1samp(scores.mean(axis=1), 0.0, axis=1).pvalue
    assert np.mean(p <= 0.05) >= np.mean(best <= 0.05) - 0.02


def test_judges_who_do_not_differ_take_nothing_away() -> None:
    """By chance judges may differ less than their ratings do, which is no reason for a smaller error."""
    many, common = np.array([2.0, 0.5, 3.0]), np.array([1.0, 1.0, 0.0])
    found = EstimateErrors.crossed(many, np.zeros(3), common, np.array(19.0), np.array(4.0))
    assert found.variances[0].tolist() == [2.0, 1.0, 3.0]
    assert found.freedom[0][[0, 2]].tolist() == [19.0, 19.0]


def test_no_variance_has_less_than_one_degree_of_freedom() -> None:
    one = np.array([1.0])
    found = EstimateErrors.crossed(one, one, one, np.array([1.0]), np.array([1.0]))
    assert found.freedom[0][0] == 1.0
    nothing = EstimateErrors.crossed(0 * one, 0 * one, 0 * one, np.array([3.0]), np.array([2.0]))
    assert nothing.freedom[0][0] == 2.0


def test_the_most_cautious_error_counts() -> None:
    errors = EstimateErrors((np.array([1.0]), np.array([0.4])), (np.array([100.0]), np.array([2.0])))
    for gap in (0.5, 3.0, 8.0):
        each = [2 * stats.t.sf(gap / np.sqrt(variance), freedom) for variance, freedom in ((1.0, 100), (0.4, 2))]
        assert errors.p(np.array([gap]))[0] == pytest.approx(max(each))
    for level in (0.5, 0.95, 0.99):
        each = [np.sqrt(v) * stats.t.ppf((1 + level) / 2, freedom) for v, freedom in ((1.0, 100), (0.4, 2))]
        assert errors.reach(level)[0] == pytest.approx(max(each))
    assert errors.widest(0.5)[1].tolist() == [100.0]
    assert errors.widest(0.99)[1].tolist() == [2.0]


def test_runs_are_drawn_within_their_system() -> None:
    parent = np.array([0, 0, 0, 1, 1, 2, 1])
    weights = unit_draws.draw_nested(np.random.default_rng(0), parent, 4000)
    for system, number in enumerate(np.bincount(parent)):
        own = weights[parent == system]
        assert np.all(own.sum(axis=0) == number)
        np.testing.assert_allclose(own.var(axis=1), 1 - 1 / number, atol=0.08)  # as of a multinomial


def test_runs_have_welchs_error_where_items_do_not_matter() -> None:
    """Every run adds the same to all items, so only runs vary: a two-sample problem."""
    rng, items = np.random.default_rng(3), 200
    effect = {"owl": rng.normal(size=4), "yak": 1 + 2 * rng.normal(size=3)}
    hard = rng.normal(size=items)
    rows = [
        {"item": f"i{item:03d}", "system": system, "run": f"r{run}", "score": float(hard[item] + added)}
        for item in range(items)
        for system, runs in effect.items()
        for run, added in enumerate(runs)
    ]
    scores = data_sets(bt.read_scores(rows, repeat="run")).only("a test").statistic(ScoreMatrix)
    assert scores is not None
    assert scores.ratings is not None
    error, freedom = ByJudge.of(scores.ratings, (0, 1), np.ones(items, dtype=bool), 0.0).error()
    welch = stats.ttest_ind(effect["owl"], effect["yak"], equal_var=False)
    squared = sum(each.var(ddof=1) / len(each) for each in effect.values())
    assert error**2 == pytest.approx(squared, rel=1e-9)
    assert freedom == pytest.approx(welch.df, rel=0.02)


@pytest.mark.parametrize("unit", ["judge", "item"])
def test_heavy_units_count_as_the_number_of_equal_ones_that_say_as_much(unit: str) -> None:
    sizes = np.array([60, 20, 10, 5, 5])
    name = np.repeat([f"u{place}" for place in range(5)], sizes)
    votes = {
        "left": ["owl"] * 100,
        "right": ["yak"] * 100,
        "winner": np.where(np.arange(100) % 3, "a", "b"),
        unit: name,
    }
    units = data_sets(votes, unit=unit).sets[0].pairs().units
    assert units.size == 5
    assert units.effective == pytest.approx(100**2 / (60**2 + 20**2 + 10**2 + 5**2 + 5**2))
    assert (
        bt.rank(bt.read_judgments(votes), unit=unit, resamples=50).board.draws.numbers[0].effective == units.effective
    )


def test_squares_of_runs_are_their_covariances_within_systems() -> None:
    gradients, parent = np.random.default_rng(5).normal(size=(9, 2)) + 4, np.array([0, 0, 1, 1, 1, 1, 2, 0, 3])
    expected = sum(len(own) * np.cov(own.T) for own in (gradients[parent == one] for one in (0, 1)))
    np.testing.assert_allclose(nested_squares(gradients, parent), expected)  # a single run says nothing


@pytest.mark.parametrize(("runs", "effective"), [((3, 3), 3.0), ((2, 6), 3.0), ((1, 4), 4.0), ((1, 1), 1.0)])
def test_runs_count_by_system(runs: tuple[int, int], effective: float) -> None:
    """Variances are those of systems, so their mean number of runs counts, not the number of all runs."""
    parent = np.repeat([0, 1], runs)
    units = RowWeights("run", (np.arange(len(parent)),), (len(parent),), len(parent), parent)
    assert units.effective == pytest.approx(effective)


def test_of_items_and_judges_the_scarcer_are_uncertain() -> None:
    """Three items and twenty judges have the error of twenty items and three judges whose ratings are the same."""
    rng = np.random.default_rng(6)
    gap = rng.normal(size=(3, 1)) + rng.normal(size=(3, 20))
    gap -= gap.mean()
    few, many = (place.ravel() for place in np.indices(gap.shape))
    share = np.full(gap.size, 1 / 20)
    one = ByJudge(gap.ravel() / 20, share, few, many).error()
    other = ByJudge(gap.ravel() / 3, np.full(gap.size, 1 / 3), many, few).error()
    assert one == pytest.approx(other)
    assert one[1] < 3


def test_a_single_unit_varies_as_those_of_the_other_parent_do() -> None:
    """Two units that deviate by ±.1 vary by .04 together; one alone, which counts twice as much, by .08."""
    sums, parent = np.array([0.1, -0.1, 0.0]), np.array([0, 0, 1])
    variance, freedom = between_units(sums, np.ones(3), parent)
    assert (variance, freedom) == (pytest.approx(0.12), pytest.approx(0.12**2 / (0.04**2 + 0.08**2)))
    assert between_units(np.array([0.1, -0.1]), np.ones(2), np.array([0, 1]))[0] == 0.0
