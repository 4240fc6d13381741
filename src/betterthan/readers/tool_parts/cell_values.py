"""Single values of tools' files: numbers and texts, validated."""

import math
from typing import Any

from betterthan.base import EvidenceError


def number(value: Any, what: str, where: str) -> float:
    """Return a number as it is in JSON: true is 1, false is 0, null is NaN; anything else is refused.

    >>> number(True, "score", "a.json"), number(0.5, "score", "a.json"), number(None, "score", "a.json")
    (1.0, 0.5, nan)
    """
    if value is None:
        return math.nan
    if isinstance(value, bool | int | float) and not math.isinf(value):
        return float(value)
    raise EvidenceError(
        f"{what} is {str(value)[:40]!r}, which is no number", where=where, allowed="numbers, true, false and null"
    )


def is_number(value: Any) -> bool:
    """Whether this is a number, or true or false."""
    return isinstance(value, bool | int | float)
