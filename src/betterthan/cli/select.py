"""`betterthan select`: which model predicts held-out judgments best."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence
from betterthan.cli.shared.result_output import Output, output_options, progress_bar
from betterthan.options import SelectOptions


@click.command("select", cls=VerbCommand)
@evidence_options
@options_of(SelectOptions)
@output_options
def command(**options: Any) -> None:
    """Say which model predicts judgments best that it has not seen.

    Judgments are split by unit, over and over: models are fitted to one part, tuned on another and measured on the
    third. Intervals and tests take into account that splits share judgments. Several data sets are run one by one,
    with the means over them.

    \b
    betterthan select votes.csv
    betterthan select votes.csv --models 'bradley-terry,davidson,elo(k=8|16|32)' --unit judge
    betterthan select rankings.csv --sizes 400,800,1600 --dev 2000 --test 2000 --repeats 20
    """
    from betterthan import select
    from betterthan.verbs.each import run_on_each

    output = Output.taken_from(options)
    said = given(SelectOptions, options)
    evidence = read_evidence(options)
    with progress_bar("predicting", quiet=output.quiet) as progress:
        selection = run_on_each(select, evidence, progress=progress, **said)
    output.deliver(selection)
