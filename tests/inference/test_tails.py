"""Tails of distributions against `scipy.stats`."""

import numpy as np
import pytest
from scipy import stats

from betterthan.inference import tails


def test_binomial_tails() -> None:
    number, hits = np.meshgrid(np.arange(0, 60, 7), np.arange(-1, 62))
    for chance in (0.0, 0.01, 0.4, 0.5, 0.97, 1.0):
        expected = stats.binom.cdf(hits, number, chance)
        np.testing.assert_allclose(tails.binomial_up_to(hits, number, chance), expected, rtol=1e-11, atol=1e-300)
        expected = stats.binom.sf(hits - 1, number, chance)
        np.testing.assert_allclose(tails.binomial_from(hits, number, chance), expected, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("freedom", [1, 3.5, 40, 1e6, np.inf])
def test_students_t(freedom: float) -> None:
    values = np.array([0.0, 0.5, 2.0, 9.0])
    np.testing.assert_allclose(tails.t_above(values, freedom), stats.t.sf(values, freedom), rtol=1e-10)
    assert tails.t_quantile(0.975, freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-10)
