"""The headline of a report: who ranks first, how certain that is, and the next step."""

from dataclasses import dataclass
from typing import Literal

from betterthan.present import chance
from betterthan.verbs.rank import BoardRow, Leaderboard, board_columns
from betterthan.verbs.report.report_part import ReportPart
from betterthan.verbs.report.report_verdict import LIKELY, Verdict, samples

#: How far the evidence goes: the first rank is significant, probable, or open.
Certainty = Literal["significant", "probable", "open"]


@dataclass(frozen=True)
class Lead:
    """Two tiles: the leader of a board, and how certain the lead is."""

    leader: str
    standing: str
    certainty: Certainty
    sure: str
    evidence: str


@dataclass(frozen=True)
class ReportHeadline(Lead):
    """Three tiles: the leader, the certainty of the lead, and the next step."""

    next_step: str


def answer(part: ReportPart, verdict: Verdict) -> ReportHeadline:
    """Put the verdict into three tiles."""
    found = leading_system(part.main)
    return ReportHeadline(**vars(found), next_step=verdict.next_steps[-1 if found.certainty != "significant" else 0])


def leading_system(board: Leaderboard) -> Lead:
    """Return who leads a board, and how certain that is."""
    first = board.rows[0]
    certainty, sure = _sure(board, first)
    return Lead(_leader(board), _standing(board, first), certainty, sure, _evidence(board, first))


def _leader(board: Leaderboard) -> str:
    together = [row.system for row in board.rows if row.rank == 1]
    if not together:
        return "No system can be ranked"
    return together[0] if len(together) == 1 else f"{len(together)} systems tied"


def _standing(board: Leaderboard, first: BoardRow) -> str:
    if first.score is None:
        return f"by {board.mechanism}"
    interval = ""
    if board.draws is not None:
        level = f"{100 * board.settings.level:g} % confidence interval"
        interval = f" ({level} {board.shown(first.low)} to {board.shown(first.high)})"
    by = "" if board.score_title == board.mechanism else f" by {board.mechanism}"
    return f"{board.score_title} {board.shown(first.score)}{by}{interval}"


def _sure(board: Leaderboard, first: BoardRow) -> tuple[Certainty, str]:
    if first.p_best is None or first.rank is None:
        return "open", "Not known"
    if sum(row.rank == 1 for row in board.rows) > 1:
        return "open", "Tied for first"
    if board.first is not None and board.first.shown:
        return "significant", "Significant lead"
    return ("probable", "Probable, not significant") if first.p_best >= LIKELY else ("open", "Cannot be distinguished")


def _evidence(board: Leaderboard, first: BoardRow) -> str:
    if first.p_best is None:
        return "No confidence intervals were computed."
    share = f"{100 * first.p_best:.0f} %" if first.p_best < 0.995 or first.p_best == 1 else "more than 99 %"
    rank = (
        f"{100 * board.settings.level:g} % rank range {board_columns.ranges(first)}; "
        if board_columns.ranges(first) and not board.is_open
        else ""
    )
    lead = board.first
    compared = f"p = {chance(lead.p)} against its strongest rival; " if lead is not None and lead.p is not None else ""
    return f"{rank}{compared}ranks first in {share} of {samples(board)}."
