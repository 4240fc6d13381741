"""Omnibus tests: whether several systems scored on the same items differ at all."""

import numpy as np

from betterthan.base import FloatArray, scipy
from betterthan.inference.tests.average_ranks import average_ranks, studentised_range
from betterthan.inference.tests.paired_tests import Test


def omnibus(values: FloatArray) -> list[Test]:
    """Return Friedman's and Quade's tests, for right and wrong also Cochran's (items × systems, complete)."""
    if np.all(values == values[:, :1]):
        return [Test(name, None, 1.0, "no system differs anywhere") for name in ("friedman", "quade")]
    tests = [friedman(values), quade(values)]
    return [*tests, cochran(values)] if len(np.unique(values)) == 2 else tests


def friedman(values: FloatArray) -> Test:
    """Friedman's test of average ranks; the note has Kendall's W, the agreement of items about the order."""
    items, systems = values.shape
    away = average_ranks(values) - (systems + 1) / 2
    # Of ranks without ties the squares of an item add up to (k³ − k)/12; ties take from it.
    spread = float(np.sum(away**2)) / (systems - 1)
    statistic = float(np.sum(away.sum(axis=0) ** 2)) / spread if spread else 0.0
    p = float(scipy.special.chdtrc(systems - 1, statistic))
    return Test("friedman", statistic, p, f"Kendall's W {statistic / (items * (systems - 1)):.3f}")


def quade(values: FloatArray) -> Test:
    """Quade's test: Friedman's, with items weighted by how far their scores lie apart."""
    items, systems = values.shape
    ranks = average_ranks(values) - (systems + 1) / 2
    weighted = average_ranks(np.ptp(values, axis=1)[None]).T * ranks
    total, between = float(np.sum(weighted**2)), float(np.sum(weighted.sum(axis=0) ** 2)) / items
    if total == between:
        # By chance all items agree with the first once in that many orders.
        p = float(np.exp(-(items - 1) * scipy.special.gammaln(systems + 1)))
        return Test("quade", None, p, "all items order the systems alike")
    statistic = (items - 1) * between / (total - between)
    freedom = (systems - 1, (items - 1) * (systems - 1))
    p = float(scipy.special.fdtrc(*freedom, statistic))
    return Test("quade", statistic, p, f"F with {freedom[0]} and {freedom[1]} degrees of freedom")


def cochran(values: FloatArray) -> Test:
    """Cochran's Q: McNemar's test for more than two systems."""
    right = (values == values.max()).astype(float)
    systems = right.shape[1]
    per_system, per_item = right.sum(axis=0), right.sum(axis=1)
    below = float(systems * per_item.sum() - np.sum(per_item**2))
    above = (systems - 1) * (systems * float(np.sum(per_system**2)) - float(per_system.sum()) ** 2)
    statistic = above / below if below else 0.0
    p = float(scipy.special.chdtrc(systems - 1, statistic))
    return Test("cochran", statistic, p, f"chi² with {systems - 1} degrees of freedom")


def critical_difference(items: int, systems: int, level: float) -> float:
    """Return Nemenyi's critical difference of average ranks (Demšar 2006)."""
    reach = studentised_range(level, systems) / np.sqrt(2)
    return float(reach * np.sqrt(systems * (systems + 1) / (6 * items)))
