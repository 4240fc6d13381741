"""`betterthan campaign judges`: who may judge, and their links."""

import re
from typing import TYPE_CHECKING, Any

import click

from betterthan.cli.shared.campaign_argument import campaign_argument, opened
from betterthan.cli.shared.single_options import SingleGroup
from betterthan.cli.shared.streams import say

if TYPE_CHECKING:
    from betterthan.campaign import Campaign


@click.group("judges", cls=SingleGroup)
@campaign_argument
@click.pass_context
def judges(context: click.Context, place: str) -> None:
    """Add, list and revoke judges, and make their links."""
    context.obj = place


@judges.command("add")
@click.argument("names", nargs=-1, required=True)
@click.option("--program", is_flag=True, help="The judges are programs that use the API.")
@click.option("--language", multiple=True, help="A language they read; repeatable.")
@click.option("--conflict", multiple=True, metavar="SYSTEM", help="A system they may not see; repeatable.")
@click.option(
    "--address", default="http://127.0.0.1:8765", show_default=True, help="Address of the server, for the links."
)
@click.pass_obj
def add(place: str, /, names: tuple[str, ...], **about: Any) -> None:
    """Add judges by name, and print a link for each."""
    with opened(place) as found:
        _check_new(found, names)
        for name in names:
            judge, invitation = found.add_judge(
                name,
                kind="program" if about["program"] else "person",
                languages=about["language"],
                conflicts=about["conflict"],
            ).result()
            say(f"{judge.name}\t{name}\t{about['address'].rstrip('/')}/join/{invitation}")


def _check_new(found: "Campaign", names: tuple[str, ...]) -> None:
    """Refuse duplicate names of judges before anyone is added."""
    there = set(found.names().result().values())
    for place, name in enumerate(names):
        if not name.strip():
            raise click.UsageError("a judge needs a name.")
        if re.fullmatch(r"judge-\d+", name):
            raise click.UsageError(f"{name!r} looks like a pseudonym that betterthan gives. Choose another name.")
        if name in there or name in names[:place]:
            what = f"there is a judge called {name!r} already" if name in there else f"{name!r} is given twice"
            raise click.UsageError(f"{what}. Give every judge a name of their own.")


@judges.command("list")
@click.pass_obj
def list_judges(place: str) -> None:
    """List the judges with what they have done."""
    with opened(place) as found:
        for judge in found.judges():
            done = found.writer.state.people[judge.number].answered
            state = "revoked" if judge.revoked else "excluded" if judge.excluded else ""
            say("\t".join([judge.name, found.identity(judge.number), judge.kind, str(done), state]).rstrip())


@judges.command("links")
@click.argument("names", nargs=-1)
@click.option(
    "--address", default="http://127.0.0.1:8765", show_default=True, help="Address of the server, for the links."
)
@click.pass_obj
def links(place: str, names: tuple[str, ...], address: str) -> None:
    """Print new links for all judges, or for those named; older links stop working."""
    with opened(place) as found:
        for number in _numbers(found, names) or [each.number for each in found.judges() if not each.revoked]:
            invitation = found.invite(number).result()
            say(f"judge-{number}\t{found.identity(number)}\t{address.rstrip('/')}/join/{invitation}")


@judges.command("revoke")
@click.argument("names", nargs=-1, required=True)
@click.option("--exclude", metavar="REASON", help="Also leave out their judgments, for this reason.")
@click.option("--erase", is_flag=True, help="Also delete their names and answers about themselves.")
@click.pass_obj
def revoke(place: str, names: tuple[str, ...], exclude: str | None, erase: bool) -> None:
    """End links and sessions of judges; their judgments stay unless you exclude them."""
    with opened(place) as found:
        for number in _numbers(found, names):
            found.revoke(number).result()
            if exclude:
                found.exclude(number, exclude).result()
            if erase:
                found.erase(number).result()
            say(f"judge-{number} revoked")


def _numbers(found: "Campaign", names: tuple[str, ...]) -> list[int]:
    known = {judge.name: judge.number for judge in found.judges()}
    real: dict[str, list[int]] = {}
    for number in known.values():
        real.setdefault(found.identity(number), []).append(number)
    numbers = []
    for name in names:
        several = [known[name]] if name in known else real.get(name, [])
        if len(several) != 1:
            why = "there is no judge" if not several else "several judges are called"
            raise click.UsageError(f"{why} {name!r}. List them with: betterthan campaign judges CAMPAIGN list")
        numbers += several
    return numbers
