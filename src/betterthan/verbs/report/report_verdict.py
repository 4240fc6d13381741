"""The verdict in sentences: who ranks first, how certain that is, ties, and the next step."""

from dataclasses import dataclass

from betterthan.base import BetterthanError
from betterthan.findings import counted
from betterthan.verbs.collect import next_matches
from betterthan.verbs.power import power
from betterthan.verbs.rank import Leaderboard
from betterthan.verbs.rank import board_verdict as board_sentences
from betterthan.verbs.report.report_part import ReportPart

#: Ranking first in a larger share of bootstrap samples than this is called probable.
LIKELY = 0.8


@dataclass(frozen=True)
class Verdict:
    """A headline, further sentences, and what to do next."""

    headline: str
    sentences: tuple[str, ...]
    next_steps: tuple[str, ...]


def verdict(part: ReportPart) -> Verdict:
    """Return the verdict on the evidence."""
    board = part.main
    return Verdict(
        board_sentences.by_model(board.mechanism, board_sentences.verdict(board)),
        tuple(_sentences(part, board)),
        tuple(_next(part, board)),
    )


def _sentences(part: ReportPart, board: Leaderboard) -> list[str]:
    sentences = []
    if (separation := board.separation) is not None:
        sentences.append(separation)
    if part.boards.disagreement:
        differing = [each for each in part.boards.disagreement if not each.same_best]
        most = max(part.boards.disagreement, key=lambda each: each.pairs_differ)
        if differing:
            names = "; ".join(f"{each.a} and {each.b}" for each in differing)
            sentences.append(f"Models disagree about the best system: {names}.")
        else:
            sentences.append("All models agree on the best system.")
        if most.pairs_differ > 0:
            share = _share(most.pairs_differ)
            sentences.append(f"Two models order up to {share} of the pairs differently ({most.a} and {most.b}).")
    sentences.append(part.pairs.verdict)
    if (contradiction := part.pairs.contradiction) is not None:
        sentences.append(contradiction)
    warnings = sum(finding.level == "warning" for finding in part.findings)
    if warnings:
        sentences.append(f"The diagnosis has {counted(warnings, 'warning')} about the data.")
    else:
        sentences.append("The diagnosis found no problems in the data.")
    return sentences


def _next(part: ReportPart, board: Leaderboard) -> list[str]:
    advice = part.diagnosis.advice
    steps = [advice.head]
    steps += [f"Also report {text}." for text in advice.beside[:3]]
    first = board.rows[0].system
    if (rival := _rival(part, board)) is not None:
        if (more := _more(part, board, first, rival)) is not None:
            what = {"item": "items", "judgment": "judgments of the two"}[part.data.counted]
            steps.append(
                f"To separate {first} from {rival}, collect about {more:,} more {what} "
                "(if the observed difference is the true one)."
            )
        else:
            steps.append(f"Do not claim that {first} is better than {rival}.")
    return steps


def _rival(part: ReportPart, board: Leaderboard) -> str | None:
    """Return the next system that does not differ significantly from the first; None if the first rank is certain."""
    first, *others = board.rows
    sure = board.first is not None and board.first.shown
    if sure or first.rank_high is None or first.cluster is None:
        return None
    differ, place = part.pairs.significant[0], part.pairs.systems.index
    return next((row.system for row in others if board.can_place(row.system) and not differ[place(row.system)]), None)


def _more(part: ReportPart, board: Leaderboard, a: str, b: str) -> int | None:
    """Return how many more items or judgments would separate two systems, if the observed difference is true."""
    try:
        if board.settings.anytime:
            found = next_matches(part.data, 1, level=board.settings.level).pairs
            return next((each.needed or None for each in found if {each.first, each.second} == {a, b}), None)
        planned = power(part.data, a, b, simulations=0, tolerance=part.data.tolerance)
    except BetterthanError:
        return None
    return planned.needs[0].more if planned.needs and planned.needs[0].more else None


def samples(board: Leaderboard) -> str:
    """Return the base of the shares of first ranks."""
    settings = board.settings
    return f"{settings.resamples:,} bootstrap samples" if settings.ci == "bootstrap" else "draws"


def _share(value: float) -> str:
    return f"{100 * value:.0f} %" if value < 0.995 or value == 1 else f"{100 * value:.1f} %"
