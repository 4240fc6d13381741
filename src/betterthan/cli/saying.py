"""What commands print beside results: lines that cannot steer a terminal."""

import click

from betterthan.escaping import terminal_text


def say(text: str, *, err: bool = False) -> None:
    """Print lines, whatever names of files, systems and people they quote."""
    click.echo(terminal_text(text), err=err)
