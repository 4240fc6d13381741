"""Findings: each kind is declared once, with its texts and thresholds."""

from typing import TYPE_CHECKING

from betterthan.base import lazy_exports
from betterthan.findings.finding import Finding, Level
from betterthan.findings.kind import Kind
from betterthan.findings.wording import counted, listed, marked, named, percent

__all__ = ["Finding", "Kind", "Level", "counted", "listed", "marked", "named", "percent"]

if TYPE_CHECKING:
    from betterthan.findings import kinds as kinds
    from betterthan.findings.finding import merge_findings as merge_findings
    from betterthan.findings.registry import all_kinds as all_kinds
    from betterthan.findings.registry import explain as explain
    from betterthan.findings.wording import counted as counted

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "finding": "merge_findings",
        "kinds": "*",
        "registry": "all_kinds explain",
        "wording": "counted",
    },
)
