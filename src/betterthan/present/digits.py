"""How many digits of a number to show, given its interval."""

from collections.abc import Iterable
from math import floor, isfinite, log10

#: Digits of a number whose interval has an open end.
_WITHOUT = 3
_MOST = 12


def decimals(intervals: Iterable[tuple[float | None, float | None]]) -> int | None:
    """Return the decimal places that show two digits of half the usual interval; None where no interval is closed.

    >>> decimals([(48.5, 53.8), (50.1, 58.0)]), decimals([(958.2, 1041.7)]), decimals([(None, 3.0)])
    (1, 0, None)
    """
    halves = [(high - low) / 2 for low, high in intervals if low is not None and high is not None and low < high]
    halves = sorted(half for half in halves if isfinite(half))
    if not halves:
        return None
    median = (halves[(len(halves) - 1) // 2] + halves[len(halves) // 2]) / 2  # `statistics` takes a while to load
    return min(max(1 - floor(log10(median)), 0), _MOST)


def rounded(value: float | None, places: int | None) -> str:
    """Return a number with that many decimal places, or with three digits where their number is not known.

    >>> rounded(2.52817, 1), rounded(-0.04, 1), rounded(0.0123456, None), rounded(None, 2)
    ('2.5', '0.0', '0.0123', '')
    """
    if value is None:
        return ""
    return f"{value:z.{_WITHOUT}g}" if places is None else f"{value:z.{places}f}"
