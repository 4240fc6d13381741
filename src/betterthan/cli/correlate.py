"""`betterthan correlate`: metrics against people, and against each other."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence
from betterthan.cli.shared.result_output import Output, output_options, progress_bar
from betterthan.options import CorrelateOptions


@click.command("correlate", cls=VerbCommand)
@evidence_options
@options_of(CorrelateOptions)
@output_options
def command(**options: Any) -> None:
    """Say how far metrics order systems as people do, or as each other do.

    FILE holds scores of several metrics on the same items; --human names the one that people gave.

    \b
    betterthan correlate scores.parquet --human human
    betterthan correlate scores.parquet --human human --measure item-accuracy
    betterthan correlate scores.parquet
    """
    from betterthan import correlate

    output = Output.taken_from(options)
    said = given(CorrelateOptions, options)
    evidence = read_evidence(options)
    with progress_bar("correlating", quiet=output.quiet) as progress:
        found = correlate(evidence, progress=progress, **said)
    output.deliver(found)
