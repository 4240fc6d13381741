"""How much comparing systems on the same instances gains: what instances, systems and the rest contribute."""

from dataclasses import asdict, dataclass

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding
from betterthan.findings.scores import PAIRING, WEAK_PAIRING


@dataclass(frozen=True)
class Shares:
    """Parts of the variance of scores, which add up to 1, and the mean correlation of two systems over instances."""

    system: float
    instance: float
    rest: float
    correlation: float


def check(case: Case) -> list[Finding]:
    """Measure the strength of the pairing."""
    found = shares(case.table.values) if case.table is not None else None
    if found is None:
        return []
    if found.correlation < WEAK_PAIRING.thresholds["correlation_least"]:
        return [WEAK_PAIRING.found(**asdict(found))]
    return [PAIRING.found(**asdict(found), factor=1 / max(1 - found.correlation, 0.01))]


def shares(values: FloatArray) -> Shares | None:
    """Split the variance over instances that have all scores; None where it cannot be split."""
    values = values[~np.any(np.isnan(values), axis=1)]
    instances, systems = values.shape
    if instances < 3 or systems < 2 or np.ptp(values) == 0:
        return None
    of_system, of_instance, mean = values.mean(axis=0), values.mean(axis=1), float(values.mean())
    rest = values - of_instance[:, None] - of_system + mean
    error = float(np.sum(rest**2)) / ((instances - 1) * (systems - 1))
    between = systems * float(np.sum((of_instance - mean) ** 2)) / (instances - 1)
    across = instances * float(np.sum((of_system - mean) ** 2)) / (systems - 1)
    parts = np.array([max(across - error, 0) / instances, max(between - error, 0) / systems, error])
    spread = values.std(axis=0)
    varying = spread > 0
    correlation = 0.0
    if varying.sum() > 1:
        table = np.atleast_2d(np.corrcoef(values[:, varying].T))
        correlation = float(np.mean(table[np.triu_indices(len(table), 1)]))
    system, instance, residual = (float(part) for part in parts / parts.sum())
    return Shares(system, instance, residual, correlation)
