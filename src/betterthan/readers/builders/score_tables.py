"""Shared code for readers of scores: groups, labels and directions."""

import numpy as np

from betterthan.base import EvidenceError, FloatArray, IntArray
from betterthan.engine import MISSING, Coded
from betterthan.evidence import Check, Scores, size_limits, text_numbers

SCORE_REMEDY = "A score is a finite number, at most 1e100; leave the cell empty where there is none."


def grouped(check: Check, group: str) -> Coded:
    """Return the column that says which items are dependent, every row in some group."""
    column = check.columns[group]
    check.refuse(
        "missing group",
        column.codes == MISSING,
        "the group is missing",
        f"The column {group!r} says which group an item belongs to: fill it in.",
    )
    return column


def directed(values: FloatArray, lower: bool) -> FloatArray:
    """Return scores with higher as better."""
    return -values if lower else values


def checked(scores: Scores) -> Scores:
    """Refuse tables in which fewer than two systems have a score, or one only scores that squares make 0."""
    for board in scores.tables:
        where = f"{scores.name}{f' ({board.title})' if board.title else ''}"
        size_limits.bounded_names(board.systems, where)
        scored: IntArray = np.sum(~np.isnan(board.values), axis=0)
        if np.sum(scored > 0) < 2:
            raise EvidenceError(
                "a ranking needs scores of at least two systems",
                where=where,
                remedy="Give the files of several systems, or check the columns chosen.",
            )
        largest = np.fmax.reduce(np.abs(board.values), axis=0)
        if np.any(tiny := (largest > 0) & (largest < text_numbers.SMALLEST)):
            system = board.systems[int(np.argmax(tiny))]
            raise EvidenceError(
                f"all scores of {system!r} are closer to 0 than {text_numbers.SMALLEST:g}, too close to compute with",
                where=where,
                remedy="Multiply all scores by a large number, or give their logarithms.",
            )
    return scores
