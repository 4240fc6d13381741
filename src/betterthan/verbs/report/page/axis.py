"""The axis of intervals drawn inside table rows: limits, ticks and positions in per cent."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

#: Room at both ends of the axis, where open ends of intervals reach to.
_MARGIN = 0.06


@dataclass(frozen=True)
class Axis:
    """An axis: positions between two limits, in per cent of the width.

    >>> axis = Axis.over([0.0, 1.0])
    >>> axis.place(0.5), axis.ticks()
    (50.0, [(0.0, '0.0'), (0.5, '0.5'), (1.0, '1.0')])
    """

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float | None]) -> "Axis":
        """Span all values that are known."""
        known = [value for value in values if value is not None] or [0.0, 1.0]
        low, high = min(known), max(known)
        reach = _MARGIN * (high - low) or abs(low) or 1.0
        return cls(low - reach, high + reach)

    def place(self, value: float | None, otherwise: float = 0.0) -> float:
        """Return the position of a value, or of an open end."""
        if value is None:
            return otherwise
        return round(100 * (value - self.low) / (self.high - self.low), 2)

    def ticks(self) -> list[tuple[float, str]]:
        """Return two to five round numbers within the ends, and how to write them."""
        span = self.high - self.low
        size = 10.0 ** floor(log10(span))
        step = next(factor * size for factor in (0.2, 0.25, 0.5, 1, 2, 2.5, 5) if span / (factor * size) < 4)
        digits = max(0, -floor(log10(step) + 1e-9) + (1 if f"{step:e}".startswith("2.5") else 0))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        values = [number * step for number in range(first, last + 1)]
        return [(value, f"{value:,.{digits}f}") for value in values]
