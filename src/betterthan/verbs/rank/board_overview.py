"""Ranks and scores of every system on several data sets, in one table."""

from collections.abc import Sequence
from math import inf

from betterthan.present import Column, Table
from betterthan.verbs.rank.leaderboard import Leaderboard


def overview(boards: Sequence[Leaderboard]) -> Table:
    """Return every system's rank and score on every board, best mean rank first; who lacks a data set comes last."""
    ranks: dict[str, dict[str, int]] = {}
    cells: dict[tuple[str, str], str] = {}
    for board in boards:
        for row in board:
            places = ranks.setdefault(row.system, {})
            if row.rank is not None:
                places[board.title] = row.rank
                cells[row.system, board.title] = f"{row.rank} ({board.shown(row.score)})"
    mean = {system: sum(places.values()) / len(places) if places else inf for system, places in ranks.items()}
    shown = {system: f"{value:.1f}" if value < inf else "" for system, value in mean.items()}
    titles = [board.title for board in boards]
    columns = [Column("system", "left", flexible=True), *(Column(title) for title in titles), Column("mean rank")]
    # A mean over fewer data sets is no match for one over all of them.
    ordered = sorted(ranks, key=lambda system: (len(ranks[system]) < len(boards), mean[system], system))
    rows = [[system, *(cells.get((system, title), "") for title in titles), shown[system]] for system in ordered]
    return Table(columns, rows)
