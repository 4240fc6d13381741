"""`betterthan campaign`: people and programs judge outputs in the browser, until the ranking is settled."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from betterthan.cli.options import given, options_of
from betterthan.cli.outputs import deliver, form_of, output_options
from betterthan.errors import MissingExtraError
from betterthan.options.campaign import CampaignOptions
from betterthan.options.declare import declared
from betterthan.options.simulate import SimulateOptions

if TYPE_CHECKING:
    from betterthan.campaign.campaign import Campaign
    from betterthan.campaign.material import Doubt, Material

#: What changes while a campaign runs, on the command line.
_CHANGE = ("budget", "per_pair", "per_item", "per_judge", "margin", "gold", "repeats", "lease", "pay", "title", "unit")


@click.group("campaign")
def command() -> None:
    """Let people and programs judge outputs in the browser, until the ranking is settled.

    \b
    betterthan campaign demo
    betterthan campaign new demo.campaign --items items.jsonl --outputs outputs.jsonl
    betterthan campaign judges demo.campaign add Ada Grace
    betterthan campaign serve demo.campaign
    betterthan rank demo.campaign
    """


def _place(function: Any) -> Any:
    return click.argument("place", metavar="CAMPAIGN")(function)


@contextmanager
def _opened(place: str) -> "Iterator[Campaign]":
    from betterthan.campaign.campaign import Campaign

    with Campaign.open(place) as found:
        yield found


@command.command("new")
@click.argument("place", metavar="[CAMPAIGN]", required=False)
@click.option("--items", required=True, metavar="FILE", help="Items: JSON lines, CSV or Parquet.")
@click.option("--outputs", multiple=True, metavar="FILE", help="Outputs of systems; repeatable. Without: in the items.")
@click.option("--checks", metavar="FILE", help="Comparisons with known answers, as checks (--gold).")
@click.option("--practice", metavar="FILE", help="Comparisons with known answers, for practice (--training).")
@click.option("--markdown", is_flag=True, help="Texts are Markdown.")
@click.option("--instructions", metavar="FILE", help="What judges are told to do, in Markdown.")
@click.option("--consent", metavar="FILE", help="What judges agree to before they begin, in Markdown.")
@click.option("--consent-version", metavar="TEXT", help="Version of the consent text.")
@click.option("--settings", metavar="FILE", help="Options in a TOML file; those given here come first.")
@click.option("--database", metavar="ADDRESS", help="A PostgreSQL database (postgresql://…) instead of a file.")
@options_of(CampaignOptions)
def new(place: str | None, **options: Any) -> None:
    """Make a campaign from items and outputs, and say what is odd about them."""
    from betterthan.campaign.campaign import Campaign
    from betterthan.campaign.reading import read_material

    names = ("items", "outputs", "checks", "practice", "markdown", "settings", "database")
    asked = {name: options.pop(name) for name in names}
    texts = {name: _text(name, options.pop(name)) for name in ("instructions", "consent")}
    texts["consent_version"] = options.pop("consent_version")
    target = _one_of(place, asked["database"])
    material, doubts = read_material(
        asked["items"], list(asked["outputs"]) or None, gold=asked["checks"], training=asked["practice"],
        markdown=asked["markdown"],
    )  # fmt: skip
    plan = CampaignOptions.load(asked["settings"]) if asked["settings"] else CampaignOptions()
    said = {name: value for name, value in texts.items() if value} | given(CampaignOptions, options)
    plan = plan.changed(**said)
    if not plan.title and place:
        plan = plan.changed(title=Path(place).stem)
    Campaign.create(target, material, plan).close()
    _describe(material, doubts)
    click.echo(f"Made {target if place else 'the campaign'}. Next: betterthan campaign serve {place or '--database …'}")


def _one_of(place: str | None, database: str | None) -> str:
    if (place is None) == (database is None):
        raise click.UsageError("give either a path for the campaign or --database.")
    return str(place or database)


def _text(name: str, path: str | None) -> str:
    if path is None:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"--{name}: {path} is no text in UTF-8.") from None


def _describe(material: "Material", doubts: "tuple[Doubt, ...]") -> None:
    outputs = sum(text is not None for texts in material.outputs.values() for text in texts)
    click.echo(f"{len(material.items):,} items · {len(material.systems)} systems · {outputs:,} outputs")
    for doubt in doubts:
        examples = f" ({', '.join(doubt.examples[:3])}{' …' if doubt.number > 3 else ''})" if doubt.examples else ""
        click.echo(f"! {doubt.text}{examples}")


@command.command("serve")
@click.argument("place", metavar="[CAMPAIGN]", required=False)
@click.option("--database", metavar="ADDRESS", help="A PostgreSQL database (postgresql://…) instead of a file.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port to listen at.")
@click.option("--origin", metavar="URL", help="The address that judges use, behind a proxy: https://eval.example.org.")
@click.option("--certificate", metavar="FILE", help="TLS certificate; with --key.")
@click.option("--key", metavar="FILE", help="TLS key.")
def serve(place: str | None, database: str | None, **how: Any) -> None:
    """Let judges in, until Ctrl-C."""
    _serve(_one_of(place, database), **how)


def _serve(target: str, *, host: str, port: int, origin: str | None, certificate: str | None, key: str | None) -> None:
    if find_spec("uvicorn") is None or find_spec("fastapi") is None:
        raise MissingExtraError("FastAPI", "campaign", "serving a campaign")
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key belong together: give both.")
    from betterthan.campaign.choosing import Choosing
    from betterthan.web.server import Tls, running

    tls = Tls(Path(certificate), Path(key)) if certificate and key else None
    with _opened(target) as found:
        found.store.guard()
        with running(found, host, port, tls=tls, behind_proxy=origin is not None, origin=origin) as address:
            choosing = Choosing(found)
            try:
                _announce(found, origin or address)
                _wait()
            finally:
                choosing.stop()
    click.echo("Stopped. Everything is saved.")


def _wait() -> None:
    """Wait for Ctrl-C, or for whoever started this to end it."""
    stopped = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    stopped.wait()


def _announce(running: "Campaign", address: str) -> None:
    click.echo(f"Judges join at {address}/ with their links.")
    click.echo(f"Organiser (works once, for an hour): {address}/join/{running.invite_organiser().result()}")
    if not running.judges():
        click.echo("There are no judges yet. Add some with: betterthan campaign judges CAMPAIGN add NAME")
    click.echo("Stop with Ctrl-C: nothing is lost.")
    sys.stdout.flush()


@command.command("demo")
@click.option("--judges", default=0, type=click.IntRange(0, 100), help="Simulated judges who judge right away.")
@click.option("-o", "--output", default="demo.campaign", show_default=True, help="Where to keep it.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port to listen at.")
@click.option("--no-serve", is_flag=True, help="Make it, and leave.")
def demo(judges: int, output: str, port: int, no_serve: bool) -> None:
    """Make a campaign of bundled items, and serve it."""
    from betterthan.campaign.campaign import Campaign
    from betterthan.campaign.demo_material import demo_material

    if not Path(output).exists():
        Campaign.create(
            output,
            demo_material(),
            CampaignOptions(title="Demo: plain English", training=2, gold=0.05, overlap=8, unit="item"),
        ).close()
        click.echo(f"Made {output}.")
    if judges:
        from betterthan.campaign.simulated_judges import judge_all

        with _opened(output) as running:
            click.echo(f"Simulated judges: {judge_all(running, judges):,} comparisons.")
    if not no_serve:
        _serve(output, host="127.0.0.1", port=port, origin=None, certificate=None, key=None)


@command.command("status")
@_place
@output_options
def status(place: str, **options: Any) -> None:
    """Say how far a campaign is, what is settled, and how the judges are doing."""
    from betterthan.campaign.overview import overview
    from betterthan.campaign.standing import standing

    form, output, _, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    with _opened(place) as found:
        chances = standing(found)
        state = found.writer.state
        deliver(overview(state, state.options, chances, str(state.number)), form_of(form, output), output,
                color=not plain)  # fmt: skip


@command.group("judges")
@_place
@click.pass_context
def judges(context: click.Context, place: str) -> None:
    """Add, list and revoke judges, and make their links."""
    context.obj = place


@judges.command("add")
@click.argument("names", nargs=-1, required=True)
@click.option("--program", is_flag=True, help="They are programs, which judge over the API.")
@click.option("--language", multiple=True, help="A language that they read; repeatable.")
@click.option("--conflict", multiple=True, metavar="SYSTEM", help="A system that they may not see; repeatable.")
@click.option("--address", default="http://127.0.0.1:8765", show_default=True, help="How links begin.")
@click.pass_obj
def add(place: str, /, names: tuple[str, ...], **about: Any) -> None:
    """Add judges by name, and print a link for each."""
    with _opened(place) as found:
        for name in names:
            judge, invitation = found.add_judge(
                name, kind="program" if about["program"] else "person", languages=about["language"],
                conflicts=about["conflict"],
            ).result()  # fmt: skip
            click.echo(f"{judge.name}\t{name}\t{about['address'].rstrip('/')}/join/{invitation}")


@judges.command("list")
@click.pass_obj
def list_judges(place: str) -> None:
    """List the judges with what they have done."""
    with _opened(place) as found:
        for judge in found.judges():
            done = found.writer.state.people[judge.number].answered
            state = "revoked" if judge.revoked else "excluded" if judge.excluded else ""
            click.echo("\t".join([judge.name, found.identity(judge.number), judge.kind, str(done), state]).rstrip())


@judges.command("links")
@click.argument("names", nargs=-1)
@click.option("--address", default="http://127.0.0.1:8765", show_default=True, help="How links begin.")
@click.pass_obj
def links(place: str, names: tuple[str, ...], address: str) -> None:
    """Print new links, of all judges or of some; older links end."""
    with _opened(place) as found:
        for number in _numbers(found, names) or [each.number for each in found.judges() if not each.revoked]:
            invitation = found.invite(number).result()
            click.echo(f"judge-{number}\t{found.identity(number)}\t{address.rstrip('/')}/join/{invitation}")


@judges.command("revoke")
@click.argument("names", nargs=-1, required=True)
@click.option("--exclude", metavar="REASON", help="Leave out what they judged, too.")
@click.option("--erase", is_flag=True, help="Forget who they are.")
@click.pass_obj
def revoke(place: str, names: tuple[str, ...], exclude: str | None, erase: bool) -> None:
    """End judges' links and sessions; what they judged stays unless it is excluded."""
    with _opened(place) as found:
        for number in _numbers(found, names):
            found.revoke(number).result()
            if exclude:
                found.exclude(number, exclude).result()
            if erase:
                found.erase(number).result()
            click.echo(f"judge-{number} revoked")


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
            raise click.UsageError(f"{why} {name!r}. Use the names that 'judges list' prints first.")
        numbers += several
    return numbers


@command.command("export")
@_place
@click.option("-o", "--output", required=True, metavar="FILE",
              help="judgments.jsonl (exact), .csv, .parquet; .zip: everything; .log.jsonl: the audit log.")  # fmt: skip
@click.option("--for-spreadsheets", is_flag=True, help="CSV in which no cell is taken for a formula.")
@click.option("--with-names", is_flag=True, help="Archive: with the names of judges.")
def export(place: str, output: str, for_spreadsheets: bool, with_names: bool) -> None:
    """Write what was judged, the whole campaign, or its log."""
    from betterthan.campaign.exporting import write_export

    with _opened(place) as found:
        number = write_export(found, Path(output), spreadsheet=for_spreadsheets, identities=with_names)
    click.echo(f"Wrote {output}: {number:,} lines.")


@command.command("import")
@click.argument("archive", type=click.Path(exists=True, dir_okay=False))
@click.argument("place", metavar="CAMPAIGN")
def import_archive(archive: str, place: str) -> None:
    """Make a campaign from an archive that export wrote."""
    from betterthan.campaign.archive import read_archive

    read_archive(Path(archive), place).close()
    click.echo(f"Made {place}.")


def _state(name: str, state: str, about: str) -> None:
    @command.command(name, help=about)
    @_place
    def change(place: str) -> None:
        with _opened(place) as found:
            found.set_state(state).result()  # type: ignore[arg-type]
            click.echo(f"{place} is {found.state}.")


_state("pause", "paused", "Hand out nothing until it is resumed; answers are still kept.")
_state("resume", "running", "Go on.")
_state("close", "closed", "End it: nothing is handed out or kept any more.")


@command.command("change")
@_place
@options_of(CampaignOptions, leave=[name for name in declared(CampaignOptions) if name not in _CHANGE])
def change(place: str, **options: Any) -> None:
    """Change limits of a campaign that runs."""
    said = given(CampaignOptions, options)
    with _opened(place) as found:
        found.change(**said).result()
    click.echo("Changed: " + ", ".join(f"{name} = {value}" for name, value in said.items()))


@command.command("password")
@_place
@click.option("--remove", is_flag=True, help="Take the password away.")
@click.option("--from-stdin", is_flag=True, help="Read it from standard input instead of asking.")
def password(place: str, remove: bool, from_stdin: bool) -> None:
    """Set a password for organisers, who then enter at /login."""
    if remove:
        chosen = ""
    elif from_stdin:
        chosen = sys.stdin.readline().rstrip("\n")
    else:
        chosen = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    with _opened(place) as found:
        found.set_password(chosen).result()
    click.echo("The password was removed." if remove else "Organisers can enter with this password at /login.")


@command.command("backup")
@_place
@click.argument("target", type=click.Path(dir_okay=False))
def backup(place: str, target: str) -> None:
    """Write a copy, also while judges are at work."""
    from betterthan.campaign.store import open_store

    store = open_store(place)
    try:
        store.backup(Path(target))
    finally:
        store.close()
    click.echo(f"Wrote {target}.")


@command.command("check")
@_place
def check(place: str) -> None:
    """Read the whole log again and see whether it holds together."""
    from betterthan.campaign.replaying import replayed
    from betterthan.campaign.store import open_store

    store = open_store(place)
    try:
        damage = list(store.damage())
        if damage:
            raise click.ClickException(" ".join(damage))
        state = replayed(store.material(), list(store.events()))
    finally:
        store.close()
    click.echo(f"{place} is whole: {state.number:,} lines, {state.answers:,} comparisons.")


@command.command("simulate")
@_place
@options_of(SimulateOptions, leave=[*declared(CampaignOptions), "systems", "items"])
@output_options
def simulate(place: str, **options: Any) -> None:
    """Forecast judgments, hours and cost with simulated judges."""
    from betterthan.campaign.forecast import simulate as forecast

    form, output, _, plain = (options.pop(name) for name in ("form", "output", "quiet", "no_color"))
    with _opened(place) as found:
        result = forecast(found.material, found.options, **given(SimulateOptions, options))
    deliver(result, form_of(form, output), output, color=not plain)
