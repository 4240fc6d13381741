"""Numbers that stand for missing values, such as −999 among scores from 0 to 1."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from betterthan.base import EvidenceError, FloatArray, spelling
from betterthan.engine import Distinct

#: Codes that people and programs use, and those that are so common as numbers that only their sign is odd.
_CODES = tuple(sign * code for code in (99, 999, 9999, 99999, 999999, 1e9, 1e10) for sign in (-1, 1))
_SMALL = (-1, -9)
#: How far from the other values a code is, as a multiple of their range.
_FAR = 2.0
#: Codes are fewer than other values; among whole numbers, a -1 that occurs often is a result.
_MOST, _MOST_AMONG_WHOLE = 0.5, 0.2


def missing_codes(values: FloatArray, *, signed: bool = False) -> list[str]:
    """Return the numbers that seem to stand for missing values; values that are `signed` may be −1.

    >>> missing_codes(np.array([0.5, 0.75, -999, 0.25])), missing_codes(np.array([1.0, 0, -1, 1]))
    (['-999'], [])
    """
    there = values[~np.isnan(values)]
    among = np.isin(there, (*_CODES, *_SMALL))
    rest = there[~among]
    if not np.any(among) or np.mean(among) > _MOST or len(np.unique(rest)) < 2:
        return []
    low, high = float(rest.min()), float(rest.max())
    found = [code for code in np.unique(there[among]) if abs(code) > 9 and _is_far(code, low, high)]
    zero_or_one = set(np.unique(rest)) <= {0.0, 0.5, 1.0}  # lost, drawn and won
    often = np.all(rest == np.round(rest)) and np.mean(among) > _MOST_AMONG_WHOLE
    if not signed and not zero_or_one and not often and low >= 0:
        found += [code for code in _SMALL if code in there]
    return [f"{code:.15g}" for code in sorted(found)]


def _is_far(code: float, low: float, high: float) -> bool:
    return (code < 0 <= low) or min(abs(code - low), abs(code - high)) > _FAR * (high - low) + max(abs(low), abs(high))


def without_codes(rows: Distinct, missing: Sequence[str] | None) -> Distinct:
    """Return rows in whose columns of numbers these codes are missing values."""
    codes = [] if missing is None or [*missing] == ["none"] else [_number(code) for code in missing]
    if not codes:
        return rows
    numbers = {name: np.where(np.isin(values, codes), np.nan, values) for name, values in rows.numbers.items()}
    return replace(rows, numbers=numbers)


def _number(code: str) -> float:
    try:
        return float(code)
    except ValueError:
        raise EvidenceError(
            f"{spelling.option('missing')} takes numbers that stand for missing scores, got {code!r}",
            remedy=f"Words such as NA are missing values already. If all numbers are scores, pass "
            f"{spelling.option('missing', 'none')}.",
        ) from None
