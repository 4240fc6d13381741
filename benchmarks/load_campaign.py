"""A room full of judges on a real server: latency at 30 answers a second, the most it sustains, and kill -9 under load.

Judges speak HTTP over sockets of their own, by hand, so that the machine's time goes to the server. Prints one line of
JSON.
"""

import asyncio
import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.material.material import Material, MaterialItem
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.store.campaign_store import open_store
from betterthan.options.campaign import CampaignOptions

JUDGES, ITEMS, SYSTEMS = 300, 4000, 15
WORDS = " ".join(["an output of some length"] * 8)
JSON = {"Content_Type": "application/json"}


@dataclass
class Measured:
    """What judges saw."""

    lease: list[float] = field(default_factory=list)
    submit: list[float] = field(default_factory=list)
    acknowledged: dict[str, str] = field(default_factory=dict)  # lease → key
    errors: int = 0
    busy: int = 0
    in_time: int = 0  # answers before the end, when judges begin to leave
    broken: int = 0


class Line:
    """One connection that stays open, and is made anew where it broke."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """Send a POST, and return status and JSON."""
        code, _, text = await self.send("POST", path, json.dumps(body).encode(), **JSON, **headers)
        return code, json.loads(text or b"null")

    async def send(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request, and return status, headers and body."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
        head += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        try:
            self.writer.write("\r\n".join([*head, "", ""]).encode() + body)
            await self.writer.drain()
            top, *lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().rstrip().split("\r\n")
            told = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            answer = await self.reader.readexactly(int(told["content-length"]))
        except (OSError, asyncio.IncompleteReadError):
            self.drop()
            raise
        if told.get("connection") == "close":
            self.drop()
        return int(top.split()[1]), told, answer

    def drop(self) -> None:
        """Forget the connection."""
        if self.writer is not None:
            self.writer.close()
        self.writer = None


async def judge(port: int, invitation: str, seen: Measured, think: float, until: float, seed: int) -> None:
    """Judge until it is late; whatever fails is sent again with the same key."""
    rng = np.random.default_rng(seed)
    line = Line(port)
    session = (await _insist(line, seen, "/api/session", {"invitation": invitation}))["session"]
    who = {"Authorization": f"Bearer {session}"}
    await asyncio.sleep(rng.random() * think)
    while time.perf_counter() < until:
        start = time.perf_counter()
        told = await _insist(line, seen, "/api/tasks", {"number": 1}, **who)
        seen.lease.append(time.perf_counter() - start)
        if not told["tasks"]:
            await asyncio.sleep(1)
            continue
        task = told["tasks"][0]
        await asyncio.sleep(think * rng.gamma(4, 0.25))
        key = f"load-{task['lease']}"
        ranks = [[1, 2], [1, 1], [2, 1]][rng.choice(3, p=[0.42, 0.16, 0.42])]
        start = time.perf_counter()
        told = await _insist(
            line, seen, f"/api/tasks/{task['lease']}/answer", {"ranks": {"overall": ranks}}, Idempotency_Key=key, **who
        )
        seen.submit.append(time.perf_counter() - start)
        seen.acknowledged[task["lease"]] = key
        seen.in_time += time.perf_counter() < until


async def _insist(line: Line, seen: Measured, path: str, body: Any, **headers: str) -> Any:
    while True:
        try:
            code, told = await line.ask(path, body, **headers)
        except (OSError, asyncio.IncompleteReadError):
            seen.broken += 1
            await asyncio.sleep(0.05)
            continue
        if code == 200:
            return told
        if code in {429, 503}:
            seen.busy += 1
            await asyncio.sleep(0.2)
            continue
        seen.errors += 1
        raise RuntimeError(f"{path}: {code} {told}")


def start_server(place: str, port: int) -> "subprocess.Popen[bytes]":
    """Start the command that a team would."""
    where = ["--database", place] if place.startswith("postgres") else [place]
    main = "from betterthan.cli.main import main; main()"
    command = [sys.executable, "-c", main, "campaign", "serve", *where, "--port", str(port)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


async def ready(port: int) -> float:
    """Wait until the server answers, and return how long that took."""
    start = time.perf_counter()
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            code, _ = await Line(port).ask("/api/tasks", {"number": 1})
            if code == 401:
                return time.perf_counter() - start
        await asyncio.sleep(0.02)


def made(place: str, per_pair: int | None, judges: int) -> list[str]:
    """Make a campaign, and return the judges' invitations."""
    systems = tuple(f"system-{number:02d}" for number in range(SYSTEMS))
    outputs = {name: [f"{WORDS} {item} {name[-2:]}" for item in range(ITEMS)] for name in systems}
    shown = {name: [f"<p>{text}</p>" for text in texts] for name, texts in outputs.items()}
    items = tuple(MaterialItem(f"i{item}", WORDS, html={"source": f"<p>{WORDS}</p>"}) for item in range(ITEMS))
    with Campaign.create(
        place, Material(items, systems, outputs, shown), CampaignOptions(per_pair=per_pair)
    ) as running:
        futures = [running.add_judge(f"judge {number}", kind="program") for number in range(judges)]
        return [future.result()[1] for future in futures]


async def room(
    place: str, port: int, judges: int, think: float, seconds: float, *, kills: int = 0, per_pair: int | None = None
) -> Any:
    """Let everybody judge for a while, and compare what they were told with what is in the log."""
    invitations = made(place, per_pair, judges)
    server = start_server(place, port)
    await ready(port)
    seen, back = Measured(), []
    begin = time.perf_counter()
    everybody = [
        asyncio.create_task(judge(port, invitation, seen, think, begin + seconds, number))
        for number, invitation in enumerate(invitations)
    ]
    for number in range(kills):
        await asyncio.sleep(max(0.0, begin + (number + 1) * seconds / (kills + 1) - time.perf_counter()))
        server.send_signal(signal.SIGKILL)
        server.wait()
        server = start_server(place, port)
        back.append(await ready(port))
    await asyncio.gather(*everybody)
    server.send_signal(signal.SIGINT)
    server.wait(30)
    return _compared(place, seen, seconds, back, per_pair)


def _compared(place: str, seen: Measured, seconds: float, back: list[float], per_pair: int | None) -> dict[str, Any]:
    store = open_store(place)
    events = list(store.events())
    state = replayed_campaign(store.material(), events)
    store.close()
    answers = [event.body["lease"] for event in events if event.kind == "answered"]
    kept = {lease.name: lease for lease in state.leases.values() if lease.status == "answered"}
    asked = {name: lease for name, lease in kept.items() if not lease.answer.get("identical")}
    lost = [name for name, key in seen.acknowledged.items() if name not in asked or asked[name].key != key]
    tasks = {lease.name: (lease.item, frozenset(lease.systems)) for lease in state.leases.values()}
    times = [
        (tasks[lease.name], lease.given_at, lease.answered_at or math.inf)
        for lease in state.leases.values()
        if not lease.answer.get("identical")
    ]
    return {
        "judgments": len(seen.acknowledged),
        "per_second": seen.in_time / seconds,
        "lease": [float(q) for q in np.quantile(seen.lease, [0.5, 0.95, 0.99])],
        "submit": [float(q) for q in np.quantile(seen.submit, [0.5, 0.95, 0.99])],
        "lost": len(lost),
        "unacknowledged": len(asked) - len(seen.acknowledged),
        "errors": seen.errors,
        "twice": len(answers) - len(set(answers)),
        "held": held_by_two(times),
        "judged_twice": len(asked) - len({tasks[name] for name in asked}),
        "busy": seen.busy,
        "broken": seen.broken,
        "back": back,
        "over": 0 if per_pair is None else int((state.load.done > per_pair).sum()),
        "tables": len({lease.version for lease in kept.values()}),
    }


def held_by_two(times: Iterable[tuple[Hashable, float, float]]) -> int:
    """Return how often a task was given to a judge while another had it; `times` are tasks, when given, when judged."""
    until: dict[Hashable, float] = {}
    count = 0
    for task, given, judged in sorted(times, key=lambda each: each[1]):
        count += given < until.get(task, -math.inf)
        until[task] = max(judged, until.get(task, -math.inf))
    return count


def main(kind: str, port: int, judges: int = JUDGES) -> None:
    """Run one scene: `steady`, `most` or `killed`, on a file or on a database (BETTERTHAN_DATABASE)."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.environ.get("BETTERTHAN_DATABASE") or str(Path(folder) / "load.campaign")
        scene = {
            "steady": lambda: room(place, port, judges, think=10.0, seconds=60),
            "most": lambda: room(place, port, judges, think=0.5, seconds=30),
            "killed": lambda: room(place, port, judges, think=2.0, seconds=30, kills=5, per_pair=60),
        }[kind]
        print(json.dumps(asyncio.run(scene())))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
