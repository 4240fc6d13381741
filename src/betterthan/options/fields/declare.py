"""Declaration of options: fields of a frozen dataclass with bounds, help and spelling."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from os import PathLike
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

#: What a value is: it decides how it is checked, read from a text, and written into one.
Sort = Literal[
    "flag",
    "whole",
    "number",
    "text",
    "path",
    "choice",
    "texts",
    "wholes",
    "numbers",
    "pairs",
    "conditions",
    "groups",
    "flag or text",
    "flag or texts",
    "function",
    "any",
]


@dataclass(frozen=True)
class About:
    """The metadata of an option beyond its name and type."""

    help: str
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    metavar: str = ""
    typed: str = ""  # what the documentation calls its type, where the annotation does not say
    unsaid: str = ""  # what holds by default, in words where it depends on the evidence
    note: str = ""  # said after the bounds when a value is refused
    line: bool = True  # is it an option on the command line?
    signed: bool = True  # does the result depend on it, so that its signature names it?
    quiet: bool = False  # is its default so plain that a signature need not name it?
    repeated: bool = False  # may it be said several times on the command line?
    listed: bool = False  # does its text list several values, with commas between them?
    kinds: tuple[str, ...] = ()  # kinds of evidence that it describes, where it does not describe all


@dataclass(frozen=True)
class Declared:
    """One option of a verb, as its class declares it."""

    name: str
    sort: Sort
    optional: bool
    default: Any
    about: About


def option(default: Any, help: str, **about: Any) -> Any:  # noqa: A002 (the usual word)
    """Declare an option; see `About` for what else can be said about it."""
    return field(default=default, metadata={"about": About(help, **about)})


_DECLARED: dict[type[Any], Mapping[str, Declared]] = {}


def declared_options(options: type[Any]) -> Mapping[str, Declared]:
    """Return the options of a class by their names, in order."""
    if options not in _DECLARED:
        hints = get_type_hints(options)
        named = [each for each in fields(options) if "about" in each.metadata]
        _DECLARED[options] = {each.name: _declared(each, hints[each.name]) for each in named}
    return _DECLARED[options]


def _declared(each: Field[Any], hint: Any) -> Declared:
    about: About = each.metadata["about"]
    members = get_args(hint) if get_origin(hint) in {UnionType, Union} else (hint,)
    kinds = [kind for kind in members if kind is not NoneType]
    sort, choices = _sort(kinds, about.choices)
    default = None if each.default is MISSING else each.default
    return Declared(each.name, sort, len(kinds) < len(members), default, replace(about, choices=choices))


def _sort(kinds: Sequence[Any], choices: tuple[str, ...]) -> tuple[Sort, tuple[str, ...]]:
    """Return the type of a value from the declared types."""
    plain: dict[Any, Sort] = {bool: "flag", int: "whole", float: "number", str: "text"}
    kind = kinds[0] if len(kinds) == 1 else None
    several_kinds: dict[frozenset[Any], Sort] = {
        frozenset({Mapping, Sequence}): "conditions",
        frozenset({str, PathLike}): "path",
        frozenset({bool, str}): "flag or text",
        frozenset({bool, Sequence}): "flag or texts",
    }
    if len(kinds) > 1 and Mapping[str, str] in kinds:  # of names to names: no conditions on rows
        return "groups", ()
    if len(kinds) > 1:
        return several_kinds.get(frozenset(get_origin(each) or each for each in kinds), "any"), ()
    if choices and kind is str:
        return "choice", choices
    if kind in plain:
        return plain[kind], ()
    if get_origin(kind) is Literal:
        return "choice", get_args(kind)
    if get_origin(kind) in {Sequence, tuple}:
        several: dict[Any, Sort] = {int: "wholes", float: "numbers", str: "texts"}
        return several.get(get_args(kind)[0], "any"), choices
    if get_origin(kind) is Mapping:
        return "pairs", ()
    if get_origin(kind) is Callable:
        return "function", ()
    return "any", ()
