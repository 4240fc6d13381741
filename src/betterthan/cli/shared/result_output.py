"""Write results to standard output, or to a file whose suffix decides the format."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Self, TypeVar

import click

from betterthan.base import BetterthanError, escaping
from betterthan.cli.shared.streams import say
from betterthan.present import table
from betterthan.results import FORMATS, Detail, Result
from betterthan.results import format_of_file as form_for

_F = TypeVar("_F", bound=Callable[..., Any])


def telling_options(function: _F) -> _F:
    """Add the options for verbosity and colour."""
    for option in (
        click.option("--no-color", is_flag=True, help="Plain text."),
        click.option("-q", "--quiet", is_flag=True, help="The answer alone, without findings."),
        click.option("-v", "--verbose", is_flag=True, help="Every finding in full, and more detail."),
    ):
        function = option(function)
    return function


def output_options(function: _F) -> _F:
    """Add the options that every verb with a result has."""
    for option in (
        telling_options,
        click.option(
            "-o",
            "--output",
            type=click.Path(dir_okay=False),
            help="Write to a file; its ending says the format.",
        ),
        click.option(
            "--columns",
            metavar="NAMES",
            help="Show these columns of every table only, in this order, such as '#,system,Elo'.",
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


def place_of(output: str, options: Mapping[str, Any]) -> Path:
    """Return the output path, and refuse early one whose folder is missing, or that is also an input."""
    place = Path(output)
    try:
        if not place.parent.is_dir():
            raise BetterthanError(
                f"{output}: there is no folder {place.parent}. Make it first, or choose another place."
            )
        target = place.resolve()
    except (OSError, ValueError) as error:
        raise BetterthanError(f"{output}: cannot be written: {error}. Choose another place.") from None
    for value in options.values():
        for named in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(named, str) and named and _reads(named, target):
                raise BetterthanError(
                    f"{output}: this file is read, so the output would overwrite it. Choose another place with -o."
                )
    return place


def _reads(named: str, target: Path) -> bool:
    """Whether a file to be written is among the inputs: itself, by a link, a pattern or its folder."""
    try:
        if Path(named).resolve() == target:
            return True
        if not target.is_file():
            return False
        found = [Path(each) for each in glob(named, recursive=True)] if has_magic(named) else []
        return any(
            (each.is_file() and each.samefile(target)) or (each.is_dir() and target.is_relative_to(each.resolve()))
            for each in (Path(named), *found)
        )
    except (OSError, ValueError, RuntimeError):  # no name of a file
        return False


#: Formats that hold rows alone; what must be read with them goes to standard error.
_ROWS = ("csv", "parquet", "jsonl")


@dataclass(frozen=True)
class Output:
    """The output options: a format, a file or the terminal, verbosity and colour."""

    form: str
    place: str | None = None
    detail: Detail = "usual"
    color: bool = True
    columns: tuple[str, ...] = ()

    @classmethod
    def taken_from(cls, options: dict[str, Any]) -> Self:
        """Take the output's options out of a command's, and refuse early what cannot be written."""
        quiet, verbose, plain = (options.pop(name) for name in ("quiet", "verbose", "no_color"))
        form, place = options.pop("form"), options.pop("output", None)
        columns = columns_of(options.pop("columns", None))
        if quiet and verbose:
            raise click.UsageError("--quiet and --verbose contradict each other. Leave one of them out.")
        form = form or "table" if place is None else form_for(place_of(place, options), form)
        if verbose and form != "table":
            raise click.UsageError(f"--verbose is for text; {form} holds everything already. Leave one of them out.")
        if columns and form == "json":
            raise click.UsageError("--columns is for tables; json holds everything. Leave one of them out.")
        return cls(form, place, "brief" if quiet else "full" if verbose else "usual", not plain, columns)

    @property
    def quiet(self) -> bool:
        """Whether only the answer is printed."""
        return self.detail == "brief"

    def deliver(self, result: Result) -> None:
        """Print a result, or write it whole to a file; say on standard error what a format has no place for."""
        if self.form in _ROWS and not self.quiet:
            say("\n".join(result.notes()), err=True)
        if self.columns:
            with table.choosing(self.columns) as choice:
                need_known(choice, result, self.form)
                self._write(result)
        else:
            self._write(result)

    def _write(self, result: Result) -> None:
        if self.place is not None:
            result.save(self.place, self.form, self.detail)
            return
        text = result.render(self.form, terminal_width(), self.detail)
        if sys.stdout.isatty():  # elsewhere, rows stay as they are
            text = escaping.terminal_text(text)
            text = _colored(text) if self.form == "table" and self.color else text
        click.echo(text, nl=False)


def columns_of(text: str | None) -> tuple[str, ...]:
    """Return the names of columns in a list with commas."""
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    if text is not None and not names:
        raise click.UsageError("--columns names no column.")
    return names


def need_known(choice: table.ColumnChoice, result: Result, form: str) -> None:
    """Refuse a column that no table has."""
    if form in _ROWS:
        result.to_csv()
    else:
        result.markdown_tables()
    if unknown := choice.unknown:
        known = ", ".join(repr(name) for name in choice.known if name)
        raise click.UsageError(f"--columns: no table has a column {unknown[0]!r}; there are: {known}.")


def terminal_width() -> int | None:
    """Return the terminal's width; what goes elsewhere is not cut."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _colored(text: str) -> str:
    """Dim what is read last, mark warnings."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("! "):
            lines.append(click.style(line, fg="yellow"))
        elif line.startswith(("i ", "betterthan ")):
            lines.append(click.style(line, dim=True))
        else:
            lines.append(line)
    return "\n".join(lines)


#: Seconds between lines about progress where nobody watches a terminal.
_BETWEEN_LINES = 10.0


@contextmanager
def progress_bar(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show progress on standard error: a bar in a terminal, elsewhere a line now and then."""
    from betterthan.base import silent

    if quiet:
        yield silent
        return
    if not sys.stderr.isatty():
        yield _lines(title)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(title, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


def _lines(title: str) -> Callable[[int, int], None]:
    """Return a callback that prints a line of progress now and then, so that a log shows that work continues."""
    started = last = time.monotonic()

    def said(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _BETWEEN_LINES and total:
            last = now
            say(f"{title}: {100 * done / total:.0f} % after {now - started:.0f} s", err=True)

    return said
