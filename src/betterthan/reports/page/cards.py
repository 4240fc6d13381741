"""Findings as cards: title, what was found, why it matters and what to do; the gravest first."""

from dataclasses import dataclass

from betterthan.findings import Finding
from betterthan.findings.registry import all_kinds
from betterthan.findings.words import filled
from betterthan.reports.parts import Part


@dataclass(frozen=True)
class Card:
    """One finding for a reader who has never seen its code."""

    level: str
    code: str
    title: str
    found: str
    why: str
    remedy: str


def cards(part: Part) -> list[Card]:
    """Return a card for every finding, warnings first."""
    kinds = all_kinds()
    found = []
    for finding in part.findings:
        kind = kinds.get(finding.code)
        why = filled(kind.why, {**kind.thresholds, **finding.numbers}) if kind is not None else ""
        found.append(
            Card(
                _level(finding), finding.code, kind.title if kind else finding.code, finding.message, why, finding.hint
            )
        )
    return found


def _level(finding: Finding) -> str:
    return "Warning" if finding.level == "warning" else "Note"
