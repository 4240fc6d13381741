"""`betterthan next`: what to judge next, and which pairs are settled."""

from pathlib import Path
from typing import Any

import click

from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.command_help import VerbCommand
from betterthan.cli.shared.evidence_options import described, optional_evidence, read_evidence
from betterthan.cli.shared.result_output import Output, output_options, terminal_width
from betterthan.cli.shared.streams import say
from betterthan.options import NextOptions


def _list_policies(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.present import Column, Table
    from betterthan.verbs.collect import known_policies, policy_of

    rows = [[name, str(type(policy_of(name)).__doc__).split("\n")[0]] for name in known_policies()]
    say(Table([Column("policy", "left"), Column("chooses", "left", flexible=True)], rows).to_text(terminal_width()))
    context.exit()


@click.command("next", cls=VerbCommand)
@optional_evidence("exclude")
@options_of(NextOptions)
@click.option(
    "--policies",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_policies,
    help="List the policies, and leave.",
)
@click.option("--add", metavar="SYSTEMS", help="Systems that take part, also without judgments so far.")
@click.option(
    "--exclude",
    multiple=True,
    metavar="A[,B]",
    help="A system or a pair not to be asked for; judge=NAME or item=NAME: without its judgments; repeatable.",
)
@click.option("--outstanding", metavar="FILE", help="What was asked for and is not answered yet: an earlier -o FILE.")
@click.option("--items", metavar="WHICH", help="Hand out items: 'evidence' for those in it, or a file with one a line.")
@click.option("--judges", metavar="WHICH", help="Hand out to judges: 'evidence' for those in it, or names with commas.")
@output_options
def command(**options: Any) -> None:
    """Choose what to judge next, and say which pairs are settled, however often one looks.

    \b
    betterthan next votes.csv -n 20
    betterthan next votes.csv -n 20 --margin 0.05 --items evidence -o tasks.csv
    betterthan next votes.csv --outstanding tasks.csv --policy information
    betterthan next --add owl,yak,elk --policy uniform
    """
    from betterthan import next_matches

    output = Output.taken_from(options)
    said = given(NextOptions, options)
    asked = {name: options.pop(name) for name in ("outstanding", "exclude", "judges")}
    asked |= {"systems": options.pop("add") or (), "items": _items(options.pop("items"))}
    if not options["files"] and (name := described(options)) is not None:
        raise click.UsageError(f"{name} describes evidence, but no FILE is given. Give one, or leave it out.")
    # Systems stay in the evidence, whatever is requested; judges and items cannot be asked to stay away.
    options["exclude"] = tuple(name for name in asked["exclude"] if name.startswith(("judge=", "item=")))
    asked["exclude"] = tuple(name for name in asked["exclude"] if name not in options["exclude"])
    evidence = read_evidence(options) if options["files"] else None
    output.deliver(next_matches(evidence, **said, **asked))


def _items(which: str | None) -> list[str] | str | None:
    """Return the items in the evidence, or those that a file lists."""
    if which in {None, "evidence"}:
        return which
    place = Path(str(which))
    if not place.is_file():
        raise click.UsageError(f"--items takes 'evidence' or a file with one item a line; there is no file {which}.")
    try:
        lines = place.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise click.UsageError(f"--items: {which} is no text in UTF-8. Give a file with one item a line.") from None
    items = [line.strip() for line in lines if line.strip()]
    if not items:
        raise click.UsageError(f"--items: {which} is empty. Give a file with one item a line.")
    return items
