"""`betterthan plot`: pictures of evidence, in files for papers and pages."""

from pathlib import Path
from typing import Any

import click

from betterthan.cli.shared.click_options import Number, given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import described, optional_evidence, read_evidence, read_pair
from betterthan.cli.shared.result_output import place_of, progress_bar, terminal_width
from betterthan.cli.shared.streams import say
from betterthan.options import PlotOptions


def _list_kinds(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.present import Column, Table
    from betterthan.verbs.plot import plot_kinds

    columns = [Column("kind", "left"), Column("shows", "left", flexible=True)]
    rows = [[name, kind.about] for name, kind in plot_kinds.KINDS.items()]
    say(Table(columns, rows).to_text(terminal_width()))
    context.exit()


@click.command("plot", cls=VerbCommand)
@click.argument("picture", metavar="KIND")
@optional_evidence()
@click.option(
    "--kinds",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_kinds,
    help="List the kinds of pictures, and leave.",
)
@click.option("-o", "--output", metavar="FILE", help="Where the picture goes: .svg, .png, .pdf, .html or .json.")
@options_of(PlotOptions)
@click.option("--width", type=click.IntRange(50, 10_000), help="Width in pixels.  [default: 320, a column of a paper]")
@click.option("--height", type=click.IntRange(50, 10_000), help="Height of the plot itself, in pixels.")
@click.option("--scale", type=Number(0.1, 20), default=2.0, help="PNG: pixels per pixel.  [default: 2]")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(**options: Any) -> None:
    """Draw a picture of evidence: KIND is one of those that --kinds lists, FILE as for rank.

    joint and differences are pictures of two systems: FILE A B, or two runs of an evaluation.

    \b
    betterthan plot leaderboard votes.csv -o leaderboard.svg
    betterthan plot joint scores.csv A B -o joint.pdf
    betterthan plot bump scores.csv --where metric=bleu -o bump.png
    betterthan plot loss-curves -o loss.svg
    betterthan plot --kinds
    """
    from betterthan import plot
    from betterthan.verbs.plot import plot_kinds

    kind, output, quiet, scale = (options.pop(name) for name in ("picture", "output", "quiet", "scale"))
    said = given(PlotOptions, options)
    size = {name: value for name in ("width", "height") if (value := options.pop(name)) is not None}
    _check_output(output, options)
    plot_kinds.check_evidence(kind, given=bool(options["files"]))
    if not options["files"] and (wrong := described(options)) is not None:
        raise click.UsageError(f"{wrong} describes evidence, and {kind} shows none. Leave it out.")
    evidence: Any = None
    names: tuple[str, ...] = ()
    if options["files"]:
        evidence, names = read_pair(options) if plot_kinds.kind_of(kind).of_two else (read_evidence(options), ())
    with progress_bar("drawing", quiet=quiet) as progress:
        picture = plot(kind, evidence, *names, progress=progress, **said)
    picture.restyled(**size).save(output, scale=scale)


def _check_output(output: str | None, options: dict[str, Any]) -> None:
    """Refuse early what cannot be written."""
    from betterthan.present import FORMATS

    endings = ", ".join(f".{form}" for form in FORMATS)
    if output is None:
        raise click.UsageError(f"say where the picture goes: -o FILE, whose ending says the format: {endings}.")
    place_of(output, options)
    if Path(output).suffix.lower().removeprefix(".") not in FORMATS:
        raise click.UsageError(f"{output}: a picture's ending says its format: {endings}. Choose one of them.")
