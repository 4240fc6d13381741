"""BCa intervals against Efron's formula, worked out by hand, and against SciPy's own."""

import numpy as np
import pytest
from scipy import stats

from betterthan.inference.intervals.draw_intervals import bias_corrected

#: Draws as regular as they can be: the quantiles of a standard normal distribution.
GRID = stats.norm.ppf((np.arange(20_001) + 0.5) / 20_001)[:, None]
Z = 1.959964
#: Estimates without each of four blocks; their skewness gives an acceleration of −10.125 / (6 · 6.75^1.5).
SKEW = np.array([[3.0], [0.0], [0.0], [0.0]])
ACCELERATION = -10.125 / (6 * 6.75**1.5)


def _ends(estimate: float, left_out: np.ndarray) -> list[float]:
    return bias_corrected(GRID, np.array([estimate]), left_out, 0.95)[:, 0].tolist()


def test_acceleration_moves_both_ends_to_the_same_side() -> None:
    assert _ends(0.0, SKEW) == pytest.approx([-Z / (1 + ACCELERATION * Z), Z / (1 - ACCELERATION * Z)], abs=2e-3)
    assert _ends(0.0, -SKEW) == pytest.approx([-Z / (1 - ACCELERATION * Z), Z / (1 + ACCELERATION * Z)], abs=2e-3)


def test_without_skewness_there_is_no_acceleration() -> None:
    for left_out in (np.array([[-1.0], [0.0], [1.0]]), np.ones((3, 1))):
        assert _ends(0.0, left_out) == pytest.approx([-Z, Z], abs=2e-3)


def test_bias_counts_twice() -> None:
    assert _ends(0.25, np.ones((3, 1))) == pytest.approx([0.5 - Z, 0.5 + Z], abs=2e-3)


def test_bias_and_acceleration_together() -> None:
    low, high = 0.25 - Z, 0.25 + Z
    expected = [0.25 + low / (1 - ACCELERATION * low), 0.25 + high / (1 - ACCELERATION * high)]
    assert _ends(0.25, SKEW) == pytest.approx(expected, abs=2e-3)


def test_scipy_finds_the_same_ends() -> None:
    values = np.random.default_rng(0).exponential(size=25)
    theirs = stats.bootstrap(
        (values,), np.mean, method="BCa", n_resamples=4999, rng=np.random.default_rng(1), confidence_level=0.9
    )
    left_out = (values.sum() - values)[:, None] / 24
    draws = theirs.bootstrap_distribution[:, None]
    ends = bias_corrected(draws, np.array([values.mean()]), left_out, 0.9)[:, 0]
    assert ends == pytest.approx(list(theirs.confidence_interval), rel=2e-3)
