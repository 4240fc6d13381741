"""What is published about a system beside its results: its name, group, colour, link and licence."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SystemProfile:
    """A system's name on the board, and what a site shows beside it; absent parts are None."""

    name: str
    group: str | None = None
    colour: str | None = None
    link: str | None = None
    licence: str | None = None
