"""`betterthan rank`: a leaderboard from any evidence."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options, progress_bar
from betterthan.plan import INTERVALS, SCALES, UNITS


@click.command("rank")
@evidence_options
@click.option("--model", help="Model, with options in brackets: 'bradley-terry(ties=drop)'.  [default: bradley-terry]")
@click.option("--ties", help="half (a win for each), or drop.  [default: half]")
@click.option("--scale", type=click.Choice(SCALES), help="Scale of the scores.  [default: worth]")
@click.option("--ci", type=click.Choice(INTERVALS), help="How intervals are made.  [default: bootstrap]")
@click.option(
    "--resample",
    type=click.Choice(UNITS),
    help="Unit of resampling.  [default: ranking, else item, else row]",
)
@click.option("--resamples", type=int, help="Number of resamples.  [default: 1000]")
@click.option("--level", type=float, help="Level of intervals and rank ranges.  [default: 0.95]")
@click.option("--anchor", metavar="SYSTEM[=VALUE]", help="Fix one system on the log or elo scale.")
@click.option("--tolerance", type=float, help="Scores: differences up to this are ties.  [default: 0]")
@click.option("--seed", type=int, help="Seed of the resamples.  [default: 0]")
@click.option("--plan", "place", metavar="PLAN", help="Start from a saved plan (TOML) or a pasted signature.")
@output_options
def command(**options: Any) -> None:
    """Rank systems from judgments, rankings or scores.

    FILE is CSV, TSV, JSON, JSON lines, Parquet or Arrow, also .gz, .zst, .bz2; several files and globs are one
    evidence; - is standard input. Kind and columns are recognised where the file makes them clear.

    \b
    betterthan rank votes.csv
    betterthan rank scores.parquet --where metric=bleu --scale winrate
    betterthan rank votes-*.jsonl.gz --resample judge --format json
    """
    from betterthan.leaderboard.rank import rank
    from betterthan.plan import Plan

    form, output, quiet, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    names = ("model", "ties", "scale", "ci", "resample", "resamples", "level", "anchor", "tolerance", "seed")
    choices = {name: value for name in names if (value := options.pop(name)) is not None}
    form = form_of(form, output)
    place = options.pop("place")
    plan = Plan.load(place) if place else Plan()
    evidence = read_evidence(options)
    with progress_bar("resampling", quiet=quiet) as progress:
        board = rank(evidence, plan, progress=progress, **choices)
    deliver(board, form, output, color=not plain)
