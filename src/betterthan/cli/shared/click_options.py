"""Click options generated from the declared options of a verb."""

from collections.abc import Callable, Collection, Iterable
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

from betterthan.base import nearest, spelling
from betterthan.cli.shared.shell_words import completing
from betterthan.options import Declared, Options, declared_options, text_values, validated

#: Options of these types hold several values.
_LISTS = frozenset({"texts", "wholes", "numbers", "pairs", "flag or texts"})
_F = TypeVar("_F", bound=Callable[..., Any])

# Click before 8.2 knows no kinds of choices.
if TYPE_CHECKING:
    _Words = click.Choice[str]
else:
    _Words = click.Choice


def options_of(
    *classes: type[Options], leave: Collection[str] = (), cls: type[click.Option] = click.Option
) -> Callable[[_F], _F]:
    """Add the options of these classes to a verb, but for some; those of one name are one option."""

    def decorate(function: _F) -> _F:
        for name in reversed(_named(classes)):
            if name not in leave:
                function = _click(name, _declared(name, classes), cls)(function)
        return function

    return decorate


def given(options: type[Options], values: dict[str, Any]) -> dict[str, Any]:
    """Remove some options from a verb's arguments, and return them as typed values.

    They are validated here, so that a wrong one is reported before a large file is read.
    """
    known = {name: each for name, each in declared_options(options).items() if each.about.line}
    said = {name: values.pop(name, None) for name in known}
    found = {name: _value(known[name], text) for name, text in said.items() if text not in (None, ())}
    for name, value in found.items():
        validated(known[name], value)  # and stored as given: some options split their lists themselves
    return found


def split_at_commas(said: dict[str, Any], *names: str) -> dict[str, Any]:
    """Take apart at commas what some options name: columns, systems, words."""
    return {
        name: text_values.parts(value) if name in names and isinstance(value, str) else value
        for name, value in said.items()
    }


def only_for(options: type[Options], values: dict[str, Any], what: str) -> None:
    """Refuse options that were given but have no effect here."""
    for name in _named([options]):
        if values.get(name) not in (None, ()):
            raise click.UsageError(f"{spelling.flag(name)} is for {what}. Leave it out.")


def _named(classes: Iterable[type[Options]]) -> list[str]:
    every = [option for each in classes for option in declared_options(each).values() if option.about.line]
    return list(dict.fromkeys(option.name for option in every))


def _declared(name: str, classes: Iterable[type[Options]]) -> list[Declared]:
    return [declared_options(each)[name] for each in classes if name in declared_options(each)]


class ClickChoice(_Words):
    """One of a few words; a wrong one is answered with the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word, or refuse it."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            near = nearest(str(value), self.choices)
            self.fail(error.message if near.startswith("Known") else f"{error.message} {near}", param, ctx)


class Number(click.FloatRange):
    """A number within bounds; nan, which is neither below nor above any, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or refuse it."""
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def _click(name: str, options: list[Declared], cls: type[click.Option]) -> Callable[[_F], _F]:
    first = options[0]
    about = first.about
    kind: dict[str, Any] = {"metavar": about.metavar} if about.metavar else {}
    if first.sort == "flag":
        kind = {"is_flag": True, "default": None}
    elif first.sort == "choice" and all(option.about.choices == about.choices for option in options):
        kind["type"] = ClickChoice(about.choices)
    elif first.sort in {"whole", "number"}:
        kind["type"] = int if first.sort == "whole" else float
    short = ["-n"] if name == "n" else []
    # What is a list may be given in parts: --score a --score b is --score a,b.
    if listed := not about.repeated and (about.listed or first.sort in _LISTS):
        kind["callback"] = _joined
    return click.option(
        name,
        *short,
        *spelling.flags(name),
        cls=cls,
        multiple=about.repeated or listed,
        help=_help(first),
        shell_complete=completing(name, about.metavar),
        **kind,
    )


def _joined(_: click.Context, __: click.Parameter, values: tuple[str, ...] | None) -> str | None:
    """Return the parts of a list as one text, as if they had been given at once."""
    return ",".join(values) if values else None


def _help(option: Declared) -> str:
    default = option.about.unsaid
    if not default and option.default not in (None, (), "", False):
        default = text_values.written(option.default)
    return option.about.help + (f"  [default: {default}]" if default else "")


def _value(option: Declared, said: Any) -> Any:
    """Read what click gave as the option takes it."""
    if option.sort == "pairs":
        return text_values.read_back(option, ",".join(said) if isinstance(said, tuple) else said)
    if option.sort in {"wholes", "numbers"}:
        return text_values.read_back(option, said)
    return said
