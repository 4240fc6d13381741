"""Margins: how much worse a metric may become, or how much better it must be."""

import re
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Any, Self

from betterthan.base import PlanError, spelling

_WRITTEN = re.compile(r"(?P<sign>[+-]?)(?P<amount>\d+(?:\.\d*)?|\.\d+)\s*(?P<percent>%?)")


@dataclass(frozen=True)
class Margin:
    """An amount, in the metric's unit or as a share of the old mean; `sign` where one was written."""

    amount: float
    relative: bool
    sign: str
    text: str

    @classmethod
    def of(cls, option: str, value: Any) -> Self:
        """Read a margin as it was given.

        >>> Margin.of("not_worse_than", "2%")
        Margin(amount=0.02, relative=True, sign='', text='2%')
        """
        text = str(value).strip()
        found = None if isinstance(value, bool) else _WRITTEN.fullmatch(text)
        if found is None or not isfinite(amount := float(found["amount"])):
            raise PlanError(f"{spelling.option(option)} must be a margin such as 0.02 or 2%, got {text!r}.")
        relative = bool(found["percent"])
        return cls(amount / 100 if relative else amount, relative, found["sign"], text)

    def unsigned(self, option: str) -> Self:
        """Return the margin, or refuse one with a sign."""
        if self.sign:
            raise PlanError(f"{spelling.option(option)} takes a margin without a sign, got {self.text!r}.")
        return self

    def suits(self, metric: str, *, less: bool) -> Self:
        """Return the margin of a guard, or refuse a sign that means the other direction; `less` is better."""
        worse = "+" if less else "-"
        if self.sign and self.sign != worse:
            direction = "less" if less else "more"
            said = "none" if less else metric
            raise PlanError(
                f"{spelling.option('guard')} {metric}={self.text} lets {metric} "
                f"{'fall' if less else 'rise'}, but {direction} of it is better",
                remedy=f"Write {metric}={worse}{self.text[1:]}, or say which direction is better with "
                f"{spelling.option('lower_is_better', said)}.",
            )
        return self


def suggested(detectable: float | None) -> str | None:
    """Return a margin that can be shown, rounded up to one digit.

    >>> suggested(0.0312), suggested(0.2), suggested(17.1), suggested(None)
    ('0.04', '0.2', '20', None)
    """
    if detectable is None or not detectable > 0:
        return None
    step = 10.0 ** floor(log10(detectable))
    return f"{ceil(detectable / step - 1e-9) * step:.10g}"
