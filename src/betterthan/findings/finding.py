"""What a result wants its reader to know, beside the numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["info", "warning"]


@dataclass(frozen=True)
class Finding:
    """One problem of a result, or fact about it; `value` is the number behind it, `numbers` are all in its text.

    >>> print(Finding("never-wins", "warning", "'owl' never won.", "Compare it with weaker systems."))
    ! never-wins: 'owl' never won. Compare it with weaker systems.
    """

    code: str
    level: Level
    message: str
    hint: str = ""
    value: float | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        mark = "!" if self.level == "warning" else "i"
        return f"{mark} {self.code}: {self.message} {self.hint}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values."""
        numbers = {name: list(value) if isinstance(value, tuple) else value for name, value in self.numbers.items()}
        return {**vars(self), "numbers": numbers}
