"""Findings as cards: title, what was found, why it matters and what to do."""

from collections.abc import Iterable
from dataclasses import dataclass

from betterthan.findings import Finding


@dataclass(frozen=True)
class Card:
    """One finding for a reader who has never seen its code."""

    level: str
    code: str
    title: str
    found: str
    why: str
    remedy: str


def cards(findings: Iterable[Finding]) -> list[Card]:
    """Return a card for every finding, in their order."""
    return [
        Card(_level(each), each.code, each.title or each.code, each.message, each.why, each.hint) for each in findings
    ]


def _level(finding: Finding) -> str:
    return "Warning" if finding.level == "warning" else "Note"
