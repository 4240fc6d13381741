"""How something was read: its format, the columns that were used and those that were not, and what to know about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from betterthan.findings import Finding
from betterthan.present.document import Holds

_SHOWN = 12


@dataclass(frozen=True)
class Reading:
    """The format, what was used for which role, what was ignored, and findings about it.

    >>> print(Reading.of("judgments", {"left": "a", "right": "b"}, ["a", "b", "turn"]))
    Read as judgments: left = a, right = b; ignored: turn.
    """

    holds: ClassVar[Holds] = ("format", "about", "used", "ignored", "files_ignored")

    format: str
    used: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    files_ignored: tuple[str, ...] = ()
    about: str = ""  # what a tool's files hold, such as '3 systems, 2 tasks'
    findings: tuple[Finding, ...] = ()
    from_files: bool = False  # what is in memory already need not be told how it was read

    @classmethod
    def of(
        cls,
        name: str,
        roles: Mapping[str, str | Sequence[str]],
        columns: Iterable[str],
        findings: Sequence[Finding] = (),
        about: str = "",
    ) -> "Reading":
        """Say which of a table's columns play which role; all others were ignored."""
        used = {role: found if isinstance(found, str) else ", ".join(found) for role, found in roles.items() if found}
        names = {name for found in roles.values() for name in ((found,) if isinstance(found, str) else found)}
        return cls(
            name, used, tuple(each for each in columns if each not in names), about=about, findings=tuple(findings)
        )

    def __str__(self) -> str:
        used = ", ".join(f"{role} = {column}" for role, column in self.used.items())
        told = "; ".join(part for part in (self.about, used) if part)
        ignored = f"; ignored: {_listed(self.ignored)}" if self.ignored else ""
        return f"Read as {self.format}{': ' if told else ''}{told}{ignored}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
