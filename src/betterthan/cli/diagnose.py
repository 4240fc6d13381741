"""`betterthan diagnose`: problems of evidence, and which model to report."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, read_evidence
from betterthan.cli.shared.result_output import Output, output_options, progress_bar
from betterthan.options import DiagnoseOptions


@click.command("diagnose", cls=VerbCommand)
@evidence_options
@options_of(DiagnoseOptions)
@output_options
def command(**options: Any) -> None:
    """Check evidence for problems, measure how far judges agree, and say which model to report.

    \b
    betterthan diagnose scores.csv
    betterthan diagnose votes.csv --judge annotator --format json
    """
    from betterthan import diagnose

    output = Output.taken_from(options)
    said = given(DiagnoseOptions, options)
    evidence = read_evidence(options)
    with progress_bar("examining", quiet=output.quiet) as progress:
        diagnosis = diagnose(evidence, progress=progress, **said)
    output.deliver(diagnosis)
