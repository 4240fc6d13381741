"""Rankings as they were given, for models that need more of them than their pairs."""

from dataclasses import dataclass

from betterthan.arrays import FloatArray, IntArray
from betterthan.evidence.rankings import Rankings
from betterthan.reduce.units import RowWeights


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
    """Keep the rankings; `unit` names what is resampled as a whole."""
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
