"""`betterthan agree`: agreement between judges."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of, split_at_commas
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.cli.shared.single_options import SingleCommand
from betterthan.options import AgreeOptions


@click.command("agree", cls=SingleCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options_of(AgreeOptions)
@output_options
def command(**options: Any) -> None:
    """Measure how far judges agree, by Krippendorff's alpha with intervals.

    FILE has a row per item and a column per judge, or a row per rating with the columns item, judge and rating.
    Judgments of pairs are what diagnose looks at.

    \b
    betterthan agree codings.csv
    betterthan agree codings.csv --raters ann,bob --missing NA
    betterthan agree ratings.csv --order bad,fair,good
    """
    from betterthan import agree

    files = list(options.pop("files"))
    output = Output.taken_from(options)
    said = split_at_commas(given(AgreeOptions, options), "raters", "order", "missing")
    output.deliver(agree(files, **said))
