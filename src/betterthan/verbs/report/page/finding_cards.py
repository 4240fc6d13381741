"""Findings as cards: title, message, explanation and remedy."""

from collections.abc import Iterable
from dataclasses import dataclass

from betterthan.findings import Finding


@dataclass(frozen=True)
class FindingCard:
    """One finding for readers who do not know its code."""

    level: str
    code: str
    title: str
    found: str
    why: str
    remedy: str


def cards_of_findings(findings: Iterable[Finding]) -> list[FindingCard]:
    """Return a card for every finding, in their order."""
    return [
        FindingCard(_level(each), each.code, each.title or each.code, each.message, each.why, each.hint)
        for each in findings
    ]


def _level(finding: Finding) -> str:
    return "Warning" if finding.level == "warning" else "Note"
