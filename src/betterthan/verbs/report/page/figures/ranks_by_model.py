"""Ranks by model: a line per system through its ranks under all models."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from betterthan.verbs.rank import Leaderboard

#: The first systems have a colour of their own.
COLOURED = 8


@dataclass(frozen=True)
class ModelLine:
    """One system's positions: x in per cent, y in rows, None where a model cannot rank it."""

    system: str
    colour: int | None
    places: tuple[float | None, ...]
    words: str

    def segments(self, columns: Sequence[float]) -> list[tuple[float, float, float, float]]:
        """Return the parts of the line between neighbouring models that both rank the system."""
        points = list(zip(columns, self.places, strict=True))
        return [
            (x, y, next_x, next_y)
            for (x, y), (next_x, next_y) in pairwise(points)
            if y is not None and next_y is not None
        ]


@dataclass(frozen=True)
class RanksByModel:
    """The lines, where each model is in per cent, and which system has which row on the first and last board."""

    models: tuple[str, ...]
    columns: tuple[float, ...]
    lines: tuple[ModelLine, ...]
    left: tuple[str | None, ...]
    right: tuple[str | None, ...]

    @staticmethod
    def of(boards: Sequence[Leaderboard]) -> "RanksByModel":
        """Place the systems of several boards."""
        order = [row.system for row in boards[0].rows]
        places = [{row.system: at for at, row in enumerate(board.rows) if row.rank is not None} for board in boards]
        columns = tuple(round(100 * at / (len(boards) - 1), 2) for at in range(len(boards)))
        lines = [
            ModelLine(
                system,
                at if at < COLOURED else None,
                tuple(None if system not in found else found[system] + 0.5 for found in places),
                "; ".join(_rank(board, system) for board in boards),
            )
            for at, system in enumerate(order)
        ]
        sides = [
            [row.system if row.rank is not None else None for row in board.rows] for board in (boards[0], boards[-1])
        ]
        models = tuple(board.mechanism for board in boards)
        return RanksByModel(models, columns, tuple(reversed(lines)), tuple(sides[0]), tuple(sides[1]))


def _rank(board: Leaderboard, system: str) -> str:
    rank = board[system].rank
    return f"{board.mechanism}: {'not ranked' if rank is None else f'rank {rank}'}"
