"""`betterthan convert`: evidence from one kind or layout to another."""

from typing import Any

import click

from betterthan.cli.inputs import evidence_options, read_evidence


@click.command("convert")
@evidence_options
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
    "--tolerance", type=float, default=0.0, show_default=True, help="Scores: differences up to this are ties."
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False),
    help="File to write: .csv, .tsv, .json, .jsonl, .parquet.",
)
@click.option("-q", "--quiet", is_flag=True, help="No notes.")
def command(**options: Any) -> None:
    """Convert evidence between kinds and layouts.

    \b
    betterthan convert rankings.csv --to judgments -o pairs.parquet
    betterthan convert scores.wide.csv -o scores.long.csv
    """
    from betterthan.engine.write import write_columns
    from betterthan.evidence.convert import convert

    target, layout, tolerance, output, quiet = (
        options.pop(name) for name in ("target", "layout", "tolerance", "output", "quiet")
    )
    evidence = read_evidence(options)
    columns = convert(evidence, target or evidence.kind, layout=layout, tolerance=tolerance)
    write_columns(output, columns)
    if not quiet:
        rows = len(next(iter(columns.values())))
        click.echo(f"{output}: {rows:,} rows of {target or evidence.kind}", err=True)
