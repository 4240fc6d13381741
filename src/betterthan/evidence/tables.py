"""What readers of scores share: groups, labels, directions."""

from collections.abc import Sequence

import numpy as np

from betterthan.arrays import FloatArray, IntArray
from betterthan.engine.table import MISSING, Coded
from betterthan.errors import EvidenceError
from betterthan.evidence.check import Check
from betterthan.evidence.scores import Scores
from betterthan.spelling import option

SCORE_REMEDY = "A score is a finite number; leave the cell empty where there is none."


def grouped(check: Check, group: str) -> Coded:
    """Return the column that says which instances are dependent, every row in some group."""
    column = check.columns[group]
    check.refuse(
        "missing group", column.codes == MISSING, "the group is missing",
        f"The column {group!r} says which group an instance belongs to: fill it in.",
    )  # fmt: skip
    return column


def directed(values: FloatArray, lower: bool) -> FloatArray:
    """Return scores of which more is better."""
    return -values if lower else values


def checked(scores: Scores) -> Scores:
    """Refuse tables in which fewer than two systems have a score."""
    for board in scores.tables:
        where = f"{scores.name}{f' ({board.title})' if board.title else ''}"
        scored: IntArray = np.sum(~np.isnan(board.values), axis=0)
        if np.sum(scored > 0) < 2:
            raise EvidenceError(
                "a ranking needs scores of at least two systems", where=where, remedy="Check the columns chosen."
            )
    return scores


def refuse_unknown_metrics(
    lower: Sequence[str] | bool, titles: Sequence[str], metrics: Sequence[str], where: str
) -> None:
    """Refuse to turn round what is not there."""
    known = {*titles, *(part for title in titles for part in title.split(" ")), *metrics} - {""}
    unknown = [] if isinstance(lower, bool) else [name for name in lower if name not in known]
    if unknown:
        raise EvidenceError(
            f"{option('lower_is_better')} names {unknown[0]!r}, which is no metric here", where=where,
            allowed=", ".join(sorted(known)[:20]),
        )  # fmt: skip


def is_lower(lower: Sequence[str] | bool, title: str, part: str, metric: str) -> bool:
    """Is less better on this board?"""
    if isinstance(lower, bool):
        return lower
    return bool({title, part, metric, *part.split(" ")} & set(lower))
