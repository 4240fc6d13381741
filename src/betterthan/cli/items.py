"""`betterthan items`: which items are hard, and which separate systems."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.options import declared_options
from betterthan.options import items as item_options


@click.command("items", cls=VerbCommand)
@evidence_options
@options_of(item_options.ItemsOptions, item_options.ShortFormOptions, item_options.NextItemOptions)
@output_options
def command(**options: Any) -> None:
    """Fit an item response model to right and wrong answers: how hard items are, and which separate systems.

    FILE holds scores of 0 and 1; with --threshold 0.5, any scores. CSV and Parquet have one row per item.

    \b
    betterthan items answers.csv
    betterthan items answers.csv --model rasch
    betterthan items scores.parquet --threshold 0.5 -o items.csv
    betterthan items answers.csv --short 100
    betterthan items answers.csv --adaptive new-system
    """
    from betterthan import items, next_item, short_form

    output = Output.taken_from(options)
    own = {name: options.pop(name) for name in ("short", "folds", "seed", "adaptive")}
    said = given(item_options.ItemsOptions, dict(options))
    for name in declared_options(item_options.ItemsOptions):
        options.pop(name, None)
    if own["short"] is not None and own["adaptive"] is not None:
        raise click.UsageError("--short and --adaptive are two questions. Leave one of them out.")
    if own["short"] is None and (extra := next((name for name in ("folds", "seed") if own[name] is not None), None)):
        raise click.UsageError(f"--{extra} is for short forms. Add --short, or leave it out.")
    if own["short"] is not None:
        said |= given(item_options.ShortFormOptions, {**own, "adaptive": None})
        output.deliver(short_form(read_evidence(options), **said))
    elif own["adaptive"] is not None:
        output.deliver(next_item(read_evidence(options), own["adaptive"], **said))
    else:
        output.deliver(items(read_evidence(options), **said))
