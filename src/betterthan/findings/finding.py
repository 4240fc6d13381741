"""What a result wants its reader to know, beside the numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["info", "warning"]


@dataclass(frozen=True)
class Finding:
    """One problem of a result, or fact about it; `value` is the number behind it, `numbers` are all in its text.

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
