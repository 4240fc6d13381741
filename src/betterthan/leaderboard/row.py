"""One row of a leaderboard."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One system's place. What is absent (no intervals asked for, an open end, no log-strength) is None.

    So are score and rank of a system that never won, never lost or never met the others, unless its rank is certain.
    """

    rank: int | None
    system: str
    score: float | None
    log_strength: float | None
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None
    p_best: float | None
    wins: float
    ties: float
    losses: float
    comparisons: float

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Lower and upper end of the score's interval."""
        return self.low, self.high
