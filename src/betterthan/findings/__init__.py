"""What a result wants its reader to know: every kind of finding, declared once with its texts and thresholds."""

from betterthan.findings.finding import Finding, Level
from betterthan.findings.kind import Kind
from betterthan.findings.words import counted, listed, marked, named, percent

__all__ = ["Finding", "Kind", "Level", "counted", "listed", "marked", "named", "percent"]
