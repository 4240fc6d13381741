"""`betterthan power`: how many instances or judgments are needed."""

from functools import partial
from typing import Any

import click

from betterthan.cli.inputs import pair_options, read_pair
from betterthan.cli.outputs import deliver, form_of, output_options

_CHOICES = ("difference", "win_share", "power", "level", "n", "tolerance", "sd", "tie_share", "simulations", "seed")


@click.command("power")
@partial(pair_options, required=False)
@click.option("--difference", type=float, help="Scores: the difference to detect.  [default: the observed one]")
@click.option(
    "--win-share", type=float, help="Judgments: the share of wins to detect, ties apart.  [default: observed]"
)
@click.option("--power", type=float, default=0.8, help="Chance wanted of detecting it.  [default: 0.8]")
@click.option("--level", type=float, default=0.95, help="Level of tests and intervals.  [default: 0.95]")
@click.option("--n", type=int, metavar="NUMBER", help="A number planned, in place of the number at hand.")
@click.option("--tolerance", type=float, default=0.0, help="Differences up to this are ties.  [default: 0]")
@click.option("--sd", type=float, help="Without FILE: standard deviation of the differences.")
@click.option("--tie-share", type=float, help="Without FILE: share of judgments that are ties.  [default: 0]")
@click.option("--simulations", type=int, default=2000, help="Simulations from the evidence, 0: none.  [default: 2000]")
@click.option("--seed", type=int, default=0, help="Seed of the simulations.  [default: 0]")
@output_options
def command(**options: Any) -> None:
    """Say how many instances or judgments are needed: FILE A B, two runs of an evaluation, or numbers alone.

    Also the smallest difference that those at hand detect, and how many more would tell the two systems apart, by
    formula and by simulation from the evidence itself.

    \b
    betterthan power scores.csv A B --difference 1
    betterthan power votes.csv gpt-x llama-y --win-share 0.55
    betterthan power new.csv old.csv
    betterthan power --sd 12 --difference 1
    betterthan power --win-share 0.55 --tie-share 0.3
    """
    from betterthan.duel.power import power

    form, output, _, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    form = form_of(form, output)
    choices = {name: options.pop(name) for name in _CHOICES}
    evidence, names = read_pair(options) if options["files"] else (None, ())
    deliver(power(evidence, *names, **choices), form, output, color=not plain)
