"""Student's t and normal deviates beside SciPy's."""

import numpy as np
import pytest
from scipy import special

from betterthan.inference import student

FREEDOM = np.array([1, 1.5, 2, 3.7, 8, 30, 200, 5000, 1e6, np.inf])


@pytest.mark.parametrize("many", [False, True])
def test_tails_quantiles_and_deviates_are_scipys(many: bool) -> None:
    rng = np.random.default_rng(0)
    size = 3000 if many else 1500
    ratio, freedom = np.abs(rng.normal(size=size)) * rng.choice([0.1, 1, 5, 30], size), rng.choice(FREEDOM, size)
    expected = 2 * special.stdtr(freedom, -ratio)
    found = student.two_sided(ratio, freedom)
    kept = expected > 1e-250
    np.testing.assert_allclose(found[kept], expected[kept], rtol=1e-9)
    assert np.all(found[~kept] <= 1e-240)
    deviates = -special.ndtri(expected[kept] / 2)
    np.testing.assert_allclose(student.normal_deviate(expected[kept]), deviates, rtol=1e-12, atol=1e-14)
    for chance in (0.8, 0.975, 0.9999):
        np.testing.assert_allclose(student.quantile(FREEDOM, chance), special.stdtrit(FREEDOM, chance), rtol=1e-9)


def test_ends_of_the_range() -> None:
    ones = np.ones(2)
    assert student.two_sided(np.array([0.0, np.inf]), ones).tolist() == [1.0, 0.0]
    assert np.isnan(student.two_sided(np.array([np.nan]), np.ones(1))[0])
    assert student.normal_deviate(np.array([1.0, 0.0])).tolist() == [0.0, np.inf]
