"""One coefficient of a fitted model: estimate, error, test, interval and odds."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from betterthan.inference import tails
from betterthan.present import chance


@dataclass(frozen=True)
class Coefficient:
    """One term. That of the reference is 0 by definition; an aliased one is determined by others.

    `df` are the degrees of freedom of its test and interval (Student's t), None for the normal distribution. A term
    whose error the units of dependence do not tell has an estimate, and neither error nor test.
    """

    term: str
    kind: str
    estimate: float | None
    se: float | None
    z: float | None
    df: float | None
    p: float | None
    low: float | None
    high: float | None
    odds: float | None  # what the term multiplies the odds of winning (or of being undecided) by
    reference: bool = False
    aliased: bool = False
    infinite: bool = False

    @classmethod
    def of(
        cls,
        term: str,
        kind: str,
        estimate: float,
        error: tuple[float, float],
        level: float,
        *,
        infinite: bool = False,
    ) -> "Coefficient":
        """Make one from estimate, standard error and degrees of freedom (infinite: normal)."""
        (se, df), odds = error, float(np.exp(min(estimate, 700.0)))
        if not np.isfinite(se):
            return cls(term, kind, estimate, None, None, None, None, None, None, odds, infinite=infinite)
        z = estimate / se if se > 0 else None
        p = float(2 * tails.t_above(abs(z), df)) if z is not None else None
        reach = tails.t_quantile((1 + level) / 2, df) * se
        freedom = float(df) if np.isfinite(df) else None
        return cls(term, kind, estimate, se, z, freedom, p, estimate - reach, estimate + reach, odds, infinite=infinite)

    @classmethod
    def reference_one(cls, term: str) -> "Coefficient":
        """Make that of the system of reference."""
        return cls(term, "strength", 0.0, 0.0, None, None, None, 0.0, 0.0, 1.0, reference=True)

    @classmethod
    def aliased_one(cls, term: str, kind: str) -> "Coefficient":
        """Make one that cannot be estimated."""
        return cls(term, kind, None, None, None, None, None, None, None, None, aliased=True)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dict(self.__dict__)

    def at_level(self, level: float) -> "Coefficient":
        """Return it with an interval at another level."""
        if self.estimate is None or self.se is None or self.low is None:
            return self
        reach = tails.t_quantile((1 + level) / 2, np.inf if self.df is None else self.df) * self.se
        return replace(self, low=self.estimate - reach, high=self.estimate + reach)

    def halved(self) -> "Coefficient":
        """Return it on the scale of λ."""
        parts = {
            name: value / 2 for name in ("estimate", "se", "low", "high") if (value := getattr(self, name)) is not None
        }
        return replace(self, **parts) if self.kind == "strength" else self


def line_of(each: Coefficient, *, student: bool) -> list[str]:
    """Return a coefficient as a line of the table, with degrees of freedom where its test is Student's t."""
    nothing = [""] * (3 if student else 2)
    if each.reference:
        return [each.term, "0", "", *nothing, "reference", ""]
    if each.estimate is None:
        return [each.term, "", "", *nothing, "aliased", ""]
    if each.se is None:
        return [each.term, f"{each.estimate:.5f}", "", *nothing, "not known", f"{each.odds:.4g}"]
    numbers = [
        f"{each.estimate:.5f}",
        f"{each.se:.5f}",
        f"{each.z:.3f}" if each.z is not None else "",
        *([f"{each.df:.1f}" if each.df is not None else ""] if student else []),
        chance(each.p) if each.p is not None else "",
    ]
    if each.infinite:
        return [each.term, *numbers, "no maximum", ""]
    return [each.term, *numbers, f"{each.low:.4f} … {each.high:.4f}", f"{each.odds:.4g}"]
