"""Shell completion of models, policies, and columns of the given files."""

from collections.abc import Callable

import click

#: How a shell asks for a list of words: the context, the option, and what was typed so far.
Completing = Callable[[click.Context, click.Parameter, str], list[str]]


def completing(name: str, metavar: str | None) -> Completing | None:
    """Return the completion function of an option, None if there is none."""
    if name in {"model", "models"}:
        return _models
    if name in {"policy", "policies"}:
        return _policies
    return _columns if metavar in {"COLUMN", "COLUMNS"} else None


def _models(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    from betterthan.models import known_models

    return _after_commas(known_models(), typed)


def _policies(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    from betterthan.verbs.collect import known_policies

    return _after_commas(known_policies(), typed)


def _columns(context: click.Context, _: click.Parameter, typed: str) -> list[str]:
    """Return the columns of the files; where they cannot be read there is nothing to complete."""
    from betterthan.base import BetterthanError
    from betterthan.readers import open_table

    files = [*(context.params.get("files") or ()), *context.args]  # a command that is not finished has them left over
    if not files:
        return []
    try:
        with open_table(files[:1]) as table:
            return _after_commas(table.columns, typed)
    except (BetterthanError, OSError):
        return []


def _after_commas(words: tuple[str, ...], typed: str) -> list[str]:
    """Complete the last of several words."""
    before, comma, last = typed.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]
