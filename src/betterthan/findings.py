"""Doubts are data: what a result wants its reader to know, beside the numbers."""

from dataclasses import asdict, dataclass
from typing import Literal

Level = Literal["info", "warning"]


@dataclass(frozen=True)
class Finding:
    """One doubt or fact about a result.

    >>> Finding("never-wins", "warning", "'owl' never wins", "compare it with weaker systems").code
    'never-wins'
    """

    code: str
    level: Level
    message: str
    hint: str = ""

    def __str__(self) -> str:
        mark = "!" if self.level == "warning" else "i"
        return f"{mark} {self.code}: {self.message}" + (f" ({self.hint})" if self.hint else "")

    def to_dict(self) -> dict[str, str]:
        """Return the finding as plain JSON values."""
        return asdict(self)
