"""Doubts are data: what a result wants its reader to know, beside the numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Level = Literal["info", "warning"]


@dataclass(frozen=True)
class Finding:
    """One doubt or fact about a result; `value` is the number behind it, where there is one.

    >>> Finding("never-wins", "warning", "'owl' never wins", "compare it with weaker systems").code
    'never-wins'
    """

    code: str
    level: Level
    message: str
    hint: str = ""
    value: float | None = None

    def __str__(self) -> str:
        mark = "!" if self.level == "warning" else "i"
        return f"{mark} {self.code}: {self.message}" + (f" ({self.hint})" if self.hint else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values."""
        return asdict(self)


def counted(number: float, noun: str) -> str:
    """Write a number with its noun, in the plural where it is not one.

    >>> counted(1, "instance"), counted(1200, "item")
    ('1 instance', '1,200 items')
    """
    return f"{number:,.0f} {noun}{'' if number == 1 else 's'}"


def listed(names: Sequence[str], which: Iterable[bool]) -> str:
    """Name those that are marked, five of them at most.

    >>> listed(["owl", "yak", "elk"], [True, False, True])
    "'owl', 'elk'"
    """
    marked = [repr(name) for name, mark in zip(names, which, strict=True) if mark]
    return ", ".join(marked[:5]) + (f" and {len(marked) - 5} more" if len(marked) > 5 else "")
