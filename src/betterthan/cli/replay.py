"""`betterthan replay`: what policies of choosing pairs would have saved."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.options import given, options_of
from betterthan.cli.outputs import deliver, form_of, output_options, progress_bar
from betterthan.cli.verb import Verb
from betterthan.options.replay import ReplayOptions


@click.command("replay", cls=Verb)
@evidence_options
@options_of(ReplayOptions)
@output_options
def command(**options: Any) -> None:
    """Collect the evidence again by a policy, drawing real judgments of the pairs it chooses, and count what it took.

    \b
    betterthan replay votes.csv
    betterthan replay rankings.csv --policy wmt,unresolved,information --runs 50 -o replay.json
    """
    from betterthan.collect.replays.replay import replay

    form, output, quiet, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    said = given(ReplayOptions, options)
    form = form_of(form, output)
    evidence = read_evidence(options)
    with progress_bar("replaying", quiet=quiet) as progress:
        found = replay(evidence, progress=progress, **said)
    deliver(found, form, output, color=not plain, quiet=quiet)
