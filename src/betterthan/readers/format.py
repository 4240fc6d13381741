"""The base class of formats: how evidence is laid out in files and tables."""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol

from betterthan.base import PROVIDED, EvidenceError, load_plugins, nearest
from betterthan.engine import Places
from betterthan.evidence import Judgments, Kind, Rankings, Scores
from betterthan.options import ReadOptions
from betterthan.readers import formats as formats_of_tables

#: Entry points of this group name a format.
GROUP = "betterthan.formats"

AnyEvidence = Judgments | Rankings | Scores


@dataclass(frozen=True)
class Recognition:
    """A format's confidence that an input is its own, from 0 to 1, with the reasons."""

    certainty: float
    reason: str


class Format(Protocol):
    """One layout of evidence.

    `takes` says what `recognise` and `read` are given: an open table, or the places (`Places`: all given files, folders
    expanded). `uses` names the options that it uses, in addition to those that every format has.
    """

    @property
    def name(self) -> str:
        """The name by which users choose it."""

    @property
    def kind(self) -> Kind:
        """The kind of evidence that it holds."""

    @property
    def about(self) -> str:
        """A one-line description of the layout."""

    @property
    def takes(self) -> Literal["table", "places"]:
        """The kind of input that it recognises and reads."""

    @property
    def uses(self) -> frozenset[str]:
        """Options that have an effect on it."""

    @property
    def surest(self) -> float:
        """How certain it can be at most: it is not asked where another format is more certain than that."""

    def recognise(self, found: Any, options: ReadOptions) -> Recognition | None:
        """Return its confidence that an input is its own, None if it is not."""

    def read(self, found: Any, options: ReadOptions) -> AnyEvidence:
        """Read evidence from a table, or from places."""

    def example(self, folder: Path) -> Any:
        """Return a small example: columns, or the path of a file written into the folder."""


@cache
def table_formats() -> Mapping[str, Callable[[], Format]]:
    """Return the formats of tables that this package has: by the name of their file, what loads each."""
    names = [each.name for each in pkgutil.iter_modules(formats_of_tables.__path__) if not each.ispkg]
    return {name: partial(_format_in, f"{formats_of_tables.__name__}.{name}") for name in names}


def tool_formats(places: Places | None = None) -> tuple[Format, ...]:
    """Return the formats of other tools that may read some of these files; without files, all of them.

    There are some seventy modules, so most are imported only for files with matching first bytes.
    """
    without = frozenset[str]() if places is None else formats_of_tables.unmarked([file.head for file in places])
    found = list(_found_in("betterthan.readers.formats.tools", without))
    if places is None or any(file.is_json for file in places):
        found += _found_in("betterthan.readers.formats.json_tools")
    found.sort(key=lambda each: type(each).__module__.rpartition(".")[2])
    for provided in PROVIDED:
        if places is None or any(file.head.startswith(provided.head) for file in places):
            found += _found_in(provided.package)
    return tuple(found)


@cache
def plugged_formats() -> tuple[Format, ...]:
    """Return the formats that plug-ins provide by entry points."""
    return tuple(load_plugins(GROUP))


@cache
def _found_in(package: str, without: frozenset[str] = frozenset()) -> tuple[Format, ...]:
    modules = pkgutil.iter_modules(import_module(package).__path__)
    names = [each.name for each in modules if not each.ispkg and each.name not in without]
    return tuple(_format_in(f"{package}.{name}") for name in names)


def _format_in(module: str) -> Format:
    found: Format = import_module(module).FORMAT
    return found


def all_formats() -> Mapping[str, Format]:
    """Return every format by its name."""
    formats: dict[str, Format] = {}
    for each in [*(load() for load in table_formats().values()), *tool_formats(), *plugged_formats()]:
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

    Returns
    -------
    list of tuple
        Name, kind of evidence and description.

    Examples
    --------
    >>> [kind for name, kind, _ in formats() if name == "rankings-long"]
    ['rankings']
    """
    return [(each.name, each.kind, each.about) for each in all_formats().values()]
