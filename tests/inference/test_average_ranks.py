"""Average ranks, Friedman's test and the studentised range against SciPy."""

import numpy as np
import pytest
from scipy import stats

from betterthan.inference import omnibus_tests
from betterthan.inference.tests.average_ranks import average_ranks, studentised_range


@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_ranks_are_scipy_s(levels: int) -> None:
    values = np.random.default_rng(levels).integers(0, levels, (60, 7)).astype(float)
    np.testing.assert_array_equal(average_ranks(values), stats.rankdata(values, axis=1))


@pytest.mark.parametrize("levels", [2, 4, 1000])
@pytest.mark.parametrize("systems", [3, 8])
def test_friedman_is_scipy_s(levels: int, systems: int) -> None:
    values = np.random.default_rng(levels).integers(0, levels, (40, systems)).astype(float)
    expected = stats.friedmanchisquare(*values.T)
    found = omnibus_tests.friedman(values)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-10)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("systems", [2, 3, 10, 50, 500])
def test_the_range_is_scipy_s(level: float, systems: int) -> None:
    assert studentised_range(level, systems) == pytest.approx(
        stats.studentized_range.ppf(level, systems, np.inf), rel=1e-6
    )
