"""Where results go: standard output, or a file whose ending says the format."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from betterthan.errors import BetterthanError
from betterthan.results.result import FORMATS, Result
from betterthan.results.result import form_of as form_for

_F = TypeVar("_F", bound=Callable[..., Any])


def output_options(function: _F) -> _F:
    """Add the options that every verb with a result has."""
    for option in (
        click.option("--no-color", is_flag=True, help="Plain text."),
        click.option("-q", "--quiet", is_flag=True, help="No progress, no notes."),
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False),
            help="Write to a file; its ending says the format.",
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            help="Format of standard output, or of -o with another ending.",
        ),
    ):
        function = option(function)
    return function


def folder_of(output: str) -> Path:
    """Return the place to write to, refusing early one whose folder is not there."""
    place = Path(output)
    if not place.parent.is_dir():
        raise BetterthanError(f"{output}: there is no folder {place.parent}. Make it first, or choose another place.")
    return place


def form_of(form: str | None, output: str | None) -> str:
    """Return the format asked for, by name or by the file's ending; refuse early what cannot be written."""
    if output is None:
        return form or "table"
    return form_for(folder_of(output), form)


#: Formats that hold rows alone; what must be read with them goes to standard error.
_ROWS = ("csv", "parquet", "jsonl")


def deliver(result: Result, form: str, output: str | None = None, *, color: bool = True, quiet: bool = False) -> None:
    """Print a result, or write it whole to a file; say on standard error what a format has no place for."""
    if form in _ROWS and not quiet:
        click.echo("\n".join(result.notes()), err=True)
    if output is not None:
        result.save(output, form)
        return
    text = result.render(form, terminal_width())
    click.echo(_colored(text) if form == "table" and color and sys.stdout.isatty() else text, nl=False)


def terminal_width() -> int | None:
    """Return the terminal's width; what goes elsewhere is not cut."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _colored(text: str) -> str:
    """Dim what is read last, mark what is doubted."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("! "):
            lines.append(click.style(line, fg="yellow"))
        elif line.startswith(("i ", "betterthan ")):
            lines.append(click.style(line, dim=True))
        else:
            lines.append(line)
    return "\n".join(lines)


@contextmanager
def progress_bar(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error while work goes on, when a person is watching."""
    from betterthan.progress import silent

    if quiet or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)
