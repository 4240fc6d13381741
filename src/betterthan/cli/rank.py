"""`betterthan rank`: a leaderboard from any evidence."""

from typing import Any

import click

from betterthan import Plan
from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import described, optional_evidence, read_evidence, take_earlier_board
from betterthan.cli.shared.result_output import Output, output_options, progress_bar, terminal_width
from betterthan.cli.shared.streams import say
from betterthan.options import StateOptions, text_values


def _list_models(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.models import build_model, known_models
    from betterthan.present import Column, Table

    models = [build_model(name) for name in known_models()]
    rows = [
        [
            model.name,
            "all" if len(model.accepts) == 3 else ", ".join(model.accepts),
            str(type(model).__doc__).split("\n")[0],
        ]
        for model in models
    ]
    columns = [Column("model", "left"), Column("ranks", "left"), Column("by", "left", flexible=True)]
    say(Table(columns, rows).to_text(terminal_width()))
    context.exit()


@click.command("rank", cls=VerbCommand)
@optional_evidence()
@options_of(Plan, StateOptions)
@click.option(
    "--models",
    "list_models",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_models,
    help="List the models, and leave.",
)
@click.option(
    "--factors",
    metavar="SYSTEM,LEVEL",
    help="Scores: rank by two columns: model,prompt.",
)
@click.option("--plan", "place", metavar="PLAN", help="Start from a saved plan or a signature.")
@output_options
def command(**options: Any) -> None:
    """Rank systems from judgments, rankings or scores.

    FILE is CSV, TSV, JSON, JSON lines, Parquet or Arrow, also .gz, .zst, .bz2; several files and globs are one
    evidence; - is standard input. Kind and columns are recognised where the file makes them clear.

    \b
    betterthan rank votes.csv
    betterthan rank votes.csv --model bradley-terry,davidson,elo
    betterthan rank scores.parquet --where metric=bleu --scale winrate
    betterthan rank votes-*.jsonl.gz --unit judge --format json
    betterthan rank votes.csv --control length
    betterthan rank this-week.csv --state board.duckdb
    betterthan rank votes.csv --since last-week.json
    betterthan rank runs.csv --factors model,prompt
    """
    from betterthan import rank, rank_factors

    output, factors = Output.taken_from(options), options.pop("factors")
    take_earlier_board(options)
    if factors is not None:
        options |= _as_factors(factors, options)
    said, place = {**given(Plan, options), **given(StateOptions, options)}, options.pop("place")
    plan = Plan.load(place) if place else None
    if plan is not None and plan.direction == "less" and options["lower_is_better"] is None:
        options["lower_is_better"] = "all"  # else the same signature would give the opposite ranking
    if not options["files"] and "state" not in said:
        raise click.UsageError("Missing argument 'FILE...'.")
    if not options["files"] and (flag := described(options)) is not None:
        raise click.UsageError(f"{flag} says how files are read, and no file was given. Leave it out.")
    if "again" in said and "state" not in said:
        raise click.UsageError("--again is for judgments that are added to a state. Name it with --state.")
    evidence = read_evidence(options) if options["files"] else None
    with progress_bar("resampling", quiet=output.quiet) as progress:
        boards = (rank if factors is None else rank_factors)(evidence, plan, progress=progress, **said)
    output.deliver(boards)


def _as_factors(text: str, options: dict[str, Any]) -> dict[str, str]:
    """Read the first factor as the system and the second as what scores of an item are repeated by."""
    names = text_values.parts(text)
    if len(names) != 2 or names[0] == names[1]:
        raise click.UsageError(f"--factors names two columns, such as model,prompt, got {text!r}.")
    if said := next((flag for flag in ("system", "judge", "state") if options.get(flag) is not None), None):
        raise click.UsageError(f"--factors and --{said} contradict each other. Leave one of them out.")
    return {"system": names[0], "judge": names[1]}
