"""Things chosen by name with options, `name(option=value, …)`: models, and policies of choosing pairs."""

import re
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, get_args

from betterthan.errors import PlanError


def split(text: str) -> tuple[str, ...]:
    """Take a list apart at its commas; those within brackets separate options.

    >>> split("mean, elo(k=32,order=file)")
    ('mean', 'elo(k=32,order=file)')
    """
    parts = re.split(r",(?![^(]*\))", text)
    return tuple(part.strip() for part in parts if part.strip())


def made(text: str, registry: Mapping[str, type[Any]], kind: str, defaults: Mapping[str, Any] | None = None) -> Any:
    """Make what a text names; defaults that it has no option for are left out.

    What its constructor refuses comes as a ValueError that begins with the name.
    """
    known = tuple(sorted(registry))
    match = re.fullmatch(r"\s*([\w-]+)\s*(?:\((.*)\))?\s*", text)
    if not match or match[1] not in registry:
        name = text.partition("(")[0].strip()
        if name in registry:
            raise PlanError(f"the options of {text!r} cannot be read; write {name}(option=value, option=value).")
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise PlanError(f"unknown {kind} {text!r}; known: {', '.join(known)}.{hint}")
    types = {option.name: option.type for option in fields(registry[match[1]])}
    options = {name: value for name, value in (defaults or {}).items() if name in types and value is not None}
    given: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in (match[2] or "").split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or name not in types:
            raise PlanError(
                f"{match[1]}: unknown option {part!r}; known: {', '.join(types) or 'none'} (as name=value)."
            )
        if name in given:
            raise PlanError(f"{match[1]}: the option {name!r} is given twice. Give it once.")
        given[name] = _value(value, types[name])
    try:
        return registry[match[1]](**{**options, **given})
    except ValueError as error:
        raise ValueError(f"{match[1]}: {error}") from None


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
