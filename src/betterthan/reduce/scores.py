"""Scores as they were given, for models that average them."""

import hashlib
from dataclasses import dataclass

import numpy as np

from betterthan.arrays import FloatArray
from betterthan.evidence.scores import ScoreTable
from betterthan.reduce.units import RowWeights


@dataclass(frozen=True)
class ScoreMatrix:
    """Instances × systems, higher is better, NaN where a score is missing.

    A resample says how often each instance occurs.
    """

    systems: tuple[str, ...]
    values: FloatArray
    lower_is_better: bool  # as given: held negated here
    units: RowWeights

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    def digest(self) -> str:
        """Return a short fingerprint that no order of instances changes."""
        text = hashlib.sha256("\0".join(self.systems).encode(errors="surrogatepass"))
        values = self.values + 0.0  # one zero only
        text.update(np.ascontiguousarray(values[np.lexsort(values.T)]).tobytes())
        return text.hexdigest()[:12]


def keep_scores(table: ScoreTable) -> ScoreMatrix:
    """Keep the scores; the instance is the unit."""
    return ScoreMatrix(table.systems, table.values, table.negated, RowWeights.of(len(table.instances), {}, "item"))
