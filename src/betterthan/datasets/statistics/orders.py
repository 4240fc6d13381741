"""Complete rankings, for models that use more than their pairs."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.base import FloatArray, IntArray
from betterthan.datasets.statistics.sparse_matrices import matrix_of
from betterthan.datasets.units.units import RowWeights
from betterthan.evidence import Rankings


@dataclass(frozen=True)
class Orders:
    """Entries (ranking, system, rank), ranking by ranking, rank 1 the best.

    A resample says how often each ranking occurs.
    """

    systems: tuple[str, ...]
    ranking: IntArray  # per entry, from 0 without gaps, never decreasing
    system: IntArray
    rank: FloatArray
    weight: FloatArray  # per ranking
    units: RowWeights

    @staticmethod
    def of(evidence: Rankings, unit: tuple[str, ...]) -> "Orders":
        """Build the statistic from rankings; `unit` names the unit of resampling."""
        units = RowWeights.of(len(evidence.weight), {name: evidence.about[name] for name in unit})
        order = evidence.ranking.argsort(kind="stable")
        return Orders(
            evidence.systems,
            evidence.ranking[order],
            evidence.system[order],
            evidence.rank[order],
            evidence.weight,
            units,
        )

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)

    def appearances(self, unit: IntArray, units: int) -> Any:
        """Count the rankings that have each system, by their units (units × systems)."""
        return matrix_of(np.ones(len(self.system)), unit[self.ranking], self.system, (units, self.size))

    def some_units(self, amount: int, rng: np.random.Generator) -> "Orders":
        """Return the rankings of that many units, drawn without replacement, in their order."""
        from betterthan.datasets.statistics.subsample import some_rows  # noqa: PLC0415 (few ask for samples)

        rows, units = some_rows(self.units, amount, rng)
        number = np.full(len(self.weight), -1)
        number[rows] = np.arange(len(rows))
        kept = np.flatnonzero(number[self.ranking] >= 0)
        return replace(
            self,
            ranking=number[self.ranking[kept]],
            system=self.system[kept],
            rank=self.rank[kept],
            weight=self.weight[rows],
            units=units,
        )
