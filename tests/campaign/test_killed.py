"""A server that is killed without warning loses no acknowledged judgment, and takes up where it was."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.store.campaign_store import open_store
from tests.campaign.worlds import campaign, material

JUDGES, KILLS, PER_PAIR = 8, 3, 25


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def _started(asked: list[str]) -> Iterator["subprocess.Popen[str]"]:
    main = "from betterthan.cli.main import main; main()"
    server = subprocess.Popen(
        [sys.executable, "-c", main, *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield server
    finally:
        server.kill()
        server.communicate()


@contextmanager
def _served(place: str, port: int) -> Iterator["subprocess.Popen[str]"]:
    where = ["--database", place] if place.startswith("postgres") else [place]
    with _started(["campaign", "serve", *where, "--port", str(port)]) as server:
        assert server.stdout is not None
        said = [server.stdout.readline() for _ in range(2)]
        assert f":{port}/" in said[0], server.communicate()
        yield server


class Client:
    """Sends until it gets an answer, with the same key every time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.session = ""
        self.refused: list[Any] = []
        self.acknowledged: dict[str, str] = {}

    def post(self, path: str, body: Any, **headers: str) -> Any:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"Content-Type": "application/json", "Authorization": f"Bearer {self.session}"}
        for _ in range(1000):
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            try:
                line.request("POST", path, json.dumps(body), headers)
                answer = line.getresponse()
                told = json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
                continue
            finally:
                line.close()
            if answer.status == 200:
                return told
            if answer.status not in {429, 503}:
                self.refused.append((path, answer.status, told))
                raise AssertionError(self.refused)
            time.sleep(0.05)
        raise AssertionError("the server did not come back")

    def judge(self, invitation: str, stopped: threading.Event) -> None:
        self.session = self.post("/api/session", {"invitation": invitation})["session"]
        while not stopped.is_set():
            told = self.post("/api/tasks", {"number": 2})
            for task in told["tasks"]:
                key = f"key-{task['lease']}"
                ranks = {"overall": [1, 2]}
                self.post(f"/api/tasks/{task['lease']}/answer", {"ranks": ranks}, Idempotency_Key=key)
                self.acknowledged[task["lease"]] = key
            if not told["tasks"]:
                time.sleep(0.05)


def test_kill_9_loses_nothing(new_place: Callable[[], str]) -> None:
    place, port = new_place(), _free_port()
    with campaign(place, material(60, 5, same=2), per_pair=PER_PAIR, overlap=2) as running:
        invitations = [running.add_judge(f"judge {each}", kind="program").result()[1] for each in range(JUDGES)]
    clients, stopped = [Client(port) for _ in invitations], threading.Event()
    threads = [
        threading.Thread(target=client.judge, args=(invitation, stopped))
        for client, invitation in zip(clients, invitations, strict=True)
    ]
    for number in range(KILLS):
        with _served(place, port) as server:
            if number == 0:
                for thread in threads:
                    thread.start()
            before = sum(len(client.acknowledged) for client in clients)
            for _ in range(200):
                if sum(len(client.acknowledged) for client in clients) >= before + 25:
                    break
                time.sleep(0.02)
            server.send_signal(signal.SIGKILL)
    with _served(place, port) as server:
        time.sleep(0.5)
        stopped.set()
        for thread in threads:
            thread.join(30)
        assert [client.refused for client in clients] == [[]] * JUDGES
        sessions = [client.session for client in clients]
        server.send_signal(signal.SIGINT)
        assert server.wait(15) == 0
        assert server.stdout is not None
        assert server.stdout.read().endswith("Stopped. Everything is saved.\n")
    _compare(place, clients)
    with Campaign.open(place) as running:
        assert [running.who(session) for session in sessions] == list(range(1, JUDGES + 1))


def _compare(place: str, clients: list[Client]) -> None:
    store = open_store(place)
    events = list(store.events())
    state = replayed_campaign(store.material(), events)
    store.close()
    said = {lease: key for client in clients for lease, key in client.acknowledged.items()}
    assert len(said) >= 25 * KILLS
    answered = [event.body["lease"] for event in events if event.kind == "answered"]
    assert len(answered) == len(set(answered))
    assert set(said) <= set(answered)
    assert all(state.leases[lease].key == key for lease, key in said.items())
    # What was not acknowledged was still on its way when the judges stopped: nothing.
    assert set(answered) == set(said)
    assert (state.load.done + state.load.held).max() <= PER_PAIR
    assert {lease.name for lease in state.kept} >= set(said)


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Any) -> None:
    place = str(tmp_path / "c.campaign")
    campaign(place).close()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(AssertionError) as failed, _served(place, taken.getsockname()[1]):
            pass
    assert "cannot listen on 127.0.0.1" in str(failed.value)


def test_the_demo_prints_a_link_to_judge_with(tmp_path: Path) -> None:
    port, links = _free_port(), []
    for _ in range(2):  # a demonstration that exists is served again, to the same judge
        asked = ["campaign", "demo", "-o", str(tmp_path / "demo.campaign"), "--port", str(port)]
        with _started(asked) as server:
            assert server.stdout is not None
            line = next(line for line in server.stdout if "/join/" in line)
            words, _, link = line.strip().rpartition(" ")
            assert words == "Judge yourself:"
            links.append(link.rpartition("/")[2])
            client = Client(port)
            client.session = client.post("/api/session", {"invitation": links[-1]})["session"]
            assert client.post("/api/tasks", {"number": 1})["tasks"]
    assert len(set(links)) == 2
    with Campaign.open(str(tmp_path / "demo.campaign")) as found:
        assert list(found.names().result().values()) == ["you"]
