"""`betterthan items`: which items are hard, and which separate systems."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.options import ItemsOptions


@click.command("items", cls=VerbCommand)
@evidence_options
@options_of(ItemsOptions)
@output_options
def command(**options: Any) -> None:
    """Fit an item response model to right and wrong answers: how hard items are, and which separate systems.

    FILE holds scores of 0 and 1; with --threshold 0.5, any scores. CSV and Parquet have one row per item.

    \b
    betterthan items answers.csv
    betterthan items answers.csv --model rasch
    betterthan items scores.parquet --threshold 0.5 -o items.csv
    """
    from betterthan import items

    output = Output.taken_from(options)
    said = given(ItemsOptions, options)
    output.deliver(items(read_evidence(options), **said))
