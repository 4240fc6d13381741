"""How leaderboards of several tasks become one overall score: by means or by ranks, and with which weights."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from betterthan.base import PlanError, nearest, spelling
from betterthan.datasets import ItemParts, ScoredSet, ScoreMatrix
from betterthan.options import Plan

if TYPE_CHECKING:
    from betterthan.verbs.rank.leaderboard import Leaderboard

#: Scores of at least that size are not in the same unit as shares from 0 to 1.
_LARGE = 10.0


@dataclass(frozen=True)
class OverallRule:
    """What the overall score is the mean of, and the weights of leaderboards, with the sum 1."""

    kind: Literal["mean", "mean rank"]
    average: Literal["macro", "micro", "weights"]
    weights: tuple[float, ...]

    @property
    def name(self) -> str:
        """The name of the overall score, as the heading of a column."""
        return self.kind

    @property
    def words(self) -> str:
        """How tasks count, as part of a sentence."""
        return {
            "macro": "which count equally",
            "micro": "weighted by their number of items",
            "weights": "weighted as given",
        }[self.average]


def rule_of(boards: Sequence["Leaderboard"], tables: Sequence[ScoredSet], plan: Plan | None = None) -> OverallRule:
    """Return the rule for leaderboards with one title each; `tables` are their scores, in any order."""
    plan = Plan() if plan is None else plan
    average: Literal["macro", "micro", "weights"] = "weights" if plan.weights else "macro"
    average = "micro" if plan.average == "micro" else average
    weights = _weights(boards, average, plan.task_weights)
    used = [board for board, weight in zip(boards, weights, strict=True) if weight > 0]
    kind: Literal["mean", "mean rank"] = "mean" if _comparable(used, tables) else "mean rank"
    if plan.overall == "mean":
        _need_means(used)
        kind = "mean"
    return OverallRule("mean rank" if plan.overall == "mean-rank" else kind, average, weights)


def in_own_unit(board: "Leaderboard") -> bool:
    """Whether the scores of a leaderboard are in the unit of the metric, as means are."""
    return bool({ItemParts, ScoreMatrix} & set(board.model.consumes)) and board.evidence.kind == "scores"


def one_per_title(boards: Sequence["Leaderboard"]) -> list["Leaderboard"]:
    """Return one leaderboard per title: the first in the unit of the metric, else the first."""
    found: dict[str, Leaderboard] = {}
    for board in boards:
        known = found.setdefault(board.title, board)
        if in_own_unit(board) and not in_own_unit(known):
            found[board.title] = board
    return list(found.values())


def _comparable(boards: Sequence["Leaderboard"], tables: Sequence[ScoredSet]) -> bool:
    """Whether means of scores share a range and a unit: the same named metric, or right and wrong throughout."""
    kinds = {(board.fit.lower_is_better, board.mechanism) for board in boards}
    if len(kinds) > 1 or not in_own_unit(boards[0]):
        return False
    titles = {board.title for board in boards}
    sizes = [_size_of_scores(each) for each in tables if each.title in titles]
    if any(size <= 1 for size in sizes) and any(size >= _LARGE for size in sizes):  # shares and percentages
        return False
    metrics = {board.named[1] for board in boards}
    same = len(metrics) == 1 and metrics != {""}
    right = len(sizes) == len(titles) and all(_right_or_wrong(each) for each in tables if each.title in titles)
    return same or right


def _size_of_scores(data: ScoredSet) -> float:
    return float(np.nanmax(np.abs(data.scores.values), initial=0.0))


def _right_or_wrong(data: ScoredSet) -> bool:
    values = np.abs(data.scores.values[~np.isnan(data.scores.values)])
    return bool(np.all((values == 0) | (values == 1)))


def _need_means(boards: Sequence["Leaderboard"]) -> None:
    """Refuse a mean of scores that have no unit of their own, or of which more and less is better."""
    said, remedy = spelling.option("overall", "mean"), f"Use {spelling.option('overall', 'mean-rank')}."
    if not all(map(in_own_unit, boards)):
        raise PlanError(f"{said} is of mean scores, and {boards[0].model.name} gives strengths", remedy=remedy)
    if len({board.fit.lower_is_better for board in boards}) > 1:
        lower = next(board.title for board in boards if board.fit.lower_is_better)
        raise PlanError(f"{said} adds up scores, but less is better by {lower!r} and more by others", remedy=remedy)


def _weights(boards: Sequence["Leaderboard"], average: str, given: dict[str, float]) -> tuple[float, ...]:
    """Return the weight of every leaderboard, with the sum 1."""
    sizes = [board.evidence.amount for board in boards]
    weights = sizes if average == "micro" else _named_weights(boards, given)
    total = sum(weights)
    if not total > 0:
        raise PlanError(f"{spelling.option('weights')} give all tasks the weight 0", remedy="Weigh one of them.")
    return tuple(weight / total for weight in weights)


def _named_weights(boards: Sequence["Leaderboard"], numbers: dict[str, float]) -> list[float]:
    """Match weights with leaderboards by title, data set or metric; others have the weight 1."""
    found = [next((name for name in (board.title, *board.named) if name and name in numbers), None) for board in boards]
    if unknown := [name for name in numbers if name not in found]:
        titles = tuple(dict.fromkeys(name for board in boards for name in (board.title, *board.named) if name))
        raise PlanError(
            f"{spelling.option('weights')} names {unknown[0]!r}, which is no task", remedy=nearest(unknown[0], titles)
        )
    return [1.0 if name is None else numbers[name] for name in found]
