"""`betterthan open`: a page on this machine to explore files."""

import sys
import webbrowser
from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import optional_evidence, reading_options
from betterthan.cli.shared.signals import Stopped
from betterthan.cli.shared.streams import say
from betterthan.options import OpenOptions, ReadOptions, declared_options


@click.command("open", cls=VerbCommand)
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
    from betterthan.web import Files, WorkbenchSession, served_workbench

    said = OpenOptions.of(**given(OpenOptions, options))
    files = list(options.pop("files"))
    reading_options(options)  # refuses what is wrong before a page is opened
    reading = {
        name: text for name, text in options.items() if name in declared_options(ReadOptions) and text not in (None, ())
    }
    joined = [reading["join"]] if "join" in reading else []
    try:
        with WorkbenchSession(Files([*files, *joined])) as session:
            keys = [file.key for file in session.files.all()]
            if joined:
                reading["join"] = keys.pop()
            # Repeated options are lines of a text on the page.
            texts = {name: "\n".join(text) if isinstance(text, tuple) else text for name, text in reading.items()}
            bench = served_workbench(session, said.port, {"files": keys, "read": texts})
            say(f"Open {bench.address}\nPress Ctrl-C to stop.")
            sys.stdout.flush()
            if not said.no_browser:
                webbrowser.open(bench.address)
            bench.run()
    except Stopped as stopped:
        raise click.exceptions.Exit(stopped.code) from None
