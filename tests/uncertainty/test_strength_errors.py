"""Errors of strengths against formulas of two samples, and intervals with every system's own degrees of freedom."""

import numpy as np
import pytest
from scipy import stats

from betterthan.uncertainty.draws import Draws, StrengthErrors

FIRST, SECOND = np.array([0]), np.array([1])


def _diagonal(*variances: float) -> np.ndarray:
    return np.diag(np.array(variances))


@pytest.mark.parametrize("spread", [(1.0, 1.0), (1.0, 3.0), (0.2, 5.0)])
def test_runs_of_two_systems_have_welchs_degrees_of_freedom(spread: tuple[float, float]) -> None:
    """Five runs each, and items that do not vary: only the variances between runs are uncertain."""
    rng = np.random.default_rng(1)
    one, two = (scale * rng.normal(size=5) for scale in spread)
    of_runs = _diagonal(one.var(ddof=1) / 5, two.var(ddof=1) / 5)
    nothing = np.zeros((2, 2))
    errors = StrengthErrors((nothing, of_runs, nothing), (1000.0, 4.0), (False, True))
    gap = np.array([one.mean() - two.mean()])
    found, welch = errors.differences(FIRST, SECOND), stats.ttest_ind(one, two, equal_var=False)
    assert found.p(gap)[0] == pytest.approx(welch.pvalue)
    assert found.reach(0.9)[0] == pytest.approx(np.ptp(welch.confidence_interval(0.9)) / 2)


def test_a_system_without_variation_has_the_degrees_of_freedom_of_the_other() -> None:
    errors = StrengthErrors((np.zeros((3, 3)), _diagonal(0.0, 2.0, 0.0), np.zeros((3, 3))), (50.0, 4.0), (False, True))
    _, freedom = errors.differences(np.array([0, 0]), np.array([1, 2])).widest(0.95)
    assert freedom.tolist() == [4.0, 4.0]


def test_the_order_of_crossed_units_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    many, few, common = (scale * rng.normal(size=(2, 4000)) for scale in (1.0, 2.0, 0.5))
    one = StrengthErrors.of_two((many, few), common, (30.0, 2.0), (False, True))
    other = StrengthErrors.of_two((few, many), common, (2.0, 30.0), (True, False))
    gap = np.array([3.0])
    found, turned = one.differences(FIRST, SECOND), other.differences(FIRST, SECOND)
    np.testing.assert_allclose(found.p(gap), turned.p(gap), rtol=1e-12)
    np.testing.assert_allclose(found.reach(0.95), turned.reach(0.95), rtol=1e-12)


def test_intervals_reach_as_far_as_students_t_with_a_systems_own_degrees_of_freedom() -> None:
    """The first system varies between three judges, the second between forty items."""
    freedom, usual, level = (39.0, 2.0), 7.0, 0.9
    errors = StrengthErrors((_diagonal(0.1, 4.0), _diagonal(3.0, 0.0), np.zeros((2, 2))), freedom, (False, False))
    variance, own = errors.singles.widest(0.95)
    assert 2 <= own[0] < 2.2
    assert own[1] == 39
    rng = np.random.default_rng(3)
    centre, number = np.array([1.0, -2.0]), 200_000
    stretch = np.sqrt(usual / rng.chisquare(usual, number))
    drawn = centre + np.sqrt(variance) * rng.normal(size=(number, 2)) * stretch[:, None]
    draws = Draws(drawn, "bootstrap", "item+judge", 3, np.zeros(2, dtype=bool), errors, stretch, usual, ())
    ends = np.quantile(draws.for_intervals(centre, level), [0.05, 0.95], axis=0)
    expected = errors.singles.reach(level)
    np.testing.assert_allclose(ends - centre, [-expected, expected], rtol=0.02)


def test_draws_with_the_usual_degrees_of_freedom_stay_as_they_are() -> None:
    drawn = np.random.default_rng(4).normal(size=(50, 2))
    draws = Draws.plain(drawn, np.zeros(2), method="bootstrap", unit="item", units=9, freedom=8.0)
    assert draws.for_intervals(np.zeros(2), 0.95) is draws.strength
