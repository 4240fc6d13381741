"""What a board controls for, as it is shown: effects with intervals, and the board without control."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from betterthan.present import Column, Holds, Table


@dataclass(frozen=True)
class Effect:
    """An effect of what is controlled for: how much one unit of it adds to the log-odds of winning.

    `scale` is the standard deviation that the difference of both sides was divided by. Without intervals there is no
    standard error.
    """

    name: str
    unit: str
    columns: tuple[str, ...]
    scale: float | None
    estimate: float
    std_error: float | None
    low: float | None
    high: float | None
    p: float | None

    @property
    def odds(self) -> float:
        """By how much one unit multiplies the odds of winning."""
        return float(np.exp(self.estimate))


@dataclass(frozen=True)
class Uncontrolled:
    """Rank and score of a system on the board without control, on the same judgments."""

    rank: int | None
    score: float | None


@dataclass(frozen=True)
class Control:
    """Effects, and the board without control."""

    holds: ClassVar[Holds] = ("effects", "without", "leader_changes")

    effects: tuple[Effect, ...]
    without: Mapping[str, Uncontrolled] = field(default_factory=dict)
    leader_changes: bool = False

    @property
    def sentence(self) -> str | None:
        """Who ranks first without control, where that is another system."""
        if not self.leader_changes:
            return None
        first = min((each.rank or len(self.without) + 1, system) for system, each in self.without.items())[1]
        return f"Without control, {first} ranks first."

    def table(self, level: float) -> Table:
        """Return the effects as a table."""
        drawn = any(effect.low is not None for effect in self.effects)
        headings = [
            Column("effect", "left"),
            Column("log-odds"),
            *([Column(f"{100 * level:g} % interval", "left"), Column("p")] if drawn else []),
            Column("odds"),
            Column("per", "left", True, 1),
        ]
        cells = [
            [
                effect.name,
                f"{effect.estimate:z.3f}",
                *([_interval(effect), _p(effect.p)] if drawn else []),
                f"× {effect.odds:.2f}",
                effect.unit if effect.scale is None else f"{_short(effect.unit)} ({effect.scale:.3g})",
            ]
            for effect in self.effects
        ]
        return Table(headings, cells, frozenset(), "")


def _short(unit: str) -> str:
    return unit.replace("standard deviation", "SD")


def _interval(effect: Effect) -> str:
    return "" if effect.low is None or effect.high is None else f"{effect.low:z.3f} … {effect.high:z.3f}"


def _p(p: float | None) -> str:
    if p is None:
        return ""
    return f"{p:.1e}" if p < 0.001 else f"{p:.3f}"
