"""`betterthan report`: one self-contained HTML page."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence
from betterthan.cli.options import given, options_of
from betterthan.cli.outputs import folder_of, progress_bar
from betterthan.cli.verb import Verb
from betterthan.options.report import Page


@click.command("report", cls=Verb)
@evidence_options
@click.option("-o", "--output", type=click.Path(dir_okay=False), default="report.html", help="[default: report.html]")
@options_of(Page)
@click.option("-q", "--quiet", is_flag=True, help="No progress, no notes.")
def command(**options: Any) -> None:
    """Make one HTML page to open offline, search, sort, print and cite.

    Verdict, leaderboards, a picker of pairs, diagnosis and advice, judges, data, methods with BibTeX, signature.

    \b
    betterthan report votes.csv -o report.html
    betterthan report scores.parquet --title "Shared task 2026" -o report.html
    """
    from betterthan.reports.report import report

    output, quiet = (options.pop(name) for name in ("output", "quiet"))
    said = given(Page, options)
    if folder_of(output).suffix.lower() not in {".html", ".htm"}:
        raise click.UsageError(f"{output}: a report is one HTML page. Choose a name that ends in .html.")
    evidence = read_evidence(options)
    with progress_bar("reporting", quiet=quiet) as progress:
        report(evidence, output, progress=progress, **said)
    if not quiet:
        click.echo(f"wrote {output}", err=True)
