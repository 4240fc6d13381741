"""`betterthan next`: what to judge next, and which pairs are settled."""

from pathlib import Path
from typing import Any

import click

from betterthan.cli.inputs import optional_evidence, read_evidence
from betterthan.cli.outputs import deliver, form_of, output_options, terminal_width
from betterthan.plan import UNITS


def _list_policies(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from betterthan.collect.policies.base import known_policies, policy_of
    from betterthan.present.table import Column, Table

    rows = [[name, str(type(policy_of(name)).__doc__).split("\n")[0]] for name in known_policies()]
    click.echo(
        Table([Column("policy", "left"), Column("chooses", "left", flexible=True)], rows).to_text(terminal_width())
    )
    context.exit()


@click.command("next")
@optional_evidence
@click.option("-n", type=int, default=10, help="How many comparisons.  [default: 10]")
@click.option(
    "--policy",
    default="unresolved",
    help="How to choose, options in brackets: 'unresolved(explore=0.2)'. See --policies.  [default: unresolved]",
)
@click.option(
    "--policies",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_policies,
    help="List the policies, and leave.",
)
@click.option("--way", type=int, default=2, help="Systems to be ranked at once.  [default: 2]")
@click.option("--add", metavar="SYSTEMS", help="New systems, without judgments so far.")
@click.option("--exclude", multiple=True, metavar="A[,B]", help="A system, or a pair, not to be asked for; repeatable.")
@click.option("--outstanding", metavar="FILE", help="What was asked for and is not answered yet: an earlier -o FILE.")
@click.option("--items", metavar="WHICH", help="Hand out items: 'evidence' for those in it, or a file with one a line.")
@click.option("--judges", metavar="WHICH", help="Hand out to judges: 'evidence' for those in it, or names with commas.")
@click.option("--per-pair", type=int, help="Most judgments of one pair.")
@click.option("--per-item", type=int, help="Most comparisons on one item.")
@click.option("--per-judge", type=int, help="Most comparisons of one judge.")
@click.option(
    "--resample", type=click.Choice(UNITS), help="What counts once for a pair.  [default: ranking, item, row]"
)
@click.option(
    "--level", type=float, default=0.95, help="Level of all separations, and of all equivalences.  [default: 0.95]"
)
@click.option("--margin", type=float, help="Shares (ties half) this near to 0.5 count as equivalent.")
@click.option("--seed", type=int, default=0, help="Seed of the choices.  [default: 0]")
@output_options
def command(**options: Any) -> None:
    """Choose what to judge next, and say which pairs are settled, however often one looks.

    \b
    betterthan next votes.csv -n 20
    betterthan next votes.csv -n 20 --margin 0.05 --items evidence -o tasks.csv
    betterthan next votes.csv --outstanding tasks.csv --policy information
    betterthan next --add owl,yak,elk --policy uniform
    """
    from betterthan.collect.next import next_matches

    form, output, _, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    names = ("n", "policy", "way", "outstanding", "per_pair", "per_item", "per_judge", "resample", "level", "margin")
    choices = {name: options.pop(name) for name in (*names, "seed")}
    form = form_of(form, output)
    choices["systems"] = options.pop("add") or ()
    choices["exclude"] = options.pop("exclude")
    choices["items"] = _items(options.pop("items"))
    choices["judges"] = options.pop("judges")
    if not options["files"]:
        _need_no_description(options)
    evidence = read_evidence(options) if options["files"] else None
    deliver(next_matches(evidence, **choices), form, output, color=not plain)


def _need_no_description(options: dict[str, Any]) -> None:
    """Refuse to describe evidence that is not there."""
    given = [name for name, value in options.items() if value not in {None, ()} and name != "files"]
    if given:
        option = f"--{given[0].replace('_', '-')}"
        raise click.UsageError(f"{option} describes evidence, but no FILE is given. Give one, or leave it out.")


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
