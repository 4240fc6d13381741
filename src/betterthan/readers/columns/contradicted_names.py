"""Names that the numbers contradict: a metric called like an error that grows with a quality."""

from collections.abc import Sequence

import numpy as np

from betterthan.evidence import ScoreTable
from betterthan.readers.columns.metric_names import known_direction
from betterthan.readers.columns.roles import normal

#: Shares of errors; times, costs and sizes may well grow with quality.
_ERRORS = frozenset(
    {"error", "errors", "mistake", "mistakes", "hallucination", "hallucinations", "violation", "violations"}
)
#: Fewer shared cells than this, or a smaller correlation, show nothing.
_LEAST_CELLS, _LEAST_CORRELATION = 20, 0.5


def contradicted(
    errors: Sequence[ScoreTable], others: Sequence[ScoreTable], least: float = _LEAST_CORRELATION
) -> list[tuple[ScoreTable, ScoreTable]]:
    """Return shares that are called like errors and grow with a known quality, each with the latter."""
    named = [table for table in errors if _ERRORS & {*normal(table.metric or table.title).split("_")}]
    known = [table for table in others if known_direction(table.metric or table.title) == "more"] if named else []
    return [
        (error, other)
        for error in named
        for other in known
        if (error.dataset, error.items, error.systems) == (other.dataset, other.items, other.systems)
        and _grows(error, other, least)
    ]


def _grows(error: ScoreTable, other: ScoreTable, least: float) -> bool:
    """Whether two shares are high in the same cells."""
    one, two = error.as_given.ravel(), other.as_given.ravel()
    there = ~(np.isnan(one) | np.isnan(two))
    one, two = one[there], two[there]
    if len(one) < _LEAST_CELLS or min(one.min(), two.min()) < 0 or max(one.max(), two.max()) > 1:
        return False
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        return False
    return float(np.corrcoef(one, two)[0, 1]) > least
