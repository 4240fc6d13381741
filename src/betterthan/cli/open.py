"""`betterthan open`: a page on this machine to explore files."""

import sys
import webbrowser
from typing import Any

import click

from betterthan.cli.inputs import optional_evidence, reading_options
from betterthan.cli.options import given, options_of
from betterthan.cli.saying import say
from betterthan.cli.stopping import Stopped
from betterthan.cli.verb import Verb
from betterthan.options.declare import declared
from betterthan.options.open import OpenOptions
from betterthan.options.read import ReadOptions


@click.command("open", cls=Verb)
@optional_evidence()
@options_of(OpenOptions)
def command(**options: Any) -> None:
    """Open a page on this machine: drop files, change options, see the results at once.

    The page shows how files were read, leaderboards, pairs, diagnosis and pictures. It writes reports, tables and the
    code that repeats what you see. Nothing leaves this machine.

    \b
    betterthan open
    betterthan open votes.csv
    betterthan open scores.parquet --where metric=bleu --no-browser
    """
    from betterthan.workbench.files import Files
    from betterthan.workbench.serving import served
    from betterthan.workbench.session import Session

    said = OpenOptions.of(**given(OpenOptions, options))
    files = list(options.pop("files"))
    reading_options(options)  # refuses what is wrong before a page is opened
    reading = {name: text for name, text in options.items() if name in declared(ReadOptions) and text not in (None, ())}
    joined = [reading["join"]] if "join" in reading else []
    try:
        with Session(Files([*files, *joined])) as session:
            keys = [file.key for file in session.files.all()]
            if joined:
                reading["join"] = keys.pop()
            # Repeated options are lines of a text on the page.
            texts = {name: "\n".join(text) if isinstance(text, tuple) else text for name, text in reading.items()}
            bench = served(session, said.port, {"files": keys, "read": texts})
            say(f"Open {bench.address}\nPress Ctrl-C to stop.")
            sys.stdout.flush()
            if not said.no_browser:
                webbrowser.open(bench.address)
            bench.run()
    except Stopped as stopped:
        raise click.exceptions.Exit(stopped.code) from None
