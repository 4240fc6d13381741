"""Commands that refuse an option given twice: click would take the last value and ignore the others."""

from collections import Counter

import click


class SingleCommand(click.Command):
    """A command whose options are given once, unless they collect values."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, refusing a repeated option that takes one value."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for param, times in Counter(given).items():
            if times > 1 and isinstance(param, click.Option) and not (param.multiple or param.is_flag or param.count):
                flag = max(param.opts, key=len)
                raise click.UsageError(f"{flag} was given {times} times, but takes one value. Give it once.", ctx)
        return super().parse_args(ctx, args)


class SingleGroup(click.Group):
    """A group of such commands."""

    command_class = SingleCommand
