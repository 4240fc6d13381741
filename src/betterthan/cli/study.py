"""`betterthan study`: experiments of the papers, repeated on simulated or on your own evidence."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import described, optional_evidence, read_evidence
from betterthan.cli.shared.result_output import Output, progress_bar, telling_options, terminal_width
from betterthan.cli.shared.signals import Stopped
from betterthan.cli.shared.streams import say
from betterthan.options import StudyOptions
from betterthan.results import FORMATS


def _list_studies(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.verbs.study import study_table

    say(study_table().to_text(terminal_width()))
    context.exit()


def _given(name: str, options: dict[str, Any]) -> Any:
    """Read the evidence; a study of outputs reads its files itself."""
    if not options["files"]:
        return None
    from betterthan.verbs.study import is_of_outputs

    if not is_of_outputs(name):
        return read_evidence(options)
    if (wrong := described(options)) is not None:
        raise click.UsageError(f"{wrong} is for judgments, rankings and scores. Name columns in the study's settings.")
    return list(options["files"])


@click.command("study", cls=VerbCommand)
@click.argument("name", metavar="NAME")
@optional_evidence()
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_studies,
    help="List the studies with their settings, and leave.",
)
@options_of(StudyOptions)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False),
    help="Folder for page, table, picture, and finished parts: a stopped run goes on.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", help="Format of standard output.")
@telling_options
def command(**options: Any) -> None:
    """Repeat an experiment of a paper: NAME is one of those that --list shows, FILE as for rank where it takes any.

    Settings are written behind the name: `mechanisms(runs=50,systems=5|10)`.

    \b
    betterthan study mechanisms --quick
    betterthan study mechanisms -o results
    betterthan study pairing scores.csv
    betterthan study --list
    """
    from betterthan import study
    from betterthan.present import altair

    name, folder, output = options.pop("name"), options.pop("folder"), Output.taken_from(options)
    said = given(StudyOptions, options)
    if folder is not None:
        altair()  # says at once what is not installed, and not after half an hour
    if not options["files"] and (wrong := described(options)) is not None:
        raise click.UsageError(f"{wrong} describes evidence, and there is none. Leave it out, or give a file.")
    evidence = _given(name, options)
    try:
        with progress_bar("studying", quiet=output.quiet) as progress:
            found = study(name, evidence, progress=progress, folder=folder, **said)
    except KeyboardInterrupt as stopped:
        if folder is None:
            raise
        say(f"betterthan: stopped; {folder} keeps the finished parts. Run the same command to go on.", err=True)
        raise click.exceptions.Exit(stopped.code if isinstance(stopped, Stopped) else 130) from None
    output.deliver(found)
    if folder is not None:
        written = ", ".join(str(place) for place in found.save_in(folder))
        if not output.quiet:
            say(f"Written: {written}", err=True)
