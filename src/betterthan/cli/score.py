"""`betterthan score`: scores from outputs and references."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of, split_at_commas
from betterthan.cli.shared.result_output import Output, output_options, progress_bar, terminal_width
from betterthan.cli.shared.single_options import SingleCommand
from betterthan.cli.shared.streams import say
from betterthan.options import ScoreOptions


def _list_metrics(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.metrics import build_metric, known_metrics
    from betterthan.present import Column, Table

    rows = []
    for name in known_metrics():
        metric = build_metric(name)
        better = "less" if metric.lower_is_better else "more"
        rows.append([name, better, "corpus" if metric.has_whole else "mean", str(type(metric).__doc__).split("\n")[0]])
    columns = [
        Column("metric", "left"),
        Column("better", "left"),
        Column("of a test set", "left"),
        Column("what it is", "left", flexible=True),
    ]
    say(Table(columns, rows).to_text(terminal_width()))
    context.exit()


@click.command("score", cls=SingleCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options_of(ScoreOptions)
@click.option(
    "--metrics",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_metrics,
    help="List the metrics, and leave.",
)
@output_options
def command(**options: Any) -> None:
    """Score the outputs of systems against references.

    FILE is a table with the columns item, system and output, a table with one column per system, one table per system,
    or lines of text, one file per system. With -o scores.parquet (or .csv, .jsonl) rank and compare read the scores.

    \b
    betterthan score outputs.jsonl --reference refs.jsonl --metric chrf,wer -o scores.parquet
    betterthan score out/*.txt --reference ref.txt --metric bleu,chrf
    betterthan score predictions.csv --outputs pred --reference truth --metric accuracy,f1
    """
    from betterthan import score

    output = Output.taken_from(options)
    files = list(options.pop("files"))
    said = split_at_commas(given(ScoreOptions, options), "systems", "lower_is_better")
    with progress_bar("scoring", quiet=output.quiet) as progress:
        scored = score(files, progress=progress, **said)
    output.deliver(scored)
