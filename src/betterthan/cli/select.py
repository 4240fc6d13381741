"""`betterthan select`: which model predicts held-out judgments best."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, numbers, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options, progress_bar

_CHOICES = ("models", "unit", "folds", "repeats", "dev", "test", "sizes", "tune_by", "tolerance", "level", "seed")


@click.command("select")
@evidence_options
@click.option(
    "--models",
    metavar="MODELS",
    help="Several with commas, options in brackets, alternatives with |: 'davidson,elo(k=16|32)'.  "
    "[default: expected-wins, hopkins-may, trueskill(preset=wmt), bradley-terry, davidson; for scores mean, median, "
    "bradley-terry, davidson]",
)
@click.option(
    "--unit",
    type=click.Choice(["ranking", "item", "judge", "row"]),
    help="What is never split.  [default: ranking, else item, else row]",
)
@click.option("--folds", type=int, help="Parts, of which one is tested and one tuned on.  [default: 5]")
@click.option("--repeats", type=int, default=4, help="How often units are dealt out anew.  [default: 4]")
@click.option("--dev", type=int, metavar="NUMBER", help="In place of folds: judgments to tune on.")
@click.option("--test", type=int, metavar="NUMBER", help="In place of folds: judgments to test on.")
@click.option("--sizes", metavar="NUMBERS", callback=numbers, help="Learning curve: judgments to train on, 400,800.")
@click.option(
    "--tune-by",
    type=click.Choice(["log_loss", "accuracy"]),
    default="log_loss",
    help="What chooses among alternatives.  [default: log_loss]",
)
@click.option("--tolerance", type=float, default=0.0, help="Scores: differences up to this are ties.  [default: 0]")
@click.option("--level", type=float, default=0.95, help="Level of intervals and tests.  [default: 0.95]")
@click.option("--seed", type=int, default=0, help="Seed of splits and samplers.  [default: 0]")
@output_options
def command(**options: Any) -> None:
    """Say which model predicts judgments best that it has not seen.

    Judgments are split by unit, over and over: models are fitted to one part, tuned on another and measured on the
    third. Intervals and tests take into account that splits share judgments.

    \b
    betterthan select votes.csv
    betterthan select votes.csv --models 'bradley-terry,davidson,elo(k=8|16|32)' --unit judge
    betterthan select rankings.csv --sizes 400,800,1600 --dev 2000 --test 2000 --repeats 20
    """
    from betterthan.selection.select import select

    form, output, quiet, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    choices = {name: options.pop(name) for name in _CHOICES}
    form = form_of(form, output)
    evidence = read_evidence(options)
    with progress_bar("predicting", quiet=quiet) as progress:
        selection = select(evidence, progress=progress, **choices)
    deliver(selection, form, output, color=not plain)
