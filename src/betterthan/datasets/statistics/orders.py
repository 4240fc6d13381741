"""Complete rankings, for models that use more than their pairs."""

from dataclasses import dataclass

from betterthan.base import FloatArray, IntArray
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

    @property
    def size(self) -> int:
        """Number of systems."""
        return len(self.systems)


def keep_orders(evidence: Rankings, unit: tuple[str, ...]) -> Orders:
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
