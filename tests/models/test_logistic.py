"""Logistic chances and totals of worths against scipy.special."""

import numpy as np
import pytest
from scipy import special

from betterthan.models import links

ULP = 2.3e-16


def test_logistic_chances_are_scipy_s() -> None:
    gap = np.concatenate([np.random.default_rng(0).normal(0, scale, 1000) for scale in (1e-9, 0.1, 1, 10, 400)])
    assert links.logistic(gap) == pytest.approx(special.expit(gap), rel=2 * ULP, abs=0)


def test_logistic_chances_have_tails() -> None:
    # NumPy's exponential differs from SciPy's in the last bit on some processors.
    expected = pytest.approx([0.0, special.expit(-40.0), 1.0, 1.0], rel=2 * ULP, abs=0)
    assert links.logistic(np.array([-800.0, -40.0, 40.0, 800.0])).tolist() == expected


@pytest.mark.parametrize("size", [1, 2, 7, 300])
def test_totals_are_scipy_s(size: int) -> None:
    strength = np.random.default_rng(size).normal(0, 5, (200, size))
    strength[::3] = np.round(strength[::3])  # several are the largest
    expected = special.logsumexp(strength, axis=-1, keepdims=True)
    assert links.log_total(strength) == pytest.approx(expected, rel=4 * ULP, abs=4 * ULP)


def test_totals_of_huge_strengths_are_finite() -> None:
    assert links.log_total(np.array([1000.0, 1000.0, -1000.0])).tolist() == pytest.approx([1000 + np.log(2)], rel=ULP)
