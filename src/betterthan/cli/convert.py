"""`betterthan convert`: evidence from one kind or layout to another."""

from typing import Any

import click

from betterthan.cli.shared.click_options import Number
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_without, read_evidence, reading_options
from betterthan.cli.shared.result_output import place_of, terminal_width
from betterthan.cli.shared.streams import say


def _list_formats(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan import formats
    from betterthan.present import Column, Table

    columns = [Column("format", "left"), Column("holds", "left"), Column("what it looks like", "left", flexible=True)]
    say(Table(columns, [list(each) for each in formats()]).to_text(terminal_width()))
    context.exit()


@click.command("convert", cls=VerbCommand)
@evidence_without("fixed", "random")
@click.option(
    "--to",
    "target",
    type=click.Choice(["judgments", "rankings", "scores"]),
    help="Kind to convert to.  [default: as it is]",
)
@click.option(
    "--layout",
    type=click.Choice(["long", "wide"]),
    default="long",
    show_default=True,
    help="Layout of rankings and scores.",
)
@click.option(
    "--tolerance", type=Number(min=0), default=0.0, show_default=True, help="Scores: differences up to this are ties."
)
@click.option("--explain", is_flag=True, help="Say which formats it may be, why, and which columns are used.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    help="File to write: .csv, .tsv, .json, .jsonl, .parquet.",
)
@click.option(
    "--formats",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_formats,
    help="List the formats that can be read, and leave.",
)
@click.option("-q", "--quiet", is_flag=True, help="No notes.")
def command(**options: Any) -> None:
    """Convert evidence between kinds and layouts.

    \b
    betterthan convert rankings.csv --to judgments -o pairs.parquet
    betterthan convert scores.wide.csv -o scores.long.csv
    betterthan convert results/ --explain
    """
    from betterthan.engine import write_columns
    from betterthan.readers import convert

    target, layout, tolerance, output, quiet, explain = (
        options.pop(name) for name in ("target", "layout", "tolerance", "output", "quiet", "explain")
    )
    if explain:
        say(_explanation(options))
        return
    if output is None:
        raise click.UsageError("say where to write with -o FILE, or use --explain.")
    place_of(output, options)
    evidence = read_evidence(options)
    columns = convert(evidence, target or evidence.kind, layout=layout, tolerance=tolerance)
    write_columns(output, columns)
    if not quiet:
        rows = len(next(iter(columns.values())))
        say(f"{output}: {rows:,} rows of {target or evidence.kind}", err=True)


def _explanation(options: dict[str, Any]) -> str:
    """Say what the columns hold, which formats take the files for their own, and how they are or could be read."""
    from betterthan.present import Column, Table, wrapped
    from betterthan.readers import explain_reading

    found = explain_reading(list(options["files"]), reading_options(options))
    width = terminal_width()
    parts = []
    if found.columns:
        columns = [
            Column("column", "left"),
            Column("holds", "left"),
            Column("values"),
            Column("such as", "left", flexible=True),
        ]
        rows = [
            [each.name, each.kind, f"{each.number_of_values:,}", ", ".join(each.examples)] for each in found.columns
        ]
        parts.append(Table(columns, rows).to_text(width))
    if found.formats:
        columns = [Column("format", "left"), Column("certainty"), Column("because", "left", flexible=True)]
        rows = [
            [each.format.name, f"{each.recognition.certainty:.2f}", each.recognition.reason] for each in found.formats
        ]
        parts.append(Table(columns, rows).to_text(width))
    if found.evidence is not None and (reading := found.evidence.reading) is not None:
        told = [str(reading), *map(str, reading.findings), str(found.evidence)]
        parts.append("\n".join(wrapped(line, width) for line in told))
    if found.refusal is not None:
        parts.append(f"This cannot be read so: {found.refusal}")
    if found.calls:
        parts.append(
            "\n".join(["Other readings that work:", *(f"{meaning}:\n  {call}" for meaning, call in found.calls)])
        )
    return "\n\n".join(parts)
