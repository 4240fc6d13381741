"""`betterthan rank`: a leaderboard from any evidence."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options, progress_bar, terminal_width
from betterthan.plan import INTERVALS, SCALES, UNITS


def _list_models(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.models.base import build, known
    from betterthan.present.table import Column, Table

    models = [build(name) for name in known()]
    rows = [
        [
            model.name,
            "all" if len(model.accepts) == 3 else ", ".join(model.accepts),
            str(type(model).__doc__).split("\n")[0],
        ]
        for model in models
    ]
    columns = [Column("model", "left"), Column("ranks", "left"), Column("by", "left", flexible=True)]
    click.echo(Table(columns, rows).to_text(terminal_width()))
    context.exit()


@click.command("rank")
@evidence_options
@click.option(
    "--model",
    metavar="MODELS",
    help="One or several with commas, options in brackets: 'bradley-terry(ties=drop),elo(k=32)'. "
    "See --models.  [default: bradley-terry; for scores mean,median,bradley-terry]",
)
@click.option(
    "--models",
    "list_models",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_models,
    help="List the models with what they rank, and leave.",
)
@click.option("--ties", help="half, drop, davidson, rao-kupper; threshold (thurstone).  [default: the model's]")
@click.option("--scale", type=click.Choice(SCALES), help="Scale of log-strengths.  [default: worth]")
@click.option(
    "--ci",
    type=click.Choice(INTERVALS),
    help="How intervals are made; runs: by repeating a model that makes random choices.  [default: bootstrap]",
)
@click.option(
    "--resample",
    type=click.Choice(UNITS),
    help="Unit of resampling.  [default: ranking, else item, else row]",
)
@click.option("--resamples", type=int, help="Number of resamples, or of runs.  [default: 1000; runs: 100]")
@click.option("--level", type=float, help="Level of intervals and rank ranges.  [default: 0.95; runs: 0.96]")
@click.option("--anchor", metavar="SYSTEM[=VALUE]", help="Fix one system on the log or elo scale.")
@click.option("--tolerance", type=float, help="Scores: differences up to this are ties.  [default: 0]")
@click.option("--seed", type=int, help="Seed of resamples, random orders and samplers.  [default: 0]")
@click.option("--plan", "place", metavar="PLAN", help="Start from a saved plan (TOML) or a pasted signature.")
@output_options
def command(**options: Any) -> None:
    """Rank systems from judgments, rankings or scores.

    FILE is CSV, TSV, JSON, JSON lines, Parquet or Arrow, also .gz, .zst, .bz2; several files and globs are one
    evidence; - is standard input. Kind and columns are recognised where the file makes them clear.

    \b
    betterthan rank votes.csv
    betterthan rank votes.csv --model bradley-terry,davidson,elo
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
