"""Formats: how evidence lies in files and tables, one module each in `formats/`, or in another package."""

import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol

from betterthan.errors import EvidenceError, nearest
from betterthan.evidence.evidence import Kind
from betterthan.evidence.judgments import Judgments
from betterthan.evidence.rankings import Rankings
from betterthan.evidence.scores import Scores
from betterthan.options.read import ReadOptions
from betterthan.plugins import loaded

#: Entry points of this group name a format.
GROUP = "betterthan.formats"

AnyEvidence = Judgments | Rankings | Scores


@dataclass(frozen=True)
class Recognition:
    """How sure a format is that something is its own, from 0 to 1, and what makes it think so."""

    certainty: float
    reason: str


class Format(Protocol):
    """One way in which evidence is laid out.

    `takes` says what `recognise` and `read` are given: an open table, or the places (`Places`: every file of what was
    given, folders walked). `uses` names the options that it uses, beside those that every format has.
    """

    @property
    def name(self) -> str:
        """What to say to choose it."""

    @property
    def kind(self) -> Kind:
        """The kind of evidence that it holds."""

    @property
    def about(self) -> str:
        """What it looks like, in one line."""

    @property
    def takes(self) -> Literal["table", "places"]:
        """What it recognises and reads."""

    @property
    def uses(self) -> frozenset[str]:
        """Options that have an effect on it."""

    @property
    def surest(self) -> float:
        """How certain it can be at most: it is not asked where another format is more certain than that."""

    def recognise(self, found: Any, options: ReadOptions) -> Recognition | None:
        """Say how sure it is that this is its own, None where it is not."""

    def read(self, found: Any, options: ReadOptions) -> AnyEvidence:
        """Read evidence from a table, or from places."""

    def example(self, folder: Path) -> Any:
        """Return something small to read: columns, or the path of what it wrote into the folder."""


@cache
def table_formats() -> tuple[Format, ...]:
    """Return the formats of tables that this package has."""
    return _found_in("betterthan.evidence.formats")


@cache
def tool_formats() -> tuple[Format, ...]:
    """Return the formats of other tools: some thirty modules, so they are asked for where files may be theirs.

    Our own campaigns are among them, found by name as those of other packages are: they are built upon evidence.
    """
    return (*_found_in("betterthan.evidence.formats.tools"), *_found_in("betterthan.campaign.formats"))


@cache
def plugged_formats() -> tuple[Format, ...]:
    """Return the formats that other packages bring by entry points."""
    return tuple(loaded(GROUP))


def _found_in(package: str) -> tuple[Format, ...]:
    modules = pkgutil.iter_modules(import_module(package).__path__)
    return tuple(import_module(f"{package}.{each.name}").FORMAT for each in modules if not each.ispkg)


def all_formats() -> Mapping[str, Format]:
    """Return every format by its name."""
    formats: dict[str, Format] = {}
    for each in [*table_formats(), *tool_formats(), *plugged_formats()]:
        if formats.setdefault(each.name, each) is not each:
            raise EvidenceError(f"two formats are called {each.name!r}", remedy="Remove one of the packages.")
    return MappingProxyType(formats)


def format_called(name: str) -> Format:
    """Return a format by its name."""
    if name not in all_formats():
        raise EvidenceError(f"there is no format {name!r}", remedy=nearest(name, list(all_formats())))
    return all_formats()[name]


def formats() -> Sequence[tuple[str, str, str]]:
    """Return name, kind and description of every format that can be read.

    >>> formats()[0]
    ('judgments', 'judgments', 'one comparison per row: two systems and who won, or how often each did')
    """
    return [(each.name, each.kind, each.about) for each in all_formats().values()]
