"""The writer thread: pending events go into one transaction and are confirmed once on disk."""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from betterthan.base import BetterthanError
from betterthan.campaign.campaign_errors import BusyError, CampaignError
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.events import Event, EventKind, Note
from betterthan.campaign.log.replay_log import replay
from betterthan.campaign.store.campaign_store import BehindError, Store, not_saved

_T = TypeVar("_T")
#: How much may wait, and how much goes into one transaction.
_WAITING, _TOGETHER = 2000, 256
#: How often others may have written first before we give up.
_ATTEMPTS = 20


class PendingWrite:
    """The action of a request: check the state, refuse, or write lines and notes."""

    def __init__(self, state: CampaignState, at: float) -> None:
        self.state = state
        self.at = at
        self.events: list[Event] = []
        self.notes: list[Note] = []

    def record(self, kind: EventKind, body: dict[str, Any]) -> Event:
        """Write a line: the state takes it in at once."""
        event = Event(self.state.number + 1, self.at, kind, body)
        self.state.apply(event)
        self.events.append(event)
        return event

    def note(self, note: Note) -> None:
        """Store a note."""
        self.notes.append(note)


class _Job(Generic[_T]):
    def __init__(self, work: Callable[[PendingWrite], _T]) -> None:
        self.work = work
        self.future: Future[_T] = Future()


class Writer:
    """Keeps state and log consistent: confirmed writes are on disk, failed ones are in neither."""

    def __init__(
        self, store: Store, fresh: Callable[[], CampaignState], clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.lock = threading.RLock()
        self._fresh = fresh
        self._clock = clock
        self._ahead = 0.0  # seconds by which the log's time is ahead of the clock
        self._jobs: queue.Queue[_Job[Any] | None] = queue.Queue(_WAITING)
        self._entry = threading.Lock()
        self.state = self._read()
        self._unsaved = False  # the state knows of something that is not on disk
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="campaign-writer", daemon=True)
        self._thread.start()

    def ask(self, work: Callable[[PendingWrite], _T]) -> "Future[_T]":
        """Queue a request; its Future is done once everything it wrote is on disk."""
        job = _Job(work)
        with self._entry:  # nothing is put after the end of the queue, where it would never be processed
            try:
                if self._closed:
                    job.future.set_exception(not_saved("the campaign is being closed"))
                else:
                    self._jobs.put_nowait(job)
            except queue.Full:
                job.future.set_exception(not_saved("too many requests are waiting"))
        return job.future

    def now(self) -> float:
        """Return the log's time: where the clock was set back, it continues from where it was."""
        at = self._clock() + self._ahead
        if at < self.state.at:
            self._ahead += self.state.at - at
        return max(at, self.state.at)

    def refresh(self) -> None:
        """Take in what others have written."""
        self.ask(lambda turn: None)

    def close(self) -> None:
        """Finish what is waiting."""
        with self._entry:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _read(self) -> CampaignState:
        state = self._fresh()
        replay(state, self.store.events())
        return state

    def _catch_up(self) -> None:
        """Take in what others wrote, and forget what was not saved. Nobody who only looks waits for the disk."""
        if self._unsaved:
            state = self._read()
            with self.lock:
                self.state = state
            self._unsaved = False
        else:
            events = list(self.store.events(self.state.number))
            with self.lock:
                replay(self.state, events)

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._jobs.get()]
            while len(batch) < _TOGETHER:
                try:
                    batch.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            going_on = None not in batch
            jobs = [job for job in batch if job is not None and job.future.set_running_or_notify_cancel()]
            try:
                self._keep(jobs)
            except Exception as error:  # noqa: BLE001 (whatever went wrong, whoever waits must hear of it)
                self._failed(jobs, error)

    def _failed(self, jobs: list[_Job[Any]], error: Exception) -> None:
        """Nothing of this is on disk: say so, and forget it in the state as well."""
        told = _as_campaign_error(error)
        with contextlib.suppress(Exception):  # where the log cannot be read either, the next request tries again
            self._catch_up()
        for job in jobs:
            if not job.future.done():
                job.future.set_exception(told)

    def _keep(self, jobs: list[_Job[Any]]) -> None:
        for _ in range(_ATTEMPTS):
            self._catch_up()
            self._unsaved = True
            with self.lock:
                told, events, notes = self._decide(jobs)
            try:
                if events or notes:
                    self.store.append(events, notes)
            except BehindError:  # someone wrote between our look and our commit
                continue
            self._unsaved = False
            for job, answer, refusal in told:
                if refusal is None:
                    job.future.set_result(answer)
                else:
                    job.future.set_exception(refusal)
            return
        raise not_saved("other programs keep writing to it")

    def _decide(
        self, jobs: list[_Job[Any]]
    ) -> tuple[list[tuple[_Job[Any], Any, CampaignError | None]], list[Event], list[Note]]:
        told: list[tuple[_Job[Any], Any, CampaignError | None]] = []
        events: list[Event] = []
        notes: list[Note] = []
        for job in jobs:
            at = self.now()
            self.state.pass_time(at)
            turn = PendingWrite(self.state, at)
            try:
                answer = job.work(turn)
            except Exception as error:
                if turn.events:  # the state took in half of a request: nothing of the batch is saved
                    raise
                told.append((job, None, _as_campaign_error(error)))
                continue
            told.append((job, answer, None))
            events += turn.events
            notes += turn.notes
        return told, events, notes


def _as_campaign_error(error: Exception) -> CampaignError:
    """Return the error for the caller; an error of ours is logged as well."""
    if isinstance(error, CampaignError):
        return error
    if isinstance(error, BetterthanError):  # an option, for example
        return CampaignError(str(error))
    logging.getLogger("betterthan.campaign").error("a request failed", exc_info=error)
    return BusyError(f"an error of betterthan itself: {error}")
