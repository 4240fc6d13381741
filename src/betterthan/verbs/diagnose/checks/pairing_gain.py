"""The gain from comparing systems on the same items: variance of items, systems and residuals."""

from dataclasses import asdict, dataclass

import numpy as np

from betterthan.base import FloatArray
from betterthan.evidence import ScoreTable
from betterthan.findings import Finding, kinds
from betterthan.verbs.diagnose.examined_data import ExaminedData, of_scores

#: Where its findings stand among those of other checks.
PLACE = 100


@dataclass(frozen=True)
class VarianceShares:
    """Parts of the variance of scores, which add up to 1, and the mean correlation of two systems over items."""

    system: float
    item: float
    rest: float
    correlation: float


@of_scores
def check(_: ExaminedData, table: ScoreTable) -> list[Finding]:
    """Measure the strength of the pairing."""
    found = shares(table.values)
    if found is None:
        return []
    if found.correlation < kinds.scores.WEAK_PAIRING.thresholds["correlation_least"]:
        return [kinds.scores.WEAK_PAIRING.found(**asdict(found))]
    return [kinds.scores.PAIRING.found(**asdict(found), factor=1 / max(1 - found.correlation, 0.01))]


def shares(values: FloatArray) -> VarianceShares | None:
    """Split the variance over items that have all scores; None where it cannot be split."""
    values = values[~np.any(np.isnan(values), axis=1)]
    items, systems = values.shape
    if items < kinds.scores.PAIRING.thresholds["items"] or systems < 2 or np.ptp(values) == 0:
        return None
    of_system, of_item, mean = values.mean(axis=0), values.mean(axis=1), float(values.mean())
    rest = values - of_item[:, None] - of_system + mean
    error = float(np.sum(rest**2)) / ((items - 1) * (systems - 1))
    between = systems * float(np.sum((of_item - mean) ** 2)) / (items - 1)
    across = items * float(np.sum((of_system - mean) ** 2)) / (systems - 1)
    parts = np.array([max(across - error, 0) / items, max(between - error, 0) / systems, error])
    spread = values.std(axis=0)
    varying = spread > 0
    correlation = 0.0
    if varying.sum() > 1:
        table = np.atleast_2d(np.corrcoef(values[:, varying].T))
        correlation = float(np.mean(table[np.triu_indices(len(table), 1)]))
    system, item, residual = (float(part) for part in parts / parts.sum())
    return VarianceShares(system, item, residual, correlation)
