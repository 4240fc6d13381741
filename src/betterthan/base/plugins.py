"""Plug-ins: objects that other packages register by entry points, and formats that higher layers provide."""

from __future__ import annotations

import os
import sys
from functools import cache

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all else
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.metadata import EntryPoint
    from typing import Any

#: Groups of entry points by which other packages add something: what an entry point is, and what its name means.
GROUPS: Mapping[str, tuple[str, str]] = {
    "betterthan.models": ("a model's class", "the model's name"),
    "betterthan.metrics": ("a metric's class", "the metric's name"),
    "betterthan.formats": ("a format: an object, not its class", "any"),
    "betterthan.policies": ("a policy's class", "the policy's name"),
    "betterthan.studies": ("a study's class", "the study's name"),
    "betterthan.findings": ("a module that declares kinds of findings", "any"),
    "betterthan.checks": ("a check of `diagnose`: a function", "any"),
    "betterthan.columns": ("a column of leaderboards: an object, not its class", "any"),
}


class ProvidedFormats:
    """A package of a higher layer with a format per file, and the first bytes of the files that it reads."""

    __slots__ = ("head", "package")

    def __init__(self, package: str, head: bytes) -> None:
        self.package, self.head = package, head


#: Entered by `betterthan/__init__.py`, the one place that knows every layer.
PROVIDED: list[ProvidedFormats] = []


def entries(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, without loading what they name."""
    if not _any(tuple(sys.path)):
        return []
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow, and hardly ever needed)

    return list(entry_points(group=group))


def load(entry: EntryPoint) -> Any:
    """Load what an entry point names, or say which package is broken."""
    try:
        return entry.load()
    except Exception as error:
        from betterthan.base.errors import PlanError  # noqa: PLC0415 (naming formats needs no messages)

        raise PlanError(
            f"{entry.value} (entry point {entry.name!r} of {entry.group}) cannot be loaded: {error}",
            remedy="Update or remove the package.",
        ) from error


def load_plugins(group: str) -> list[Any]:
    """Return everything that other packages add to a group."""
    return [load(entry) for entry in entries(group)]


@cache
def _any(places: tuple[str, ...]) -> bool:
    """Look into what installed packages declare: a tenth of the time that importlib.metadata takes to load."""
    for place in places:
        folder = place or os.curdir
        if os.path.isfile(folder):
            return True  # an archive, which only importlib.metadata can look into
        if os.path.isdir(folder) and any(b"[betterthan." in declared for declared in _declarations(folder)):
            return True
    return False


def _declarations(folder: str) -> Iterator[bytes]:
    """Yield what each package of a folder declares; there may be hundreds, so names stay plain texts."""
    for name in os.listdir(folder):
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(f"{folder}/{name}/entry_points.txt", "rb") as declared:
                    yield declared.read()
            except OSError:
                continue
