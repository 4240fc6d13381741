"""`betterthan report`: one self-contained HTML page."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import described, optional_evidence, read_evidence, take_earlier_board
from betterthan.cli.shared.result_output import place_of, progress_bar
from betterthan.cli.shared.streams import say
from betterthan.options import Page


@click.command("report", cls=VerbCommand)
@optional_evidence()
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="[default: report.html or report.pdf]")
@click.option("--format", "form", type=click.Choice(["html", "pdf"]), help="PDF needs Chromium.  [default: by -o]")
@options_of(Page)
@click.option("--state", metavar="FILE", help="Report the judgments that a state keeps, without any file.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no notes.")
def command(**options: Any) -> None:
    """Make one HTML page to open offline, search, sort, print and cite.

    It answers who leads, how sure that is and what to do next, with leaderboards, all pairs, diagnosis and methods.

    \b
    betterthan report votes.csv -o report.html
    betterthan report scores.parquet --title "Shared task 2026" --brand brand.toml
    betterthan report votes.csv --no-judges -o report.pdf
    """
    from betterthan import report

    output, form, quiet, state = (options.pop(name) for name in ("output", "form", "quiet", "state"))
    take_earlier_board(options)
    said = given(Page, options)
    output = output or f"report.{form or 'html'}"
    ending = {".html": "html", ".htm": "html", ".pdf": "pdf"}.get(place_of(output, options).suffix.lower())
    if ending is None:
        raise click.UsageError(
            f"{output}: a report is an HTML page or a PDF. Choose a name that ends in .html or .pdf."
        )
    if form not in {None, ending}:
        raise click.UsageError(f"{output} does not end in .{form}. Change the name, or leave out --format {form}.")
    evidence = _evidence(options, state)
    with progress_bar("reporting", quiet=quiet) as progress:
        report(evidence, output, progress=progress, **said)
    if not quiet:
        say(f"wrote {output}", err=True)


def _evidence(options: dict[str, Any], state: str | None) -> Any:
    """Return the evidence of files, or of a state."""
    if state is None:
        if not options["files"]:
            raise click.UsageError("Missing argument 'FILE...'.")
        return read_evidence(options)
    if options["files"]:
        raise click.UsageError(
            "--state is the evidence of the report, so FILE has no effect. Add files with: rank FILE --state STATE."
        )
    if (flag := described(options)) is not None:
        raise click.UsageError(f"{flag} says how files are read, and no file was given. Leave it out.")
    from betterthan import load_state

    return load_state(state)
