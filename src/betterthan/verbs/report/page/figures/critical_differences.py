"""The critical-difference diagram (Demšar 2006): average ranks, and bars over systems that do not differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor

from betterthan.present import tiers_of
from betterthan.verbs.compare import AllPairs


@dataclass(frozen=True)
class CriticalLeader:
    """One system: the position of its rank on the axis in per cent, and the row of its label on the left or right
    side.
    """

    system: str
    at: float
    row: int
    left: bool
    words: str


@dataclass(frozen=True)
class Critical:
    """Names with the lines that lead to them, bars with their tiers, and the numbers of the axis."""

    leaders: tuple[CriticalLeader, ...]
    bars: tuple[tuple[float, float, int], ...]
    ticks: tuple[tuple[float, int], ...]
    rows: int
    tiers: int

    @staticmethod
    def of(pairs: AllPairs, ranks: Mapping[str, float]) -> "Critical":
        """Place average ranks, the better half on the left."""
        order = sorted(ranks, key=lambda system: (ranks[system], system))
        sorted_ranks = [ranks[system] for system in order]
        low = floor(sorted_ranks[0])
        high = max(ceil(sorted_ranks[-1]), low + 1)

        def place(rank: float) -> float:
            return round(100 * (rank - low) / (high - low), 2)

        half = (len(order) + 1) // 2
        leaders = tuple(
            CriticalLeader(
                system, place(rank), at if at < half else len(order) - 1 - at, at < half, f"average rank {rank:.2f}"
            )
            for at, (system, rank) in enumerate(zip(order, sorted_ranks, strict=True))
        )
        spans = [(place(sorted_ranks[first]), place(sorted_ranks[last])) for first, last in pairs.indistinct(order)]
        tiers = tiers_of(spans)
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if (high - low) / step <= 8 or step == 100)
        ticks = tuple((place(rank), rank) for rank in range(low, floor(high) + 1) if rank % step == 0)
        return Critical(
            leaders,
            tuple((*span, tier) for span, tier in zip(spans, tiers, strict=True)),
            ticks,
            half,
            max(tiers, default=-1) + 1,
        )
