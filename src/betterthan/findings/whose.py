"""Findings of several results as one list."""

from collections.abc import Sequence
from dataclasses import replace

from betterthan.findings.finding import Finding


def of_whom(named: Sequence[tuple[str, Sequence[Finding]]]) -> list[Finding]:
    """Return every finding once; those that not all results share say whose they are."""
    whose: dict[Finding, list[str]] = {}
    for name, findings in named:
        for finding in findings:
            whose.setdefault(finding, []).append(name)
    return [
        finding if len(found) == len(named) else replace(finding, message=f"{_some(found)}: {finding.message}")
        for finding, found in whose.items()
    ]


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
