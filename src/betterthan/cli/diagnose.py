"""`betterthan diagnose`: problems of evidence, and which model to report."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.options import given, options_of
from betterthan.cli.outputs import Output, output_options, progress_bar
from betterthan.cli.verb import Verb
from betterthan.options.diagnose import DiagnoseOptions


@click.command("diagnose", cls=Verb)
@evidence_options
@options_of(DiagnoseOptions)
@output_options
def command(**options: Any) -> None:
    """Check evidence for problems, measure how far judges agree, and say which model to report.

    \b
    betterthan diagnose scores.csv
    betterthan diagnose votes.csv --judge annotator --format json
    """
    from betterthan.diagnosis.diagnose import diagnose

    output = Output.taken_from(options)
    said = given(DiagnoseOptions, options)
    evidence = read_evidence(options)
    with progress_bar("examining", quiet=output.quiet) as progress:
        diagnosis = diagnose(evidence, progress=progress, **said)
    output.deliver(diagnosis)
