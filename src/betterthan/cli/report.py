"""`betterthan report`: one self-contained HTML page."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.outputs import progress_bar
from betterthan.plan import UNITS


@click.command("report")
@evidence_options
@click.option("-o", "--output", type=click.Path(dir_okay=False), default="report.html", help="[default: report.html]")
@click.option("--title", default="", help="Title of the page.")
@click.option("--model", metavar="MODELS", help="Models to rank by.  [default: as for rank]")
@click.option("--ties", help="half, drop, davidson, rao-kupper.  [default: the model's]")
@click.option("--measure", type=click.Choice(["clear", "hard"]), help="Is quality clear, or hard to define?")
@click.option(
    "--resample", type=click.Choice(UNITS), help="Unit of resampling.  [default: ranking, else item, else row]"
)
@click.option("--resamples", type=int, help="Number of resamples.  [default: 1000]")
@click.option("--level", type=float, help="Level of intervals and tests.  [default: 0.95]")
@click.option("--tolerance", type=float, help="Scores: differences up to this are ties.  [default: 0]")
@click.option("--seed", type=int, help="Seed.  [default: 0]")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no notes.")
def command(**options: Any) -> None:
    """Make one HTML page to open offline, search, sort, print and cite.

    Verdict, leaderboards, a picker of pairs, diagnosis and advice, judges, data, methods with BibTeX, signature.

    \b
    betterthan report votes.csv -o report.html
    betterthan report scores.parquet --title "Shared task 2026" -o report.html
    """
    from betterthan.cli.outputs import folder_of
    from betterthan.reports.report import report

    output, title, measure, quiet = (options.pop(name) for name in ("output", "title", "measure", "quiet"))
    names = ("model", "ties", "resample", "resamples", "level", "tolerance", "seed")
    choices = {name: value for name in names if (value := options.pop(name)) is not None}
    folder_of(output)
    evidence = read_evidence(options)
    with progress_bar("reporting", quiet=quiet) as progress:
        report(evidence, output, title=title, measure=measure, progress=progress, **choices)
    if not quiet:
        click.echo(f"wrote {output}", err=True)
