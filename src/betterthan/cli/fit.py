"""`betterthan fit`: a log-linear model with ties, judges and covariates."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_without, read_evidence
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.options import FitOptions


@click.command("fit", cls=VerbCommand)
@evidence_without("random")
@options_of(FitOptions)
@click.option("--object", "object_", metavar="FILE", help="Table of what is known about systems, by name.")
@click.option("--position", is_flag=True, help="The left side's advantage.")
@click.option("--position-by", metavar="FORMULA", help="The left side's advantage, by who judged: '~ judge'.")
@output_options
def command(**options: Any) -> None:
    """Fit a log-linear Bradley–Terry model: coefficients, worths, deviance, tests.

    Several data sets are fitted one by one, with the means of their coefficients.

    \b
    betterthan fit votes.csv
    betterthan fit votes.csv --subject '~ judge' --anova
    betterthan fit votes.csv --contrast '~ length_diff' --position --unit judge
    betterthan fit counts.csv --object systems.csv --scale lambda
    """
    from betterthan import fit
    from betterthan.verbs.each import run_on_each

    output = Output.taken_from(options)
    said = given(FitOptions, options)
    side, by_whom, table = (options.pop(name) for name in ("position", "position_by", "object_"))
    model = run_on_each(fit, read_evidence(options), position=by_whom or side, object=table, **said)
    output.deliver(model)
