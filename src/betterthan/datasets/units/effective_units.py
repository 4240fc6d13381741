"""How many units of equal size say as much: about everything, about a system, or about the difference of two."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.statistics.sparse_matrices import dense

if TYPE_CHECKING:
    from betterthan.datasets.units.units import Units


def kish(size: FloatArray, times: FloatArray | float = 1.0) -> float:
    """Return the squared sum of sizes over the sum of their squares."""
    squared = float(np.sum(times * size**2))
    return float(np.sum(times * size)) ** 2 / squared if squared > 0 else float(len(size))


def per_parent(parent: IntArray) -> float:
    """Return the harmonic mean of the numbers of units, over parents that have several."""
    number = np.bincount(parent)
    several = number[number > 1]
    return float(len(several) / np.sum(1 / several)) if len(several) else 1.0


def per_weight(
    first: IntArray, second: IntArray, weight: FloatArray, times: FloatArray, size: int
) -> FloatArray | float:
    """Return the sum of weights over the sum of their squares, by system."""
    if np.all(weight == 1.0):
        return 1.0
    linear, squared = (
        sum(np.bincount(side, times * weight**power, size) for side in (first, second)) for power in (1, 2)
    )
    found: FloatArray = np.divide(linear, squared, out=np.ones(size), where=np.asarray(squared) > 0)
    return found


class UnitNumber(NamedTuple):
    """How many units of a kind there are, and how many of equal size would say as much (Kish's number)."""

    unit: str
    number: int
    effective: float

    @classmethod
    def of(cls, unit: str, sizes: FloatArray) -> "UnitNumber":
        """Count units with any judgments, given how many each has."""
        return cls(unit, int(np.sum(sizes > 0)), kish(sizes))


def unit_numbers(units: "Units") -> tuple[UnitNumber, ...]:
    """Return how many units there are; those that belong to one system each, such as its runs, count as equal."""
    factors = units.crossed[:2] if units.crossed is not None else (units,)
    return tuple(
        UnitNumber(each.name, each.size, each.effective if each.nested is None else each.size) for each in factors
    )


def effective_numbers(statistic: Any) -> tuple[FloatArray | float, ...]:
    """Return the effective numbers of a statistic's units, one by one where two are crossed.

    They are those of every difference (systems × systems), of systems on the diagonal. A single number stands for all
    where all units are about all systems alike, or belong to one system each. Ten judges of other systems say nothing
    about two that four judges compared, so units count by the evidence that they have about the two systems.

    The variance of a difference is about 1/n₁ + 1/n₂ for systems with n₁ and n₂ judgments. A unit contributes its own
    judgments over the squares of n₁ and n₂, and Kish's number follows from the contributions.
    """
    units: Units = statistic.units
    factors = (units,) if units.crossed is None else units.crossed[:2]
    return tuple(_of_factor(each, statistic) for each in factors)


def _of_factor(units: "Units", statistic: Any) -> FloatArray | float:
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
