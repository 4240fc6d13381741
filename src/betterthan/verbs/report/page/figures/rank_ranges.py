"""Rank ranges: range, quartiles and median of every system's bootstrap ranks."""

from dataclasses import dataclass

from betterthan.present import whole_numbers
from betterthan.verbs.rank import Leaderboard, rank_numbers

#: A box as wide as part of a rank: one from 2 to 2 would be invisible.
_HALF = 0.35


@dataclass(frozen=True)
class RankRow:
    """One system's positions in per cent of the width, and the same numbers as text."""

    system: str
    low: float | None
    high: float | None
    lower: float
    upper: float
    median: float
    edge: bool
    words: str


@dataclass(frozen=True)
class RankRangeFigure:
    """All rows in the order of the board, and the ranks named on the axis."""

    rows: tuple[RankRow, ...]
    ticks: tuple[tuple[float, int], ...]

    @staticmethod
    def of(board: Leaderboard) -> "RankRangeFigure":
        """Place the ranks of a board that has draws."""
        numbers = rank_numbers(board)
        size = len(board.rows)

        def place(rank: float) -> float:
            return round(100 * (rank - 0.5) / size, 2)

        level = f"{100 * board.settings.level:g} %"
        rows: list[RankRow] = []
        before = None
        for system, low, lower, middle, upper, high, cluster in zip(
            *(numbers[name] for name in ("system", "low", "lower", "middle", "upper", "high", "cluster")), strict=True
        ):
            known = low is not None and high is not None
            words = f"median rank {middle:g}, quartiles {lower:g} to {upper:g}"
            rows.append(
                RankRow(
                    system,
                    place(low) if known else None,
                    place(high) if known else None,
                    place(lower - _HALF),
                    place(upper + _HALF),
                    place(middle),
                    bool(rows) and cluster != before,
                    f"{level} rank range {low} to {high}; {words}" if known else words,
                )
            )
            before = cluster
        return RankRangeFigure(tuple(rows), tuple((place(rank), rank) for rank in whole_numbers(1, size)))
