"""The same room of judges on Pearmut and on Potato, started from an environment of their own: one line of JSON each.

Their pages' own requests are sent, and no more: no scripts, styles or records of mouse and keyboard, which spares them
work. What they kept is read from their files. One judgment before the clock starts loads what they load lazily.
"""

import asyncio
import contextlib
import functools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from load_campaign import ITEMS, JSON, WORDS, Line, held_by_two

THINK, SECONDS, PATIENCE = 0.5, 30.0, 60.0
PAIRS = [(f"{WORDS} {item} a", f"{WORDS} {item} b") for item in range(ITEMS)]
Kept = list[tuple[str, str]]  # judge, task


class RefusedError(Exception):
    """The server answered with another status than the page expects."""


class LateError(Exception):
    """The time is over, and what was tried has not worked."""


class Page(Protocol):
    """What a judge's page does."""

    async def enter(self) -> None: ...
    async def fetch(self) -> str: ...
    async def submit(self, task: str, choice: int) -> None: ...


class PearmutPage:
    """A page that is known by its address, and speaks JSON."""

    def __init__(self, line: Line, judge: str) -> None:
        self.line = line
        self.who = {"campaign_id": "load", "user_id": judge}

    async def enter(self) -> None:
        await _expect(self.line, "GET", f"/annotate?campaign_id=load&user_id={self.who['user_id']}")

    async def fetch(self) -> str:
        _, text = await _expect(self.line, "POST", "/get-next-item", self.who)
        told = json.loads(text)
        self.shown = told["payload"]
        return str(told["info"]["item_i"])

    async def submit(self, task: str, choice: int) -> None:
        scores = dict(zip(self.shown[0]["tgt"], [(70, 50), (50, 70), (60, 60)][choice], strict=True))
        annotation = [{name: {"score": score, "error_spans": [], "textfield": None} for name, score in scores.items()}]
        now = time.time()
        actions = [{"time": now - THINK, "action": "load"}, {"time": now, "action": "submit"}]
        payload = {"annotation": annotation, "actions": actions, "item": self.shown}
        await _expect(self.line, "POST", "/log-response", self.who | {"item_i": int(task), "payload": payload})


def start_pearmut(python: str, folder: Path, port: int, judges: list[str]) -> list[str]:
    """Add a campaign in which all draw from one stream; its own command would listen on every interface."""
    data = [[{"src": WORDS, "tgt": {"system-a": a, "system-b": b}}] for a, b in PAIRS]
    info = {"assignment": "single-stream", "protocol": "DA", "users": judges}
    (folder / "load.json").write_text(json.dumps({"campaign_id": "load", "info": info, "data": data}))
    add = [python, "-c", "from pearmut.cli import main; main()", "add", "load.json"]
    subprocess.run(add, check=True, cwd=folder, capture_output=True, text=True)
    return [python, "-m", "uvicorn", "pearmut.app:app", "--host", "127.0.0.1", "--port", str(port)]


def kept_pearmut(folder: Path) -> Kept:
    """Read the log."""
    lines = (folder / "data" / "annotations" / "load.jsonl").read_text().splitlines()
    return [(told["user_id"], str(told["item_i"])) for told in map(json.loads, lines)]


class PotatoPage:
    """A page that is rendered by the server for every task, behind a session."""

    def __init__(self, line: Line, judge: str) -> None:
        self.line, self.judge = line, judge
        self.cookie: dict[str, str] = {}
        self.done = ""

    async def enter(self) -> None:
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        head, _ = await _expect(self.line, "POST", "/auth", f"email={self.judge}&pass=", expected=302, **form)
        self.cookie = {"Cookie": head["set-cookie"].partition(";")[0]}

    async def fetch(self) -> str:
        if self.done:  # "Next" moves on first, and then loads the page
            move = {"action": "next_instance", "instance_id": self.done}
            await _expect(self.line, "POST", "/annotate", move, X_Potato_Navigation="1", **self.cookie)
            self.done = ""
        _, page = await _expect(self.line, "GET", "/annotate", **self.cookie)
        found = re.search(rb'id="instance_id"[^>]*value="([^"]+)"', page)
        if found is None:
            raise RefusedError("a page without a task")
        return found[1].decode()

    async def submit(self, task: str, choice: int) -> None:
        answer = {
            "instance_id": task,
            "annotations": {"better:selection": ["A", "B", "tie"][choice]},
            "cleared_schemas": [],
            "span_annotations": [],
            "response_time_seconds": THINK,
            "client_timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        await _expect(self.line, "POST", "/updateinstance", answer, **self.cookie)
        self.done = task


def start_potato(python: str, folder: Path, port: int, judges: list[str]) -> list[str]:
    """Write a project of pairs in which every item is for one judge; judges enter without a password."""
    lines = [json.dumps({"id": f"i{item}", "source": WORDS, "text": pair}) for item, pair in enumerate(PAIRS)]
    (folder / "items.jsonl").write_text("\n".join(lines))
    scheme = {"annotation_type": "pairwise", "name": "better", "description": "Which is better?"}
    project = {
        "annotation_task_name": "load",
        "task_dir": ".",
        "output_annotation_dir": "out",
        "data_files": ["items.jsonl"],
        "item_properties": {"id_key": "id", "text_key": "text"},
        "require_password": False,
        "num_annotators_per_item": 1,
        "assignment_strategy": "random",
        "annotation_schemes": [scheme | {"items_key": "text", "allow_tie": True}],
    }
    (folder / "config.yaml").write_text(json.dumps(project))  # JSON is YAML
    return [python, "-m", "potato", "start", "config.yaml", "--host", "127.0.0.1", "-p", str(port)]


def kept_potato(folder: Path) -> Kept:
    """Read every judge's state."""
    states = [json.loads(path.read_text()) for path in folder.glob("out/*/user_state.json")]
    return [(state["user_id"], task) for state in states for task in state["instance_id_to_label_to_value"]]


@dataclass(frozen=True)
class Platform:
    """How a platform is started, driven and read."""

    name: str
    package: str
    start: Callable[[str, Path, int, list[str]], list[str]]
    page: Callable[[Line, str], Page]
    kept: Callable[[Path], Kept]


PLATFORMS = (
    Platform("Pearmut", "pearmut", start_pearmut, PearmutPage, kept_pearmut),
    Platform("Potato", "potato-annotation", start_potato, PotatoPage, kept_potato),
)


@dataclass
class Seen:
    """What judges saw; `times` are tasks, when they were given and when judged."""

    lease: list[float] = field(default_factory=list)
    submit: list[float] = field(default_factory=list)
    times: list[tuple[str, float, float]] = field(default_factory=list)
    acknowledged: set[tuple[str, str]] = field(default_factory=set)
    errors: int = 0
    broken: int = 0


async def _expect(
    line: Line, method: str, path: str, body: Any = "", *, expected: int = 200, **headers: str
) -> tuple[dict[str, str], bytes]:
    if not isinstance(body, str):
        body, headers = json.dumps(body), JSON | headers
    code, head, text = await line.send(method, path, body.encode(), **headers)
    if code != expected:
        raise RefusedError(f"{method} {path}: {code}")
    return head, text


async def judge(page: Page, line: Line, name: str, seen: Seen, until: float, seed: int) -> None:
    """Judge until it is late; what fails is tried again after a second, as somebody who presses the button again."""
    rng = np.random.default_rng(seed)

    async def tried(what: Callable[[], Awaitable[Any]]) -> Any:
        while True:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await what()
            except RefusedError:
                seen.errors += 1
            except (OSError, asyncio.IncompleteReadError):
                seen.broken += 1
            line.drop()
            if time.perf_counter() > until:
                raise LateError
            await asyncio.sleep(1)

    with contextlib.suppress(LateError):
        await tried(page.enter)
        await asyncio.sleep(rng.random() * THINK)
        while time.perf_counter() < until:
            start = time.perf_counter()
            task = await tried(page.fetch)
            given, judged = time.perf_counter(), math.inf
            seen.lease.append(given - start)
            await asyncio.sleep(THINK * rng.gamma(4, 0.25))
            answer = functools.partial(page.submit, task, int(rng.choice(3, p=[0.42, 0.42, 0.16])))
            start = time.perf_counter()
            try:
                await tried(answer)
                judged = time.perf_counter()
                seen.submit.append(judged - start)
                seen.acknowledged.add((name, task))
            finally:
                seen.times.append((task, given, judged))
    line.drop()


async def room(platform: Platform, python: str, folder: Path, port: int, judges: int) -> dict[str, Any]:
    """Start the platform, let everybody judge for a while, and compare what they were told with what was kept."""
    names = [f"judge{number}" for number in range(judges)]
    command = platform.start(python, folder, port, ["first", *names])
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    seen, first = Seen(), Line(port)

    def sit(name: str, until: float, seed: int) -> Awaitable[None]:
        line = Line(port)
        return judge(platform.page(line, name), line, name, seen, until, seed)

    try:
        await _ready(server, first)
        page = platform.page(first, "first")
        await page.enter()
        await page.submit(await page.fetch(), 0)
        begin = time.perf_counter()
        await asyncio.gather(*(sit(name, begin + SECONDS, number) for number, name in enumerate(names)))
        took = time.perf_counter() - begin
    finally:
        server.kill()
        server.wait()
    if not seen.acknowledged:
        raise RuntimeError(f"no judgment was acknowledged in {took:.0f} s")
    kept = platform.kept(folder)
    return {
        "judgments": len(seen.acknowledged),
        "per_second": len(seen.acknowledged) / took,
        "lease": [float(q) for q in np.quantile(seen.lease, [0.5, 0.95, 0.99])],
        "submit": [float(q) for q in np.quantile(seen.submit, [0.5, 0.95, 0.99])],
        "lost": len(seen.acknowledged - set(kept)),
        "errors": seen.errors,
        "broken": seen.broken,
        "held": held_by_two(seen.times),
        "judged_twice": len(kept) - len({task for _, task in kept}),
    }


async def _ready(server: "subprocess.Popen[bytes]", line: Line) -> None:
    until = time.perf_counter() + PATIENCE
    while time.perf_counter() < until:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await line.send("GET", "/")
            return
        if server.poll() is not None:
            raise RuntimeError(f"its server ended with code {server.returncode}")
        await asyncio.sleep(0.1)
    raise RuntimeError(f"its server did not answer within {PATIENCE:.0f} s")


def measured(platform: Platform, python: str, port: int, judges: int) -> dict[str, Any]:
    """Measure one platform; where it cannot be started, say why."""
    ask = [python, "-c", f"from importlib.metadata import version; print(version({platform.package!r}))"]
    with tempfile.TemporaryDirectory() as folder:
        try:
            version = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
            return {"name": f"{platform.name} {version}"} | asyncio.run(
                room(platform, python, Path(folder), port, judges)
            )
        except (OSError, EOFError, RuntimeError, RefusedError) as error:
            log = Path(folder) / "log"
            return {"name": platform.name, "failed": f"{error}: {_last(log.read_text() if log.exists() else '')}"}
        except subprocess.CalledProcessError as error:
            return {"name": platform.name, "failed": _last(error.stderr)}


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]


def main(python: str, port: int, judges: int) -> None:
    """Measure both in turn."""
    python = os.path.abspath(shutil.which(python) or python)  # servers run in folders of their own
    for platform in PLATFORMS:
        print(json.dumps(measured(platform, python, port, judges)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
