"""A summary of the evidence behind a result, in numbers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from betterthan.present import Holds


@dataclass(frozen=True)
class EvidenceSummary:
    """Rows read and refused, judgments, systems, units, ties, and a digest of the counts."""

    holds: ClassVar[Holds] = (
        "kind",
        "rows",
        "refused",
        "systems",
        "items",
        "judges",
        "rankings",
        "groups",
        "judgments",
        ("effective_sample", "effective"),
        "wins",
        "ties",
        "lower_is_better",
        ("conversion", "converted"),
        "digest",
    )

    kind: str
    rows: int
    refused: int
    systems: int
    judgments: float
    wins: float
    ties: float
    digest: str
    units: dict[str, int] = field(default_factory=dict)
    conversion: str = ""
    effective: float | None = None  # sample size, where judgments have weights
    lower_is_better: bool | None = None  # of scores

    def facts(self) -> dict[str, str]:
        """Return the facts about the evidence for the signature."""
        return {"evidence": self.kind, "conversion": self.conversion}

    @property
    def items(self) -> int | None:
        """How many items there are, where they are known."""
        return self.units.get("item")

    @property
    def amount(self) -> float:
        """The number of items of scores, or of judgments."""
        return float(self.units.get("item", 0)) if self.kind == "scores" else self.judgments

    @property
    def judges(self) -> int | None:
        """How many judges there are, where they are known."""
        return self.units.get("judge")

    @property
    def rankings(self) -> int | None:
        """How many rankings there are, where rankings came in."""
        return self.units.get("ranking")

    @property
    def groups(self) -> int | None:
        """How many groups of items there are, where they are the unit."""
        return self.units.get("group")

    @property
    def converted(self) -> str | None:
        """The conversion of the evidence before ranking, None if there was none."""
        return self.conversion or None

    def __str__(self) -> str:
        what = "comparison" if self.kind == "scores" else "judgment"
        judged = f"{self.judgments:,.0f} {what}{'' if self.judgments == 1 else 's'}"
        units = [
            f"{self.units[unit]:,} {unit}s" for unit in ("ranking", "item", "group", "judge") if unit in self.units
        ]
        best = {True: ["less is better"], False: ["more is better"], None: []}[self.lower_is_better]
        ties = f"{100 * self.ties / (self.wins + self.ties):.0f} % ties"
        return " · ".join([judged, f"{self.systems:,} systems", *units, *best, ties, f"{self.refused:,} refused"])


def counted_noun(kind: str) -> str:
    """Return what is counted in evidence of a kind, in the singular.

    >>> counted_noun("scores"), counted_noun("judgments"), counted_noun("rankings")
    ('item', 'judgment', 'judgment')
    """
    return "item" if kind == "scores" else "judgment"


def direction_of(lower: Iterable[bool | None]) -> str | None:
    """Return the metric direction over data sets: `less` for all, `mixed` for some, empty for none.

    >>> direction_of([True, True]), direction_of([True, False]), direction_of([None])
    ('less', 'mixed', None)
    """
    every = [bool(each) for each in lower]
    return None if not any(every) else "less" if all(every) else "mixed"
