"""Findings: messages about the evidence or the method, attached to a result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Level = Literal["info", "warning"]


@dataclass(frozen=True)
class Finding:
    """A finding about a result; `value` is the number behind it, `numbers` are all numbers in its text.

    `title` and `why` are those of its kind: what it is in a few words, and why it matters.

    >>> print(Finding("never-wins", "warning", "'owl' never won.", "Compare it with weaker systems."))
    ! never-wins: 'owl' never won. Compare it with weaker systems.
    """

    code: str
    level: Level
    message: str
    hint: str = ""
    value: float | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict, hash=False)
    title: str = ""
    why: str = ""

    def __str__(self) -> str:
        return f"{self._mark} {self.code}: {self.message} {self.hint}".rstrip()

    @property
    def _mark(self) -> str:
        return "!" if self.level == "warning" else "i"

    def in_full(self) -> list[str]:
        """Return every part on a line of its own: what it is, what was found, why it matters, what to do."""
        parts = {"Found": self.message, "Why it matters": self.why, "What to do": self.hint}
        title = f": {self.title}." if self.title else ""
        return [f"{self._mark} {self.code}{title}", *(f"  {name}: {text}" for name, text in parts.items() if text)]

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values."""
        numbers = {name: list(value) if isinstance(value, tuple) else value for name, value in self.numbers.items()}
        return {**vars(self), "numbers": numbers}


def merge_findings(named: Sequence[tuple[str, Sequence[Finding]]]) -> list[Finding]:
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
