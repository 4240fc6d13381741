"""Labels of values, the same on every engine."""

from typing import Any

import numpy as np


def label_of(value: Any) -> str | None:
    """Return a value's label: None for a missing value, '3' for 3.0."""
    if isinstance(value, str):
        return value if value.strip() else None
    if is_missing(value):
        return None
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def is_missing(value: Any) -> bool:
    """Whether this is an engine's missing value."""
    # pandas' own missing values have no truth when they are compared.
    return value is None or type(value).__name__ in {"NAType", "NaTType"} or bool(value != value)  # noqa: PLR0124


def is_numeral(value: object) -> bool:
    """Whether this can be parsed as a number.

    >>> [is_numeral(text) for text in ("0.5", "1e3", "nan", "NA", "")]
    [True, True, True, False, False]
    """
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True
