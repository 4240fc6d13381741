"""Options that select the evidence, shared by every verb that reads files."""

from collections.abc import Callable, Collection
from functools import wraps
from glob import glob
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from betterthan.base import scipy, spelling
from betterthan.cli.shared.click_options import given, options_of, split_at_commas
from betterthan.cli.shared.command_help import ReadOption, help_input
from betterthan.options import ReadOptions

_F = TypeVar("_F", bound=Callable[..., Any])

#: Parts of NumPy that SciPy would load and no verb needs to begin.
_UNUSED = ("testing", "f2py", "polynomial", "ctypeslib", "fft")


def evidence_options(function: _F) -> _F:
    """Add the evidence options to a verb; it passes its arguments on to `read_evidence`."""
    return _with_files(function, required=True)


def evidence_without(*leave: str) -> Callable[[_F], _F]:
    """Add the evidence options to a verb, but for those that it has itself or has no use for."""
    return lambda function: _with_files(function, required=True, leave=leave)


def optional_evidence(*leave: str) -> Callable[[_F], _F]:
    """Add the evidence options, but for those that it has itself, to a verb that can also begin without evidence."""
    return lambda function: _with_files(function, required=False, leave=leave)


def _with_files(function: _F, *, required: bool, leave: Collection[str] = ()) -> _F:
    @wraps(function)
    def prepared(**options: Any) -> Any:
        scipy.before(_postpone_numpy)
        return function(**options)

    files = click.argument("files", nargs=-1, required=required, metavar="FILE..." if required else "[FILE]...")
    more = click.option(
        "--help-input",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=help_input,
        help="Show the options that say how files are read, and exit.",
    )
    return files(more(options_of(ReadOptions, leave=leave, cls=ReadOption)(cast(_F, prepared))))


def _postpone_numpy() -> None:
    from betterthan.cli.shared.lazy_modules import postpone

    postpone("numpy", *_UNUSED)


def read_evidence(options: dict[str, Any]) -> Any:
    """Take the evidence options out of a verb's arguments and read what they describe."""
    from betterthan import read

    return read(list(options.pop("files")), **_described(options))


def reading_options(options: dict[str, Any]) -> ReadOptions:
    """Return the given reading options as an options object."""
    return ReadOptions.of(**_described(dict(options)))


def take_earlier_board(options: dict[str, Any]) -> None:
    """Take `--since board.json` for an earlier board; `--since DATE` stays an option of reading."""
    since = options.get("since")
    if since is None or not str(since).lower().endswith(".json"):
        return
    if options.get("before") is not None:
        raise click.UsageError("--before and --since both name an earlier board. Leave one of them out.")
    options["before"], options["since"] = since, None


def described(options: dict[str, Any]) -> str | None:
    """Return the first option that describes evidence, None where none does."""
    return next((spelling.flag(name) for name in _described(dict(options))), None)


def read_pair(options: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """Read what two systems are compared on, FILE A B or two runs of an evaluation; return it with the names given."""
    from betterthan.readers import read_versions

    files = options["files"]
    if len(files) == 2 and all(map(is_there, files)):
        return read_versions(*files, **_described(options))
    if len(files) not in {1, 3}:
        raise click.UsageError("give FILE A B (two systems of a file), or two files to be matched by item.")
    options["files"] = files[:1]
    return read_evidence(options), tuple(files[1:])


def read_new_and_old(options: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """Read a new version and one or several old ones, FILE NEW OLD... or a run each; return it with the names given."""
    from betterthan.readers import read_versions

    files = options["files"]
    if len(files) > 2 and all(map(is_there, files)):
        return read_versions(*files, **_described(options))
    if len(files) <= 3:
        return read_pair(options)
    options["files"] = files[:1]
    return read_evidence(options), tuple(files[1:])


def is_there(name: str) -> bool:
    """Whether an argument is a file or folder that exists, or a pattern with matches."""
    return Path(name).exists() or bool(glob(name))


def _described(options: dict[str, Any]) -> dict[str, Any]:
    """Return the given reading options."""
    return split_at_commas(given(ReadOptions, options), "counts", "scores_of", "systems", "score", "fixed", "random")
