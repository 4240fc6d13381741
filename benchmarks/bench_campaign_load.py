"""A server under load: 300 judges at 30 answers a second, as many as it takes, and kill -9 five times.

Beside it 100 judges on ours, on Pearmut and on Potato, one after the other.
"""

import contextlib
import json
import os
import pwd
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from process import HERE, child
from report import Target, table, write

PORT = 18_765
BESIDE = 100  # judges
PEERS = HERE / ".peers"  # an environment of their own: they want another Python than the oldest we support
PINNED = ("pearmut==1.1.6", "potato-annotation==2.12.1")
SCENES = {"steady": "30 a second", "most": "as many as it takes", "killed": "kill -9 five times"}


def run() -> None:
    """Run every scene on SQLite and on PostgreSQL, and write the page."""
    told = {("SQLite", scene): _scene(scene) for scene in SCENES}
    with _postgres() as database:
        for number, scene in enumerate(SCENES):
            os.environ["BETTERTHAN_DATABASE"] = database(f"load{number}")
            try:
                told["PostgreSQL", scene] = _scene(scene)
            finally:
                del os.environ["BETTERTHAN_DATABASE"]
    page(told, side_by_side())


def _scene(scene: str, *judges: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(child("load_campaign.py", scene, str(PORT), *judges).splitlines()[-1])
    return found


def side_by_side() -> list[dict[str, Any]]:
    """Measure ours and the peers in turn; what cannot be measured says why under "failed"."""
    ours = _scene("most", str(BESIDE))
    told = [ours | {"name": "betterthan, SQLite", "errors": ours["errors"] + ours["busy"]}]
    try:
        python = _environment()
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or [f"{error.cmd[0]} ended with {error.returncode}"])[-1]
        return told + [{"name": name, "failed": reason} for name in PINNED]
    return told + [json.loads(line) for line in child("load_peers.py", python, str(PORT), str(BESIDE)).splitlines()]


def _environment() -> str:
    """Make the peers' environment where there is none with these versions, and return its Python."""

    def call(*command: str) -> str:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    python, made = str(PEERS / "bin" / "python"), PEERS / "made"
    if not made.exists() or made.read_text() != repr(PINNED):
        other = call("sh", str(HERE.parent / "tools" / "need.sh"), "python", "python3")
        call(other, "-m", "venv", "--clear", str(PEERS))
        call(python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *PINNED)
        made.write_text(repr(PINNED))
    return python


@contextlib.contextmanager
def _postgres() -> Iterator[Any]:
    """Start a server that is never root."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    with TemporaryDirectory(prefix="bt-pg-") as folder:
        root = os.getuid() == 0
        if root:
            os.chmod(folder, 0o755)
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)

        def call(*command: str) -> None:
            told = ["runuser", "-u", "postgres", "--", *command] if root else [*command]
            subprocess.run(told, check=True, capture_output=True, cwd=folder)

        call(str(programs / "initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "judge")
        sockets = f"-c unix_socket_directories={folder} -c listen_addresses="
        call(str(programs / "pg_ctl"), "-D", f"{folder}/data", "-o", sockets, "-l", f"{folder}/log", "-w", "start")

        def database(name: str) -> str:
            call(str(programs / "createdb"), "-h", folder, "-U", "judge", name)
            return f"postgresql://judge@/{name}?host={folder}"

        try:
            yield database
        finally:
            call(str(programs / "pg_ctl"), "-D", f"{folder}/data", "-m", "immediate", "stop")


def page(told: dict[tuple[str, str], dict[str, Any]], beside: list[dict[str, Any]]) -> None:
    """Write what was measured."""
    rows = [
        [
            store,
            SCENES[scene],
            f"{each['judgments']:,}",
            f"{each['per_second']:.0f}",
            _ms(each["lease"]),
            _ms(each["submit"]),
            str(each["busy"]),
            str(each["lost"]),
            str(each["errors"]),
            str(each["tables"]),
        ]
        for (store, scene), each in told.items()
    ]
    text = [
        "300 judges over HTTP on the same two cores as the server, 15 systems, 4,000 items, pairs, with the process "
        "that chooses comparisons at work (tables: versions of its table that were used). Milliseconds are 50th, "
        "95th and 99th percentiles. Busy: asked to come back in a moment. Lost: acknowledged, and not in the log.\n",
        table(
            ["store", "scene", "judgments", "a second", "lease ms", "submit ms", "busy", "lost", "errors", "tables"],
            rows,
        ),
        "\nSeconds until the server answered again after kill -9: "
        + "; ".join(
            f"{store} {', '.join(f'{s:.2f}' for s in told[store, 'killed']['back'])}"
            for store in ("SQLite", "PostgreSQL")
        )
        + ".\n",
        *beside_text(beside),
    ]
    targets = []
    for store, least in (("SQLite", 300), ("PostgreSQL", 150)):
        steady, most, killed = (told[store, scene] for scene in SCENES)
        for what in ("lease", "submit"):
            slow = 1000 * steady[what][1]
            targets.append(Target(f"{store}: p95 of {what} at 30 a second at most 50 ms", f"{slow:.0f} ms", slow <= 50))
        slow = 1000 * max(most["lease"][1], most["submit"][1])
        rate = most["per_second"]
        targets += [
            Target(
                f"{store}: at least {least} a second at p95 ≤ 200 ms",
                f"{rate:.0f}, {slow:.0f} ms",
                rate >= least and slow <= 200,
            ),
            Target(
                f"{store}: nothing lost, doubled or over quota after five kills",
                f"{killed['lost']} lost, {killed['twice']} twice, {killed['over']} over",
                killed["lost"] == killed["twice"] == killed["over"] == killed["errors"] == 0,
            ),
            Target(f"{store}: back within 3 s", f"{max(killed['back']):.1f} s", max(killed["back"]) <= 3),
        ]
    write("campaign-load", "Campaigns under load", text, targets, ("fastapi", "uvicorn", "psycopg"))


def beside_text(beside: list[dict[str, Any]]) -> list[str]:
    """Return the table of ours and the peers; a peer without figures says why."""
    rows = [
        [f"{each['name']} (not measured: {each['failed'].replace('|', '/')})", *["–"] * 9]
        if "failed" in each
        else [
            each["name"],
            f"{each['judgments']:,}",
            f"{each['per_second']:.1f}",
            _ms(each["lease"]),
            _ms(each["submit"]),
            str(each["errors"]),
            str(each["broken"]),
            str(each["lost"]),
            str(each["held"]),
            str(each["judged_twice"]),
        ]
        for each in beside
    ]
    return [
        "## Side by side\n",
        f"{BESIDE} judges for 30 s with half a second of thought (so at most 200 a second are asked for), 4,000 items, "
        "one server after the other. Pearmut: a "
        "single stream of pairs with a score for each output; Potato: pairs, each for one judge. Ours draws from 105 "
        "pairs on every item, the peers have one pair on each. Fetching ends when the next task is there: Potato's is "
        "two requests, as on its page. Peers are sent only what their pages need; what fails is tried again after a "
        "second, and the milliseconds contain that. Errors: HTTP statuses that the page does not expect. Broken: "
        "connections. Lost: acknowledged, and not in the log or files. Held: tasks given to a judge while another had "
        "them; twice: judged again. Ours and Potato answer when a judgment is on the disk, Pearmut does not wait.\n",
        table(
            ["platform", "judgments", "a second", "fetch ms", "submit ms", "errors", "broken", "lost", "held", "twice"],
            rows,
        ),
    ]


def _ms(seconds: list[float]) -> str:
    return " / ".join(f"{1000 * each:.0f}" for each in seconds)
