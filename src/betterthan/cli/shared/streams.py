"""Safe writing to standard output and standard error: control characters are escaped, closed streams are handled."""

import io
import os
import select
import sys
from contextlib import suppress
from typing import TextIO

import click

from betterthan.base import BetterthanError, escaping


def say(text: str, *, err: bool = False) -> None:
    """Print lines, whatever names of files, systems and people they quote; nobody need hear those on standard error."""
    if not err:
        click.echo(escaping.terminal_text(text))
        return
    try:
        click.echo(escaping.terminal_text(text), err=True)
    except OSError:
        discard(sys.stderr)


def prepare_streams() -> None:
    """Make standard streams that are closed harmless, and let those that cannot show a character show another."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # else the next file that is opened would be taken for it
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (it lives as long as the process)
    for stream in (sys.stdout, sys.stderr):
        # A terminal or file that cannot show a character shows a question mark; it is no reason to fail.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class _Closed(io.StringIO):
    """Standard output that is closed: only what would be written to it fails."""

    def write(self, text: str) -> int:
        raise BetterthanError("standard output is closed", remedy="Write to a file with -o, or to /dev/null.")


def reader_left() -> bool:
    """Whether the program that reads standard output, such as head, has closed it; nothing more is written then."""
    try:
        number = sys.stdout.fileno()
    except (OSError, ValueError):
        return False
    if hasattr(select, "poll"):
        looking = select.poll()
        looking.register(number, select.POLLERR)
        if not looking.poll(0):
            return False
    discard(sys.stdout)
    return True


def discard(stream: TextIO) -> None:
    """Send the rest of a stream nowhere, so that Python does not fail on it at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
