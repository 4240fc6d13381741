"""How many units of equal size say as much about a system, or about the difference of two."""

from typing import Any

import numpy as np

from betterthan.base import FloatArray
from betterthan.datasets.statistics.sparse_matrices import dense
from betterthan.datasets.units.units import Units


def effective_numbers(statistic: Any) -> tuple[FloatArray | float, ...]:
    """Return the effective numbers of a statistic's units, one by one where two are crossed.

    They are those of every difference (systems × systems), of systems on the diagonal. A number stands for all of them where all units are about all systems alike, or belong to one system each. Ten
    judges of other systems say nothing about two that four judges compared, so units count by the evidence that they
    have about the two systems.

    The variance of a difference is about 1/n₁ + 1/n₂ for systems with n₁ and n₂ judgments. A unit contributes its own
    judgments over the squares of n₁ and n₂, and Kish's number follows from the contributions.
    """
    units: Units = statistic.units
    factors = (units,) if units.crossed is None else units.crossed[:2]
    return tuple(_of_factor(each, statistic) for each in factors)


def _of_factor(units: Units, statistic: Any) -> FloatArray | float:
    appearances = None if units.nested is not None else units.appearances(statistic)
    if appearances is None:
        return units.effective
    number = np.asarray(appearances.sum(axis=0), dtype=np.float64).ravel()
    variance = np.divide(1.0, number, out=np.zeros_like(number), where=number > 0)
    parts = appearances * variance**2
    products = dense(parts.T @ parts)
    own = np.diag(products)
    total = (variance[:, None] + variance) ** 2
    squares = own[:, None] + own + 2 * products
    found: FloatArray = np.divide(total, squares, out=np.ones_like(total), where=squares > 0)
    return np.minimum(found, units.effective) if units.summed_gradients else found
