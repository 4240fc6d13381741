"""`betterthan demo`: the main job on bundled evidence, and how right the answer was."""

from pathlib import Path

import click

from betterthan.cli.shared.result_output import Output, progress_bar
from betterthan.cli.shared.single_options import SingleCommand
from betterthan.cli.shared.streams import say


@click.command("demo", cls=SingleCommand)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False),
    help="Folder for the board as JSON, CSV, Markdown and LaTeX.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.option("--no-color", is_flag=True, help="Plain text.")
def command(folder: str | None, quiet: bool, no_color: bool) -> None:
    """Rank simulated systems and compare the answers with the truth.

    \b
    betterthan demo
    betterthan demo -o demo-output
    """
    from betterthan.verbs.study import run_demo

    for name, title in (
        ("arena", "Ten systems, judged in pairs"),
        ("scores", "Eight systems, scored on every item"),
    ):
        with progress_bar("resampling", quiet=quiet) as progress:
            demo = run_demo(name, progress)
        say(f"{title}\n")
        Output("table", color=not no_color).deliver(demo.result)
        say(f"\n{demo}\n")
        if folder is not None:
            Path(folder).mkdir(parents=True, exist_ok=True)
            names = [Path(folder) / f"{name}.{ending}" for ending in ("json", "csv", "md", "tex")]
            for place in names:
                demo.result.save(place)
            say("Written: " + ", ".join(str(place) for place in names) + "\n")
