"""betterthan itself, asked as its documentation says."""

from typing import Any

import betterthan as bt

Ends = dict[str, tuple[float, float]]


def point(source: Any) -> dict[str, float]:
    """Rank without intervals; return centred log-strengths."""
    return {row.system: row.log_strength for row in bt.rank(source, ci="none").board}


def default(source: Any) -> dict[str, float]:
    """Rank with every default: 1,000 bootstrap resamples of single judgments, rank ranges and clusters."""
    return {row.system: row.log_strength for row in bt.rank(source).board}


def intervals(source: Any, ci: str) -> Ends:
    """Rank with intervals on the log scale over single judgments; return their ends."""
    return {row.system: (row.low, row.high) for row in bt.rank(source, ci=ci, unit="row", scale="log").board}


def model_intervals(source: Any, model: str) -> float:
    """Rank by a model with 1,000 resamples of single judgments; return the mean width of the intervals."""
    rows = bt.rank(source, model=model, unit="row").board.rows
    return sum(row.high - row.low for row in rows) / len(rows)


def digest(source: Any) -> str:
    """Rank without intervals; return the fingerprint of the counts, which no engine may change."""
    return bt.rank(source, ci="none").board.evidence.digest
