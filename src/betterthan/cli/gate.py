"""`betterthan gate`: whether a new version is not worse than an old one, as an exit code."""

from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import evidence_options, is_there, read_new_and_old, read_pair
from betterthan.cli.shared.result_output import Output, output_options, place_of
from betterthan.options import GateOptions
from betterthan.present import atomic_files


@click.command("gate", cls=VerbCommand)
@evidence_options
@options_of(GateOptions)
@click.option("--rerun", metavar="FILE", help="Another run of OLD: how much two runs of one system differ.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML as well.")
@click.option("--summary", metavar="FILE", help="Append Markdown to a file as well, such as $GITHUB_STEP_SUMMARY.")
@output_options
def command(**options: Any) -> None:
    """Decide whether NEW is not worse than OLD: exit code 0 pass, 1 fail, 4 inconclusive.

    Two runs of an evaluation, matched by item, or FILE NEW OLD. It passes if the interval of the difference shows that
    NEW is worse by less than the margin, and fails if it shows the opposite. Otherwise items are too few.

    \b
    betterthan gate new.csv old.csv --not-worse-than 0.02
    betterthan gate new.csv old.csv --score correct --not-worse-than 2% --guard latency_ms=+5%
    betterthan gate scores.csv new old --better-by 0 --slices language
    betterthan gate 'new_seed*.csv' 'old_seed*.csv' --not-worse-than 0.02
    betterthan gate votes.csv new old --not-worse-than 0.03
    betterthan gate new.csv old.csv --not-worse-than 0.02 --format markdown -o comment.md
    """
    from betterthan import gate

    if len(options["files"]) < 2:
        raise click.UsageError("give NEW OLD (a run each), or FILE NEW OLD (two systems of a file).")
    places = {name: place_of(place, options) for name in ("junit", "summary") if (place := options.pop(name))}
    output, rerun = Output.taken_from(options), options.pop("rerun")
    said = given(GateOptions, options)
    if said.get("guard") and options.get("score"):
        options["score"] = ",".join([options["score"], *said["guard"]])
    again = {**options, "files": (*options["files"][1:2], rerun)}
    if "slices" in said:
        options["dataset"] = said["slices"]
    evidence, names = read_new_and_old(options)
    if rerun is not None:
        said["rerun"] = _runs_of_old(again)
    if names:
        said |= {"new": names[0], "old": list(names[1:])}
    found = gate(evidence, **said)
    output.deliver(found)
    if "junit" in places:
        atomic_files.write_text(places["junit"], found.to_junit())
    if "summary" in places:
        with places["summary"].open("a", encoding="utf-8") as summary:
            summary.write(found.to_markdown())
    if found.exit_code:
        raise click.exceptions.Exit(found.exit_code)


def _runs_of_old(options: dict[str, Any]) -> Any:
    """Read OLD and another run of it."""
    if len(options["files"]) < 2 or not all(map(is_there, options["files"])):
        raise click.UsageError("--rerun takes a file, and goes with gate NEW OLD, where OLD is a file, too.")
    return read_pair(options)[0]
