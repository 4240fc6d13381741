"""Findings as cards: title, what was found, why it matters and what to do; the gravest first."""

from collections.abc import Collection, Iterable
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


def cards(findings: Iterable[Finding], hidden: Collection[str] = ()) -> list[Card]:
    """Return a card for every finding, in their order, but for those that name somebody who is hidden."""
    kinds = all_kinds()
    found = []
    for finding in findings:
        if any(repr(name) in f"{finding.message} {finding.hint}" for name in hidden):
            continue
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


def judge_names(part: Part) -> tuple[str, ...]:
    """Return the names of all judges."""
    found = [judge.name for judge in part.diagnosis.judges.judges] if part.diagnosis.judges is not None else []
    repeats = part.data.scores.repeats if part.data.scores is not None else None
    return (*found, *(repeats.judge.labels if repeats is not None and repeats.judge is not None else ()))
