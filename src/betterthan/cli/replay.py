"""`betterthan replay`: what policies of choosing pairs would have saved."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, numbers, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options, progress_bar
from betterthan.plan import UNITS


@click.command("replay")
@evidence_options
@click.option(
    "--policy",
    "policies",
    default="unresolved,information",
    help="One or several with commas, beside uniform; betterthan next --policies lists them.  "
    "[default: unresolved,information]",
)
@click.option("--runs", type=int, default=100, help="How often each is run.  [default: 100]")
@click.option("--budget", type=int, help="Judgments to collect in a run.  [default: as many as there are]")
@click.option("--batch", type=int, help="Judgments chosen at a time.  [default: a thousandth of the budget, or more]")
@click.option(
    "--looks", metavar="NUMBERS", callback=numbers, help="When the ranking is made, with commas.  [default: ten times]"
)
@click.option("--reach", metavar="NUMBERS", callback=numbers, help="Looks whose number of clusters is to be reached.")
@click.option(
    "--resample", type=click.Choice(UNITS), help="What counts once for a pair.  [default: ranking, item, row]"
)
@click.option("--resamples", type=int, default=200, help="Resamples behind clusters.  [default: 200]")
@click.option("--level", type=float, default=0.95, help="Level of decisions and intervals.  [default: 0.95]")
@click.option("--margin", type=float, help="Shares (ties half) this near to 0.5 count as equivalent.")
@click.option("--seed", type=int, default=0, help="Seed of all runs.  [default: 0]")
@output_options
def command(**options: Any) -> None:
    """Collect the evidence again by a policy, drawing real judgments of the pairs it chooses, and count what it took.

    \b
    betterthan replay votes.csv
    betterthan replay rankings.csv --policy wmt,unresolved,information --runs 50 -o replay.json
    """
    from betterthan.collect.replays.replay import replay

    form, output, quiet, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    names = (
        "policies",
        "runs",
        "budget",
        "batch",
        "resample",
        "resamples",
        "level",
        "margin",
        "seed",
        "looks",
        "reach",
    )
    choices = {name: options.pop(name) for name in names}
    form = form_of(form, output)
    evidence = read_evidence(options)
    with progress_bar("replaying", quiet=quiet) as progress:
        found = replay(evidence, progress=progress, **choices)
    deliver(found, form, output, color=not plain)
