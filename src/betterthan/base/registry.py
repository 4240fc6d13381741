"""Registry of classes chosen by name with options, `name(option=value, …)`: models and policies."""

import re
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from betterthan.base.errors import PlanError, meant
from betterthan.base.plugins import entries, load

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_Class = TypeVar("_Class", bound=type[Any])


def split(text: str) -> tuple[str, ...]:
    """Take a list apart at its commas; those within brackets separate options.

    >>> split("mean, elo(k=32,order=file)")
    ('mean', 'elo(k=32,order=file)')
    """
    parts = re.split(r",(?![^(]*\))", text)
    return tuple(part.strip() for part in parts if part.strip())


class Registry:
    """Classes by name, imported on first use from files of a package or from plug-ins' entry points.

    A file is called what it holds, with underscores for dashes, and enters it with `register`. A class of the same name
    in another package does not replace it.
    """

    def __init__(self, kind: str, package: str, group: str, *, shared: tuple[str, ...] = ("base",)) -> None:
        self.kind = kind
        self.package = package
        self.group = group
        self.shared = shared  # files that hold what classes share, and no class
        self._classes: dict[str, type[Any]] = {}

    def register(self, entered: _Class) -> _Class:
        """Enter a class under its name (a class decorator)."""
        self._classes[entered.name] = entered
        return entered

    def names(self) -> tuple[str, ...]:
        """Return all names, without importing anything."""
        return tuple(sorted({*self._classes, *self._files(), *self._entry_points()}))

    def find(self, name: str) -> type[Any] | None:
        """Return the class of this name, None if there is none."""
        if name not in self._classes:
            if name in self._files():
                import_module(f"{self.package}.{name.replace('-', '_')}")
            elif point := self._entry_points().get(name):
                self.register(self._loaded(point))
        return self._classes.get(name)

    def make(self, text: str, defaults: Mapping[str, Any] | None = None) -> Any:
        """Build the object that a text names; defaults without a matching option are left out.

        What its constructor refuses comes as a ValueError that begins with the name.
        """
        match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text)
        name = match[1] if match else text.partition("(")[0].strip()
        found = self.find(name)
        if found is None:
            raise PlanError(self._unknown(text, name))
        if match is None:
            raise PlanError(f"the options of {text!r} cannot be read; write {name}(option=value, option=value).")
        types = {option.name: option.type for option in fields(found)}
        options = {option: value for option, value in (defaults or {}).items() if option in types and value is not None}
        options |= _options(name, match[2] or "", types)
        try:
            return found(**options)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None

    def _unknown(self, text: str, name: str) -> str:
        known = self.names()
        return f"unknown {self.kind} {text!r}; known: {', '.join(known)}. {meant(name.lower(), known)}".rstrip()

    def _files(self) -> set[str]:
        modules = iter_modules(import_module(self.package).__path__)
        return {
            module.name.replace("_", "-") for module in modules if not module.ispkg and module.name not in self.shared
        }

    def _entry_points(self) -> "dict[str, EntryPoint]":
        return {point.name: point for point in entries(self.group)}

    def _loaded(self, point: "EntryPoint") -> type[Any]:
        loaded: type[Any] = load(point)
        if loaded.name != point.name:
            raise PlanError(
                f"{point.value} (entry point {point.name!r} of {self.group}) is called {loaded.name!r}",
                remedy="Both names must be the same.",
            )
        return loaded


def _options(of: str, text: str, types: Mapping[str, Any]) -> dict[str, Any]:
    """Read `option=value, option=value`."""
    given: dict[str, Any] = {}
    for part in split(text):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in types:
            raise PlanError(f"{of}: unknown option {part!r}; known: {', '.join(types) or 'none'} (as name=value).")
        if name in given:
            raise PlanError(f"{of}: the option {name!r} is given twice. Give it once.")
        given[name] = _value(value, types[name])
    return given


def one_of(option: str, value: Any, *allowed: str) -> None:
    """Refuse an option's value that is not among those allowed."""
    if value not in allowed:
        raise ValueError(f"{option} must be {' or '.join(map(repr, allowed))}, got {value!r}")


def number(
    option: str, value: Any, *, least: float, most: float = 1e9, above: bool = False, whole: bool = False
) -> None:
    """Refuse an option's value that is not a number in a range; `above`: the least itself is not allowed."""
    good = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool) and least <= value <= most
    if not good or (above and value == least):
        words = f"above {least:g}" if above else f"of at least {least:g}"
        shown = f"{value:g}" if isinstance(value, float) else repr(value)
        raise ValueError(
            f"{option} must be a {'whole ' if whole else ''}number {words} and at most {most:g}, got {shown}"
        )


def _value(text: str, kind: Any) -> Any:
    """Read an option as what it is declared to be: 25 is 25.0 where a fraction is allowed."""
    kinds = [kind] if isinstance(kind, type) else list(get_args(kind))
    for convert in (int, float):
        if convert in kinds:
            try:
                return convert(text)
            except ValueError:
                continue
    return text
