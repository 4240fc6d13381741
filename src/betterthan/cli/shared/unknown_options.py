"""Refusals of options that a verb does not have: the nearest of its own, or the verbs that do have it."""

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

import click

from betterthan.base import spelling

#: Options that are less alike are others, however few letters differ.
_ALIKE = 0.8


def refusal_of(error: click.NoSuchOption, verbs: Iterable[str]) -> str:
    """Return which option may have been meant, or which verbs have it."""
    context = error.ctx
    if context is None:
        return error.message
    called = context.command_path
    if error.option_name.startswith(spelling.flag("fail")):
        return (
            f"{called} has no option {error.option_name}. A result becomes an exit code by a gate: "
            "betterthan gate NEW OLD --not-worse-than MARGIN"
        )
    near = get_close_matches(error.option_name, sorted(_options(context.command)), n=2, cutoff=_ALIKE)
    if near:
        return f"{called} has no option {error.option_name}. Did you mean {' or '.join(near)}?"
    others = [verb for verb in verbs if error.option_name in _options(_command(verb))]
    if others:
        have = "has" if len(others) == 1 else "have"
        return f"{called} has no option {error.option_name}; {', '.join(others)} {have} it."
    return f"{called} has no option {error.option_name}. Its options are listed by: {called} --help"


def _options(command: click.Command) -> set[str]:
    return {flag for param in command.params for flag in (*param.opts, *param.secondary_opts) if flag.startswith("--")}


def _command(verb: str) -> click.Command:
    command: click.Command = import_module(f"betterthan.cli.{verb}").command
    return command
