"""`betterthan campaign`: people and programs judge outputs in the browser, until the ranking is settled."""

import re
import signal
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from betterthan.base import MissingExtraError
from betterthan.cli.campaign_judges import judges as judges_group
from betterthan.cli.shared.campaign_argument import campaign_argument, opened
from betterthan.cli.shared.click_options import given, options_of
from betterthan.cli.shared.result_output import Output, output_options
from betterthan.cli.shared.single_options import SingleGroup
from betterthan.cli.shared.streams import say
from betterthan.options import CampaignOptions, SimulateOptions, declared_options

if TYPE_CHECKING:
    from betterthan.campaign import Campaign

#: What changes while a campaign runs, on the command line.
_CHANGE = ("budget", "per_pair", "per_item", "per_judge", "gold", "repeats", "lease", "pay", "title")


@click.group("campaign", cls=SingleGroup)
def command() -> None:
    """Let people and programs judge outputs in the browser, until the ranking is settled.

    \b
    betterthan campaign demo
    betterthan campaign new demo.campaign --items items.jsonl --outputs outputs.jsonl
    betterthan campaign judges demo.campaign add Ada Grace
    betterthan campaign serve demo.campaign
    betterthan rank demo.campaign
    """


@command.command("new")
@click.argument("place", metavar="[CAMPAIGN]", required=False)
@click.option("--items", required=True, metavar="FILE", help="Items: JSON lines, CSV or Parquet.")
@click.option(
    "--outputs",
    multiple=True,
    metavar="FILE",
    help="Outputs of systems; repeatable. Default: in the items file.",
)
@click.option("--checks", metavar="FILE", help="Comparisons with known answers, as checks (--gold).")
@click.option("--practice", metavar="FILE", help="Comparisons with known answers, for practice (--training).")
@click.option("--markdown", is_flag=True, help="Texts are Markdown.")
@click.option("--instructions", metavar="FILE", help="What judges are told to do, in Markdown.")
@click.option("--consent", metavar="FILE", help="What judges agree to before they begin, in Markdown.")
@click.option("--consent-version", metavar="TEXT", help="Version of the consent text.")
@click.option("--settings", metavar="FILE", help="Options in a TOML file; options given here override it.")
@click.option("--database", metavar="ADDRESS", help="A PostgreSQL database (postgresql://…) instead of a file.")
@options_of(CampaignOptions)
def new(place: str | None, **options: Any) -> None:
    """Make a campaign from items and outputs, and report problems with them."""
    from betterthan.campaign import Campaign, read_material

    names = ("items", "outputs", "checks", "practice", "markdown", "settings", "database")
    asked = {name: options.pop(name) for name in names}
    texts = {name: _text(name, options.pop(name)) for name in ("instructions", "consent")}
    texts["consent_version"] = options.pop("consent_version")
    target = _one_of(place, asked["database"])
    material, doubts = read_material(
        asked["items"],
        list(asked["outputs"]) or None,
        gold=asked["checks"],
        training=asked["practice"],
        markdown=asked["markdown"],
    )
    plan = CampaignOptions.load(asked["settings"]) if asked["settings"] else CampaignOptions()
    said = {name: value for name, value in texts.items() if value} | given(CampaignOptions, options)
    plan = plan.changed(**said)
    if not plan.title and place:
        plan = plan.changed(title=Path(place).stem)
    Campaign.create(target, material, plan).close()
    say(str(material))
    for doubt in doubts:
        say(f"! {doubt}")
    say(f"Made {target if place else 'the campaign'}. Next: betterthan campaign serve {place or '--database …'}")


def _one_of(place: str | None, database: str | None) -> str:
    if (place is None) == (database is None):
        raise click.UsageError("give either a path for the campaign or --database.")
    from betterthan.campaign import campaign_store

    if database is not None and not database.startswith(campaign_store.ADDRESS):
        raise click.UsageError(
            "--database takes the address of a PostgreSQL database (postgresql://…). "
            "Give the path of a file without it."
        )
    return str(place or database)


def _text(name: str, path: str | None) -> str:
    if path is None:
        return ""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"--{name}: {path} is no text in UTF-8.") from None


@command.command("serve")
@click.argument("place", metavar="[CAMPAIGN]", required=False)
@click.option("--database", metavar="ADDRESS", help="A PostgreSQL database (postgresql://…) instead of a file.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on.")
@click.option("--origin", metavar="URL", help="The address that judges use, behind a proxy: https://eval.example.org.")
@click.option("--certificate", metavar="FILE", help="TLS certificate; with --key.")
@click.option("--key", metavar="FILE", help="TLS key.")
def serve(place: str | None, database: str | None, **how: Any) -> None:
    """Serve a campaign to judges in the browser, until Ctrl-C."""
    _serve(_one_of(place, database), **how)


def _serve(
    target: str,
    *,
    host: str,
    port: int,
    origin: str | None,
    certificate: str | None,
    key: str | None,
    guest: str | None = None,
) -> None:
    """Serve until Ctrl-C; a guest is a judge who needs no invitation of an organiser."""
    if find_spec("uvicorn") is None or find_spec("fastapi") is None:
        raise MissingExtraError("FastAPI", "campaign", "serving a campaign")
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key belong together: give both.")
    if origin is not None and not re.fullmatch(r"https://[^/?#@\s]+", origin := origin.rstrip("/")):
        raise click.UsageError(
            f"--origin must be the address that judges use, such as https://eval.example.org, got {origin!r}."
        )
    from betterthan.campaign import Choosing
    from betterthan.web import Tls, running_campaign

    tls = Tls(Path(certificate), Path(key)) if certificate and key else None
    with opened(target) as found:
        found.store.guard()
        with running_campaign(found, host, port, tls=tls, behind_proxy=origin is not None, origin=origin) as address:
            choosing = Choosing(found)
            try:
                _announce(found, origin or address, guest)
                _wait()
            finally:
                choosing.stop()
    say("Stopped. Everything is saved.")


def _wait() -> None:
    """Wait for Ctrl-C, or for the parent process to end it."""
    stopped = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    stopped.wait()


def _announce(running: "Campaign", address: str, guest: str | None) -> None:
    if guest is not None:
        say(f"Judge yourself: {address}/join/{_invited(running, guest)}")
    say(f"Judges join at {address}/ with their links.")
    say(f"Organiser (works once, for an hour): {address}/join/{running.invite_organiser().result()}")
    if not running.judges():
        say("There are no judges yet. Add some with: betterthan campaign judges CAMPAIGN add NAME")
    say("Stop with Ctrl-C: nothing is lost.")
    sys.stdout.flush()


def _invited(running: "Campaign", name: str) -> str:
    """Return an invitation for a judge, who is added if nobody has that name."""
    there = [number for number, known in running.names().result().items() if known == name]
    return running.invite(there[0]).result() if there else running.add_judge(name).result()[1]


@command.command("demo")
@click.option("--judges", default=0, type=click.IntRange(0, 100), help="Number of simulated judges who answer first.")
@click.option(
    "-o",
    "--output",
    default="demo.campaign",
    show_default=True,
    help="File of the campaign; one that exists is served again.",
)
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on.")
@click.option("--no-serve", is_flag=True, help="Make it without serving it.")
def demo(judges: int, output: str, port: int, no_serve: bool) -> None:
    """Make a campaign from bundled items, and serve it."""
    from betterthan.campaign import Campaign, demo_material

    if not Path(output).exists():
        Campaign.create(
            output,
            demo_material(),
            CampaignOptions(title="Demo: plain English", training=2, gold=0.05, overlap=8, unit="item"),
        ).close()
        say(f"Made {output}.")
    if judges:
        from betterthan.campaign import judge_all

        with opened(output) as running:
            say(f"Simulated judges: {judge_all(running, judges):,} comparisons.")
    if not no_serve:
        _serve(output, host="127.0.0.1", port=port, origin=None, certificate=None, key=None, guest="you")


@command.command("status")
@campaign_argument
@output_options
def status(place: str, **options: Any) -> None:
    """Show progress, decided pairs and judges."""
    from betterthan.campaign import overview_of_campaign, standing_of

    output = Output.taken_from(options | {"place": place})
    with opened(place) as found:
        chances = standing_of(found)
        state = found.writer.state
        output.deliver(overview_of_campaign(state, state.options, chances, str(state.number)))


command.add_command(judges_group)


@command.command("export")
@campaign_argument
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Judgments: .jsonl (exact), .csv, .tsv, .parquet. Archive: .zip. Log: .log.jsonl.",
)
@click.option("--for-spreadsheets", is_flag=True, help="CSV in which no cell can be read as a formula.")
@click.option("--with-names", is_flag=True, help="Include the names of judges (archives only).")
def export(place: str, output: str, for_spreadsheets: bool, with_names: bool) -> None:
    """Write the judgments, an archive of everything, or the log."""
    from betterthan.campaign import write_export

    with opened(place) as found:
        number = write_export(found, Path(output), spreadsheet=for_spreadsheets, identities=with_names)
    say(f"Wrote {output}: {number:,} lines.")


@command.command("import")
@click.argument("archive", type=click.Path(exists=True, dir_okay=False))
@click.argument("place", metavar="CAMPAIGN")
def import_archive(archive: str, place: str) -> None:
    """Make a campaign from an archive that export wrote."""
    from betterthan.campaign import read_archive

    store = read_archive(Path(archive), place)
    store.close()
    say(f"Made {store.place}.")


def _state(name: str, state: str, about: str) -> None:
    @command.command(name, help=about)
    @campaign_argument
    def change(place: str) -> None:
        with opened(place) as found:
            found.set_state(state).result()  # type: ignore[arg-type]
            say(f"{found.store.place} is {found.state}.")


_state("pause", "paused", "Give judges no new tasks until you resume; answers to open tasks still count.")
_state("resume", "running", "Give judges tasks again, after a pause or after closing.")
_state("close", "closed", "End the campaign; answers that arrive later do not count.")


@command.command("change")
@campaign_argument
@options_of(CampaignOptions, leave=[name for name in declared_options(CampaignOptions) if name not in _CHANGE])
def change(place: str, **options: Any) -> None:
    """Change limits and other settings of a campaign, also while it is served."""
    said = given(CampaignOptions, options)
    if not said:
        raise click.UsageError("give at least one option to change.")
    with opened(place) as found:
        found.change(**said).result()
    say("Changed: " + ", ".join(f"{name} = {value}" for name, value in said.items()))


@command.command("password")
@campaign_argument
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
    with opened(place) as found:
        found.set_password(chosen).result()
    say("The password was removed." if remove else "Organisers can enter with this password at /login.")


@command.command("backup")
@campaign_argument
@click.argument("target", type=click.Path(dir_okay=False))
def backup(place: str, target: str) -> None:
    """Copy a campaign to a file, also while it is served."""
    from betterthan.campaign import campaign_store

    store = campaign_store.open_store(place)
    try:
        store.backup(Path(target))
    finally:
        store.close()
    say(f"Wrote {target}.")


@command.command("check")
@campaign_argument
def check(place: str) -> None:
    """Read the whole log again and report any damage."""
    from betterthan.campaign import campaign_store, replayed_campaign
    from betterthan.findings import counted

    store = campaign_store.open_store(place)
    try:
        damage = list(store.damage())
        if damage:
            raise click.ClickException(" ".join(damage))
        state = replayed_campaign(store.material(), store.events())
    finally:
        store.close()
    comparisons = counted(state.answers, "comparison")
    say(f"No problems found in {store.place}: {state.number:,} lines of the log, {comparisons}.")


@command.command("simulate")
@campaign_argument
@options_of(SimulateOptions, leave=[*declared_options(CampaignOptions), "systems", "items"])
@output_options
def simulate(place: str, **options: Any) -> None:
    """Forecast judgments, hours and cost with simulated judges."""
    from betterthan.campaign import simulate_from_worlds as forecast

    output = Output.taken_from(options | {"place": place})
    said = given(SimulateOptions, options)
    with opened(place) as found:
        result = forecast(found.material, found.options, **said)
    output.deliver(result)
