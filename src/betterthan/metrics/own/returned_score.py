"""Validation of the values that a user's metric returns."""

from math import isfinite
from typing import Any

from betterthan.metrics.base import WrongOutputError


def score_of(found: Any, name: str) -> float:
    """Return a score, NaN where the metric says that there is none."""
    if found is None:
        return float("nan")
    try:
        value = float(found)
    except (TypeError, ValueError):
        value = float("inf")
    if not isfinite(value):
        raise WrongOutputError(
            0, f"{name} returned {found!r}", "A metric returns a finite number, or None for no score."
        )
    return value
