"""`betterthan replay`: what policies of choosing pairs would have saved."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence
from betterthan.cli.shared.result_output import Output, output_options, progress_bar
from betterthan.options import ReplayOptions


@click.command("replay", cls=VerbCommand)
@evidence_options
@options_of(ReplayOptions)
@output_options
def command(**options: Any) -> None:
    """Collect the evidence again by a policy, drawing real judgments of the pairs it chooses, and count what it took.

    \b
    betterthan replay votes.csv
    betterthan replay rankings.csv --policy wmt,unresolved,information --runs 50 -o replay.json
    """
    from betterthan import replay

    output = Output.taken_from(options)
    said = given(ReplayOptions, options)
    evidence = read_evidence(options)
    with progress_bar("replaying", quiet=output.quiet) as progress:
        found = replay(evidence, progress=progress, **said)
    output.deliver(found)
