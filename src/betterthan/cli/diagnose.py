"""`betterthan diagnose`: what is doubtful about evidence, and which mechanism to trust."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options, progress_bar
from betterthan.plan import UNITS


@click.command("diagnose")
@evidence_options
@click.option("--measure", type=click.Choice(["clear", "hard"]), help="Is quality clear, or hard to define?")
@click.option("--resample", type=click.Choice(UNITS), help="What hangs together.  [default: ranking, item, row]")
@click.option("--tolerance", type=float, default=0.0, help="Scores: differences up to this are ties.  [default: 0]")
@click.option("--seed", type=int, default=0, help="Seed of resamples and shuffles.  [default: 0]")
@output_options
def command(**options: Any) -> None:
    """Say what is doubtful about evidence, how judges agree, and which mechanism to report.

    \b
    betterthan diagnose scores.csv
    betterthan diagnose votes.csv --judge annotator --format json
    """
    from betterthan.diagnosis.diagnose import diagnose

    form, output, quiet, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    choices = {name: options.pop(name) for name in ("measure", "resample", "tolerance", "seed")}
    form = form_of(form, output)
    evidence = read_evidence(options)
    with progress_bar("examining", quiet=quiet) as progress:
        diagnosis = diagnose(evidence, progress=progress, **choices)
    deliver(diagnosis, form, output, color=not plain)
