"""The reading report: format, used and unused columns, and findings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from betterthan.findings import Finding
from betterthan.present import Holds

_SHOWN = 12


@dataclass(frozen=True)
class SystemProfile:
    """A system's name on the board, and what a site shows next to it; absent parts are None."""

    name: str
    group: str | None = None
    colour: str | None = None
    link: str | None = None
    licence: str | None = None


@dataclass(frozen=True)
class Reading:
    """The reading report: the format, the columns used for each role, those ignored, and findings.

    >>> print(Reading.of("judgments", {"left": "a", "right": "b"}, ["a", "b", "turn"]))
    Read as judgments: left = a, right = b; ignored: turn.
    """

    holds: ClassVar[Holds] = ("format", "about", "used", "ignored", "files_ignored")

    format: str
    used: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    files_ignored: tuple[str, ...] = ()
    about: str = ""  # the content of a tool's files, such as '3 systems, 2 tasks'
    findings: tuple[Finding, ...] = ()
    watched: bool = False  # results were read while judgments came in, as in a campaign
    profiles: Mapping[str, SystemProfile] = field(default_factory=dict)  # what is published about systems
    from_files: bool = False  # evidence in memory needs no report on how it was read

    @classmethod
    def of(
        cls,
        name: str,
        roles: Mapping[str, str | Sequence[str]],
        columns: Iterable[str],
        findings: Sequence[Finding] = (),
        about: str = "",
    ) -> "Reading":
        """Return the reading report of a table: columns by role, and ignored columns."""
        used = {role: found if isinstance(found, str) else ", ".join(found) for role, found in roles.items() if found}
        names = {name for found in roles.values() for name in ((found,) if isinstance(found, str) else found)}
        return cls(
            name, used, tuple(each for each in columns if each not in names), about=about, findings=tuple(findings)
        )

    def publishing(self, systems: Mapping[str, Mapping[str, str | None]]) -> "Reading":
        """Return the report with what is published about systems, by their names on the board."""
        return replace(self, profiles={name: SystemProfile(name, **said) for name, said in systems.items()})

    def using(self, role: str, columns: Sequence[str]) -> "Reading":
        """Return the report with further columns that are used; of a path the column that it begins in."""
        if not columns:
            return self
        known = {*columns, *(each for each in self.ignored if any(name.startswith(f"{each}.") for name in columns))}
        return replace(
            self,
            used={**self.used, role: ", ".join(columns)},
            ignored=tuple(each for each in self.ignored if each not in known),
        )

    def __str__(self) -> str:
        used = ", ".join(f"{role} = {column}" for role, column in self.used.items())
        told = "; ".join(part for part in (self.about, used) if part)
        ignored = f"; ignored: {_listed(self.ignored)}" if self.ignored else ""
        return f"Read as {self.format}{': ' if told else ''}{told}{ignored}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
