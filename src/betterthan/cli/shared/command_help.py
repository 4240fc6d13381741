"""Help pages of verbs that read files: their own options first, reading options on a separate page."""

from typing import Any

import click

from betterthan.cli.shared.streams import say


class ReadOption(click.Option):
    """An option that says how files are read."""


class VerbCommand(click.Command):
    """A verb whose help shows its own options, and says where those about reading are."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verb's own options."""
        shown = [param for param in self.get_params(ctx) if not isinstance(param, ReadOption)]
        _write(ctx, formatter, "Options", shown)
        with formatter.section("Reading files"):
            formatter.write_text(
                "Formats and columns are recognised; --help-input lists the options for anything else."
            )


def help_input(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Show the options about reading, and leave."""
    if not wanted or context.resilient_parsing:
        return
    say(reading_help(context))
    context.exit()


def reading_help(context: click.Context) -> str:
    """Return the options about reading that a verb has."""
    formatter = context.make_formatter()
    params = [param for param in context.command.get_params(context) if isinstance(param, ReadOption)]
    _write(context, formatter, "Options that say how files are read", params)
    return formatter.getvalue().rstrip("\n")


def _write(context: click.Context, formatter: click.HelpFormatter, title: str, params: list[Any]) -> None:
    records = [record for param in params if (record := param.get_help_record(context)) is not None]
    if records:
        with formatter.section(title):
            formatter.write_dl(records)
