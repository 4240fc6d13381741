"""Agreement with a paper in three states, decided by an interval and a margin: the only place with this rule."""

from dataclasses import dataclass
from typing import Literal

from betterthan.inference import Estimate

#: The three states of a statement.
Agreement = Literal["agrees", "differs", "cannot tell"]
#: Margins of printed figures where a study has no reason for others: shares and correlations, and accuracies.
SHARE_MARGIN, ACCURACY_MARGIN = 0.05, 0.01


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The figures that agree with a statement: those between `low` and `high`, without the ends where `strict`.

    `printed` is the figure that the paper prints, `exact` says that ours has no sampling error.

    >>> Expected(low=0.0, strict=True).agreement_of(Estimate(0.4, -0.1, 0.9))
    'cannot tell'
    """

    low: float | None = None
    high: float | None = None
    strict: bool = False
    printed: float | None = None
    exact: bool = False

    def agreement_of(self, ours: Estimate) -> Agreement:
        """Return `agrees` if the whole interval lies within the margin, `differs` if all of it lies beyond.

        Without an interval, or with one of no width because nothing varied, there is nothing to decide by.
        """
        low, high = (ours.value, ours.value) if self.exact else (ours.low, ours.high)
        if ours.value is None or low is None or high is None or (low == high and not self.exact):
            return "cannot tell"
        if self._reaches(low) and self._stays(high):
            return "agrees"
        if (self.high is not None and not self._stays(low)) or (self.low is not None and not self._reaches(high)):
            return "differs"
        return "cannot tell"

    def __str__(self) -> str:
        """Return the margin as text."""
        if self.low is not None and self.high is not None:
            middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
            around = abs(middle - (self.printed or 0.0)) <= 1e-9
            return f"within ±{half:.2g}" if around else f"{self.low:g} to {self.high:g}"
        ends = ("above", "below") if self.strict else ("at least", "at most")
        return f"{ends[0]} {self.low:g}" if self.low is not None else f"{ends[1]} {self.high:g}"

    def _reaches(self, value: float) -> bool:
        return self.low is None or (value > self.low if self.strict else value >= self.low)

    def _stays(self, value: float) -> bool:
        return self.high is None or (value < self.high if self.strict else value <= self.high)


def near(printed: float, margin: float) -> Expected:
    """Expect a printed figure up to a margin."""
    return Expected(low=printed - margin, high=printed + margin, printed=printed)


def about_zero(margin: float) -> Expected:
    """Expect no difference up to a margin, where the paper prints no figure."""
    return Expected(low=-margin, high=margin)


def rounded(printed: float, digits: int) -> Expected:
    """Expect a figure without sampling error that rounds to a printed one."""
    half = 0.5000001 * 10**-digits
    return Expected(low=printed - half, high=printed + half, printed=printed, exact=True)


def above(least: float) -> Expected:
    """Expect a figure above a bound."""
    return Expected(low=least, strict=True)


def below(most: float) -> Expected:
    """Expect a figure below a bound."""
    return Expected(high=most, strict=True)
