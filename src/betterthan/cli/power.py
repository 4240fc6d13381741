"""`betterthan power`: how many items or judgments are needed."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import described, optional_evidence, read_pair
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.options import PowerOptions


@click.command("power", cls=VerbCommand)
@optional_evidence()
@options_of(PowerOptions)
@output_options
def command(**options: Any) -> None:
    """Say how many items or judgments are needed: FILE A B, two runs of an evaluation, or numbers alone.

    Also the smallest difference that those at hand detect, and how many more would distinguish the two systems, by
    formula and by simulation from the evidence itself.

    \b
    betterthan power scores.csv A B --difference 1
    betterthan power votes.csv gpt-x llama-y --win-share 0.55
    betterthan power new.csv old.csv
    betterthan power --sd 12 --difference 1
    betterthan power --win-share 0.55 --tie-share 0.3
    """
    from betterthan import power

    output = Output.taken_from(options)
    said = given(PowerOptions, options)
    if not options["files"] and (flag := described(options)) is not None:
        raise click.UsageError(f"{flag} describes evidence, but no FILE is given. Give one, or leave it out.")
    evidence, names = read_pair(options) if options["files"] else (None, ())
    output.deliver(power(evidence, *names, **said))
