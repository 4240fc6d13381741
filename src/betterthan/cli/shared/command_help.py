"""Help pages of verbs that read files: their own options first, reading options on a separate page."""

from typing import Any

import click

from betterthan.cli.shared.single_options import SingleCommand
from betterthan.cli.shared.streams import say


class ReadOption(click.Option):
    """An option that says how files are read."""


#: The reading options that people need first: which rows, and which columns.
_FIRST = ("where", "exclude", "dataset", "score", "item", "judge")


class VerbCommand(SingleCommand):
    """A verb whose help shows its own options, and says where those about reading are."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the reading options that are needed first, then the verb's own."""
        params = self.get_params(ctx)
        reading = {param.name: param for param in params if isinstance(param, ReadOption)}
        own = [param for param in params if not isinstance(param, ReadOption | click.Argument)]
        # What --help-input says belongs to the options that it is about.
        more = [param for param in own if param.name == "help_input"]
        _write(ctx, formatter, "Rows and columns", [*(reading[name] for name in _FIRST if name in reading), *more])
        _write(ctx, formatter, "Options", [param for param in own if param not in more])


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
