"""Quasi-errors: where all differences are equally certain, they follow in closed form."""

import numpy as np
import pytest

from betterthan.verbs.fit.estimation.quasi_errors import quasi_errors


@pytest.mark.parametrize(("variance", "covariance"), [(2.0, 1.0), (2.0, 0.0), (1.0, -0.2)])
def test_they_are_free_of_what_all_systems_share(variance: float, covariance: float) -> None:
    matrix = np.full((4, 4), covariance) + (variance - covariance) * np.eye(4)
    assert quasi_errors(matrix) == pytest.approx(np.full(4, np.sqrt(variance - covariance)))


def test_they_add_up_to_the_variances_of_differences() -> None:
    own = np.array([0.5, 1.0, 2.0, 1.5])
    matrix = np.diag(own**2) + 3.0
    assert quasi_errors(matrix) == pytest.approx(own)
