"""`betterthan explain`: what a finding means, why it matters and what to do."""

import click

from betterthan.cli.shared.single_options import SingleCommand
from betterthan.cli.shared.streams import say


@click.command("explain", cls=SingleCommand)
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Explain a finding by its code; without a code, list all findings.

    \b
    betterthan explain few-units
    betterthan explain
    """
    from betterthan import explain
    from betterthan.cli.shared.result_output import terminal_width
    from betterthan.findings import all_kinds
    from betterthan.present import wrapped

    if code is not None:
        width = terminal_width()
        say("\n".join(wrapped(line, width) for line in str(explain(code)).split("\n")))
        return
    kinds = all_kinds()
    width = max(map(len, kinds))
    for kind in kinds.values():
        say(f"{kind.code:{width}}  {kind.level:7}  {kind.title}")
