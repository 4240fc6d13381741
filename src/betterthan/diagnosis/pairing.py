"""How much comparing systems on the same instances gains: what instances, systems and the rest contribute."""

from dataclasses import dataclass

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.diagnosis.case import Case
from betterthan.findings import Finding

_WEAK = 0.1


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
    message = (
        f"of the scores' variance {100 * found.instance:.0f} % lies between instances, {100 * found.system:.0f} % "
        f"between systems, {100 * found.rest:.0f} % is the rest; two systems correlate by {found.correlation:.2f}"
    )
    if found.correlation < _WEAK:
        hint = "pairing gains little: instances are no harder or easier for all systems"
        return [Finding("pairing", "warning", message, hint, found.correlation)]
    saved = f"unpaired comparisons would need about {1 / max(1 - found.correlation, 0.01):.1f} times the instances"
    return [Finding("pairing", "info", message, saved, found.correlation)]


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
