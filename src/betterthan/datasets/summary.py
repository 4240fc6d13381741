"""What a result rests on: the evidence in numbers."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class EvidenceSummary:
    """Rows read and refused, judgments, systems, units, ties, and a fingerprint of the counts."""

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

    def facts(self) -> dict[str, str]:
        """Return what a signature says of the evidence."""
        return {"evidence": self.kind, "conversion": self.conversion}

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "kind": self.kind,
            "rows": self.rows,
            "refused": self.refused,
            "systems": self.systems,
            "items": self.units.get("item"),
            "judges": self.units.get("judge"),
            "rankings": self.units.get("ranking"),
            "groups": self.units.get("group"),
            "judgments": self.judgments,
            "wins": self.wins,
            "ties": self.ties,
            "conversion": self.conversion or None,
            "digest": self.digest,
        }

    def __str__(self) -> str:
        what = "comparison" if self.kind == "scores" else "judgment"
        judged = f"{self.judgments:,.0f} {what}{'' if self.judgments == 1 else 's'}"
        units = [
            f"{self.units[unit]:,} {unit}s" for unit in ("ranking", "item", "group", "judge") if unit in self.units
        ]
        ties = f"{100 * self.ties / (self.wins + self.ties):.0f} % ties"
        return " · ".join([judged, f"{self.systems:,} systems", *units, ties, f"{self.refused:,} refused"])
