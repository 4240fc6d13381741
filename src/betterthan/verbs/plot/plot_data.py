"""The single data set that a picture shows."""

from typing import Any

from betterthan.base import PlanError
from betterthan.datasets import DataSet, data_sets
from betterthan.verbs.rank import Leaderboard, rank

_PICTURE = "this picture"


def one_board(evidence: Any, model: str | None = None, **choices: Any) -> Leaderboard:
    """Rank one data set by one model, Bradley–Terry by default."""
    data = one_data_set(evidence, unit=choices.pop("unit", None), tolerance=choices.pop("tolerance", 0.0))
    found = rank(data, model=model or "bradley-terry", tolerance=data.tolerance, **choices)
    if len(found) > 1:
        raise PlanError(f"this picture is of one model, and there are: {', '.join(found.models)}. Choose one.")
    return found.board


def one_data_set(evidence: Any, *, unit: str | None = None, tolerance: float = 0.0) -> DataSet:
    """Return the only data set of the evidence."""
    return data_sets(evidence, unit=unit, tolerance=tolerance).only(_PICTURE)
