"""The pictures of a data set, each drawn by the template of its kind."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from betterthan.verbs.report.page.figures.critical_differences import Critical
from betterthan.verbs.report.page.figures.rank_ranges import RankRangeFigure
from betterthan.verbs.report.page.figures.ranks_by_model import RanksByModel
from betterthan.verbs.report.report_part import ReportPart


@dataclass(frozen=True)
class Figure:
    """A drawing, its title and caption, and a description for screen readers."""

    kind: str
    title: str
    caption: str
    alt: str
    drawn: Any


def figures(part: ReportPart) -> Iterator[Figure]:
    """Return the pictures that this evidence allows; pairs and intervals are drawn where their numbers are."""
    board = part.main
    level = f"{100 * board.settings.level:g} %"
    if board.draws is not None:
        yield Figure(
            "ranks",
            "Rank ranges",
            f"Line: {level} rank range. Box: the middle half of the bootstrap ranks. Tick: the median rank. Dashed "
            "lines separate clusters.",
            "Rank ranges of all systems. The leaderboard has the same ranges as numbers.",
            RankRangeFigure.of(board),
        )
    if len(part.boards.models) > 1:
        yield Figure(
            "models",
            "Ranks by model",
            "One line per system. Lines cross where two models order systems differently.",
            "Ranks of all systems by model. The leaderboards have the same ranks as numbers.",
            RanksByModel.of(list(part.boards)),
        )
    if part.pairs.ranks is not None:
        yield Figure(
            "critical",
            "Critical-difference diagram",
            "Average rank over items or rankings, best on the left. A bar joins systems of which no two differ "
            f"significantly ({part.pairs.tested}).",
            "Critical-difference diagram of average ranks.",
            Critical.of(part.pairs, part.pairs.ranks),
        )
