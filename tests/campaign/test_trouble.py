"""A full disk, a locked file and a database that goes away cost a judge a moment, and nothing else."""

import contextlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from betterthan.campaign import tasks
from betterthan.campaign.campaign_errors import BusyError, CampaignError, ConflictError
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.replay_log import replayed_campaign
from betterthan.campaign.service.campaign import Campaign
from betterthan.campaign.store import sqlite_store as sqlite
from betterthan.campaign.store.campaign_store import open_store
from tests.campaign.conftest import Server
from tests.campaign.worlds import campaign, ranked

LONG = "a reason " * 1000


def facts(state: CampaignState) -> Any:
    leases = {name: (lease.status, lease.counts, lease.key, lease.number) for name, lease in state.leases.items()}
    return state.number, leases, [lease.name for lease in state.kept], state.load.done.tolist(), sorted(state.sessions)


def assert_state_is_the_log(running: Campaign) -> None:
    store = open_store(running.store.address if hasattr(running.store, "address") else running.store.place)
    events = list(store.events())
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert facts(replayed_campaign(store.material(), events)) == facts(running.writer.state)
    store.close()


def full(running: Campaign) -> None:
    connection = running.store._connection  # type: ignore[attr-defined]
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_refuses_and_keeps_what_there_was(tmp_path: Path) -> None:
    place = tmp_path / "c.campaign"
    with campaign(place, reason=True) as running:
        judge, invitation = running.add_judge("Ada").result()
        task = running.hand_out(judge.number).result().tasks[0]
        running.keep_draft(judge.number, task.lease, {"reason": "so far"}).result()
        full(running)
        answer = tasks.Answer({"overall": (1, 2)}, reason=LONG)
        for _ in range(3):
            with pytest.raises(BusyError, match=r"^this cannot be saved right now: the disk is full\. Nothing"):
                running.submit(judge.number, task.lease, "the-key-1", answer).result()
            assert_state_is_the_log(running)
            held = running.hand_out(judge.number).result().tasks[0]
            assert (held.lease, held.draft) == (task.lease, {"reason": "so far"})
        running.store._connection.execute("PRAGMA max_page_count = 100000")  # type: ignore[attr-defined]
        receipt = running.submit(judge.number, task.lease, "the-key-1", answer).result()
        assert not receipt.repeated
        assert running.enter(invitation).result()
        assert_state_is_the_log(running)
        assert running.store.notes("draft") == {}


_LIMITED = """
import resource, signal, sys
import numpy as np
from pathlib import Path
from betterthan.campaign.campaign_errors import BusyError
from betterthan.campaign.service.tasks import Answer
from tests.campaign.worlds import campaign

place = sys.argv[1]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with campaign(place, reason=True) as running:
    judge = running.add_judge("Ada").result()[0].number
    size = max(path.stat().st_size for path in Path(place).parent.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, resource.RLIM_INFINITY))
    said, refused = 0, 0
    for number in range(12):
        task = running.hand_out(judge)
        try:
            lease = task.result().tasks[0].lease
            running.submit(judge, lease, f"key-{number:05d}", Answer({"overall": (1, 2)}, reason="word " * 1500)).result()
            said += 1
        except BusyError as error:
            refused += 1
            if refused == 3:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            print(error)
    assert running.writer.state.answers == said, (running.writer.state.answers, said)
    assert refused == 3 and said == 9, (refused, said)
"""


def test_a_file_that_may_not_grow_takes_answers_again_once_it_may(tmp_path: Path) -> None:
    place = tmp_path / "c.campaign"
    done = subprocess.run([sys.executable, "-c", _LIMITED, str(place)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "cannot be saved right now" in done.stdout
    with Campaign.open(str(place)) as running:
        assert running.writer.state.answers == 9
        assert_state_is_the_log(running)
        assert running.store.damage() == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_PATIENCE", 0.1)


@pytest.mark.parametrize("mode", ["NORMAL", "EXCLUSIVE"])
def test_a_file_that_somebody_locks_is_waited_for_and_then_refused(
    tmp_path: Path, impatient: None, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    place = tmp_path / "c.campaign"
    with campaign(place) as running:
        judge = running.add_judge("Ada").result()[0].number
        task = running.hand_out(judge).result().tasks[0]
    with contextlib.closing(sqlite3.connect(place, isolation_level=None)) as other:
        if mode == "NORMAL":
            running = Campaign.open(str(place))
        other.execute(f"PRAGMA locking_mode = {mode}")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("INSERT INTO notes VALUES ('draft', 'x', '1')")
        if mode == "EXCLUSIVE":  # whoever comes then cannot even look
            with pytest.raises(CampaignError, match="cannot be opened: another program is using the file"):
                Campaign.open(str(place))
            other.execute("ROLLBACK")
            return
        with pytest.raises(BusyError, match="another program is using the file"):
            running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        assert_state_is_the_log(running)
        other.execute("ROLLBACK")
    running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
    assert_state_is_the_log(running)
    running.close()
    assert caplog.records == []  # nothing here is an error of ours


def test_a_second_server_is_refused(new_place: Callable[[], str]) -> None:
    place = new_place()
    with campaign(place) as running:
        running.store.guard()
        with Campaign.open(place) as other:
            with pytest.raises(ConflictError, match="is being served already"):
                other.store.guard()
            other.add_judge("Ada").result()  # the command line may go on
    with Campaign.open(place) as other:
        other.store.guard()


def _others(address: str) -> Any:
    import psycopg

    return psycopg.connect(address, autocommit=True)


def _terminate(address: str) -> None:
    with _others(address) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_lost_connection_is_made_again_with_its_lock(new_database: Callable[[], str]) -> None:
    address = new_database()
    with campaign(address) as running:
        running.store.guard()
        judge = running.add_judge("Ada").result()[0].number
        task = running.hand_out(judge).result().tasks[0]
        _terminate(address)
        with pytest.raises(BusyError, match="cannot be saved right now"):
            running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        assert_state_is_the_log(running)
        with Campaign.open(address) as other, pytest.raises(ConflictError, match="is being served already"):
            other.store.guard()


def test_a_server_whose_lock_was_taken_by_another_writes_nothing(new_database: Callable[[], str]) -> None:
    address = new_database()
    with campaign(address) as running:
        running.store.guard()
        judge = running.add_judge("Ada").result()[0].number
        with Campaign.open(address) as other:
            _terminate(address)
            with pytest.raises(BusyError):
                other.add_judge("Bob").result()
            other.add_judge("Bob").result()
            other.store.guard()
            for _ in range(4):
                with pytest.raises(BusyError, match=r"cannot be saved right now"):
                    running.hand_out(judge).result()
        running.hand_out(judge).result()
        assert_state_is_the_log(running)


def test_a_table_that_somebody_locks_is_waited_for_and_then_refused(
    new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from betterthan.campaign.store import postgres_store as postgres

    monkeypatch.setattr(postgres, "_PATIENCE", 0.2)
    address = new_database()
    with campaign(address) as running:
        judge = running.add_judge("Ada").result()[0].number
        task = running.hand_out(judge).result().tasks[0]
        with _others(address) as other, other.transaction():
            other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(BusyError, match="cannot be saved right now"):
                running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        assert_state_is_the_log(running)


def test_a_database_server_that_stops_and_starts_again(own_postgres: Server) -> None:
    address = own_postgres.database()
    with campaign(address) as running:
        running.store.guard()
        judge = running.add_judge("Ada").result()[0].number
        task = running.hand_out(judge).result().tasks[0]
        with own_postgres.stopped():
            for _ in range(3):
                with pytest.raises(BusyError, match="cannot be saved right now") as refused:
                    running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
                assert refused.value.code == 503
        receipt = running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        assert not receipt.repeated
        assert_state_is_the_log(running)
        with Campaign.open(address) as other, pytest.raises(ConflictError, match="is being served already"):
            other.store.guard()


def test_what_was_not_saved_is_forgotten_even_where_the_log_cannot_be_read(new_place: Callable[[], str]) -> None:
    with campaign(new_place()) as running:
        judge = running.add_judge("Ada").result()[0].number
        task = running.hand_out(judge).result().tasks[0]
        append, events = running.store.append, running.store.events

        def refuse(*_: object) -> Any:
            running.store.events = fail  # type: ignore[method-assign]
            raise OSError(5, "Input/output error")

        def fail(*_: object) -> Any:
            raise OSError(5, "Input/output error")

        running.store.append = refuse  # type: ignore[method-assign]
        for _ in range(2):
            with pytest.raises(BusyError):
                running.submit(judge, task.lease, "the-key-1", ranked(task)).result()
        running.store.append, running.store.events = append, events  # type: ignore[method-assign]
        assert not running.submit(judge, task.lease, "the-key-1", ranked(task)).result().repeated
        assert_state_is_the_log(running)


def test_a_request_that_fails_takes_nobody_with_it(tmp_path: Path) -> None:
    with campaign(tmp_path / "c.campaign") as running:
        judge = running.add_judge("Ada").result()[0].number
        task = running.hand_out(judge).result().tasks[0]
        with running.writer.lock:  # all of these are in one transaction
            asked = [
                running.keep_draft(judge, task.lease, {"reason": "\ud800"}),
                running.submit(judge, task.lease, "the-key-\ud800", ranked(task)),
                running.enter("\ud800"),
                running.change(title="\ud800"),
                running.add_judge("Bob", languages=["\ud800"]),
                running.submit(judge, task.lease, "the-key-1", ranked(task)),
            ]
        for each in asked[:-1]:
            with pytest.raises(CampaignError) as refused:
                each.result()
            assert refused.value.code < 500
        assert asked[-1].result().late is False
        assert_state_is_the_log(running)


def test_whoever_asks_while_it_closes_gets_an_answer(tmp_path: Path) -> None:
    running = campaign(tmp_path / "c.campaign")
    running.close()
    with pytest.raises(BusyError, match="the campaign is being closed"):
        running.add_judge("Ada").result(timeout=5)
