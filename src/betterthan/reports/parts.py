"""One data set of a report: everything that is said about it, computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.diagnosis.diagnose import diagnose
from betterthan.diagnosis.diagnosis import Section
from betterthan.duel.all_pairs import AllPairs, compare_all
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.scores import Scores
from betterthan.leaderboard.board import Leaderboard
from betterthan.leaderboard.boards import Leaderboards
from betterthan.leaderboard.rank import rank
from betterthan.leaderboard.reduction import reductions
from betterthan.plan import Plan
from betterthan.progress import Progress


@dataclass(frozen=True)
class Part:
    """One data set: its boards, all pairs, and what is doubtful about it."""

    title: str
    evidence: Any
    boards: tuple[Leaderboard, ...]
    several: Leaderboards | None
    pairs: AllPairs
    diagnosis: Section

    @property
    def main(self) -> Leaderboard:
        """The board that the verdict speaks of: the one advised where there is such a one, else Bradley–Terry's."""
        wanted = (self.diagnosis.advice.mechanism, "bradley-terry")
        for name in wanted:
            for board in self.boards:
                if board.model.name == name:
                    return board
        return self.boards[0]

    @property
    def scores(self) -> Scores | None:
        """The scores, where scores came in."""
        return self.evidence if isinstance(self.evidence, Scores) else None


def data_sets(evidence: Any) -> list[tuple[str, Any]]:
    """Take evidence apart into data sets, each with its title."""
    if isinstance(evidence, Scores):
        return [(table.title, replace(evidence, tables=(table,))) for table in evidence.tables]
    if isinstance(evidence, Judgments):
        return evidence.parts()[0]
    return [("", evidence)]


def examine(title: str, evidence: Any, plan: Plan, measure: Any, progress: Progress) -> Part:
    """Diagnose, rank, by the mechanism advised too unless others were asked for, and compare all pairs."""
    found = diagnose(
        evidence, measure=measure, resample=plan.resample, tolerance=plan.tolerance, seed=plan.seed,
        progress=lambda done, total: progress(done, 2 * total),
    )  # fmt: skip
    advised = found.sections[0].advice.mechanism
    if plan.model is None and evidence.kind != "scores" and advised not in {None, "bradley-terry"}:
        plan = replace(plan, model=f"bradley-terry,{advised}")
    ranked = rank(evidence, plan, progress=lambda done, total: progress(total + done, 2 * total))
    boards = tuple(ranked) if isinstance(ranked, Leaderboards) else (ranked,)
    pairs = compare_all(evidence, _pair_model(boards), tolerance=plan.tolerance, level=plan.level or 0.95)
    several = ranked if isinstance(ranked, Leaderboards) else None
    return Part(title, evidence, boards, several, pairs, found.sections[0])


def _pair_model(boards: Sequence[Leaderboard]) -> str:
    """Return the model whose chances fill the matrix of pairs."""
    names = [board.mechanism for board in boards]
    for board in boards:
        if board.model.probability(board.fit, 0, 1) is not None:
            return board.mechanism
    return names[0]


def pair_table(part: Part) -> dict[str, list[Any]]:
    """Return what the pair picker shows of every pair, row by row of the upper triangle; numbers are rounded."""
    pairs, board = part.pairs, part.main
    names = pairs.systems
    first, second = np.triu_indices(len(names), 1)
    counts = _outcomes(part)
    columns: dict[str, list[Any]] = {
        "value": [_round(value) for value in pairs.values[first, second]],
        "p": [_round(value) for value in pairs.p[first, second]],
        "p_adjusted": [_round(value) for value in pairs.p_adjusted[first, second]],
        "confidence": _confidence(board, names),
    }
    place = {name: number for number, name in enumerate(names)}
    for kind in ("won", "tied", "lost"):
        columns[kind] = [0.0] * len(first)
    where = {(int(one), int(two)): number for number, (one, two) in enumerate(zip(first, second, strict=True))}
    for (a, b), (won, tied, lost) in counts.items():
        one, two = place[a], place[b]
        number = where[min(one, two), max(one, two)]
        straight = one < two
        columns["won"][number] = won if straight else lost
        columns["tied"][number] = tied
        columns["lost"][number] = lost if straight else won
    return columns


def _outcomes(part: Part) -> dict[tuple[str, str], tuple[float, float, float]]:
    board = part.main
    reduction = reductions(part.evidence, board.plan, [board.model])[0][0]
    counts = reduction.pairs(board.model)
    return {
        (counts.systems[one], counts.systems[two]): (float(won), float(tied), float(lost))
        for one, two, (won, tied, lost) in zip(counts.first, counts.second, counts.outcomes.T, strict=True)
    }


def _confidence(board: Leaderboard, names: Sequence[str]) -> list[float | None]:
    """Return for every pair in how many draws the first is the better one."""
    size = len(names)
    if board.draws is None:
        return [None] * (size * (size - 1) // 2)
    order = [board.fit.systems.index(name) for name in names]
    shares = [board.draws.better_than(one, order[place + 1 :]) for place, one in enumerate(order)]
    return [_round(share) for row in shares for share in row]


def _round(value: Any) -> float | None:
    return None if value is None or not np.isfinite(value) else float(f"{float(value):.4g}")
