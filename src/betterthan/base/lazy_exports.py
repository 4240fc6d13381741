"""Lazy imports: packages export names and load the files behind them on first use; SciPy is loaded on first use."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all else
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_files(package: str) -> Callable[[str], Any]:
    """Return `__getattr__` of a package whose files are namespaces, each loaded when it is first requested."""

    def get(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError:
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return get


def lazy_exports(
    package: str, homes: Mapping[str, str], below: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package that exports names of its files.

    Parameters
    ----------
    package
        The package's `__name__`.
    homes
        For each file, by its dotted path below the package, the names it exports, separated by spaces; `*` exports
        the file itself as a namespace.
    below
        The package that the files are below, where it is another one.
    """
    place = below or package
    found = {name: home for home, names in homes.items() for name in names.split()}
    files = {home.split(".")[-1]: home for home, names in homes.items() if "*" in names.split()}

    def get(name: str) -> Any:
        if name in files:
            value: Any = import_module(f"{place}.{files[name]}")
        elif name in found:
            value = getattr(import_module(f"{place}.{found[name]}"), name)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *found, *files} - {"*"})

    return get, names


class _Late:
    """A placeholder for a package that is imported on first attribute access."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._before: list[Callable[[], None]] = []

    def before(self, work: Callable[[], None]) -> None:
        """Do this once, before the package is first imported."""
        self._before.append(work)

    def __getattr__(self, name: str) -> Any:
        while self._before:
            self._before.pop()()
        return getattr(import_module(self._package), name)


#: Small evidence can be ranked without it.
scipy: Any = _Late("scipy")
