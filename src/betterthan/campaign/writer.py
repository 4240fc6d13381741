"""The one thread that writes: everything that waits goes into one transaction, and is answered when that is on disk."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from betterthan.campaign.events import Event, EventKind, Note
from betterthan.campaign.refusals import BusyError, CampaignError
from betterthan.campaign.state import State
from betterthan.campaign.store import BehindError, Store, not_kept

_T = TypeVar("_T")
#: How much may wait, and how much goes into one transaction.
_WAITING, _TOGETHER = 2000, 256
#: How often others may have written first before we give up.
_ATTEMPTS = 20


class Turn:
    """What a request does when it is its turn: look at the state, refuse, or write lines and notes."""

    def __init__(self, state: State, at: float) -> None:
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
        """Keep something beside the log."""
        self.notes.append(note)


class _Job(Generic[_T]):
    def __init__(self, work: Callable[[Turn], _T]) -> None:
        self.work = work
        self.future: Future[_T] = Future()


class Writer:
    """Holds the state and its log together: what is answered is on disk, and what failed is in neither."""

    def __init__(self, store: Store, fresh: Callable[[], State], clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.lock = threading.RLock()
        self._fresh = fresh
        self._clock = clock
        self._jobs: queue.Queue[_Job[Any] | None] = queue.Queue(_WAITING)
        self.state = self._read()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="campaign-writer", daemon=True)
        self._thread.start()

    def ask(self, work: Callable[[Turn], _T]) -> "Future[_T]":
        """Let a request have its turn; its Future is done once everything it wrote is on disk."""
        job = _Job(work)
        try:
            if self._closed:
                raise queue.Full
            self._jobs.put_nowait(job)
        except queue.Full:
            job.future.set_exception(not_kept("too many requests are waiting"))
        return job.future

    def now(self) -> float:
        """Return the time, as the log has it."""
        return self._clock()

    def refresh(self) -> None:
        """Take in what others have written."""
        self.ask(lambda turn: None)

    def close(self) -> None:
        """Finish what is waiting."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()

    def _read(self) -> State:
        state = self._fresh()
        for event in self.store.events():
            state.apply(event)
        return state

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
        """Nothing of this is on disk: forget it in the state as well, and say so."""
        if not isinstance(error, CampaignError):
            logging.getLogger("betterthan.campaign").error("a request failed", exc_info=error)
        told = error if isinstance(error, CampaignError) else BusyError(f"an error of betterthan itself: {error}")
        for job in jobs:
            if not job.future.done():
                job.future.set_exception(told)
        try:
            with self.lock:
                self.state = self._read()
        except Exception as again:  # the next request tries once more
            logging.getLogger("betterthan.campaign").error("the log cannot be read", exc_info=again)

    def _keep(self, jobs: list[_Job[Any]]) -> None:
        for _ in range(_ATTEMPTS):
            with self.lock:
                for event in self.store.events(self.state.number):
                    self.state.apply(event)
                told, events, notes = self._decide(jobs)
            try:
                if events or notes:
                    self.store.append(events, notes)
            except BehindError:  # somebody wrote between our look and our commit
                with self.lock:
                    self.state = self._read()
                continue
            for job, answer, refusal in told:
                if refusal is None:
                    job.future.set_result(answer)
                else:
                    job.future.set_exception(refusal)
            return
        raise not_kept("others write all the time")

    def _decide(
        self, jobs: list[_Job[Any]]
    ) -> tuple[list[tuple[_Job[Any], Any, CampaignError | None]], list[Event], list[Note]]:
        told: list[tuple[_Job[Any], Any, CampaignError | None]] = []
        events: list[Event] = []
        notes: list[Note] = []
        for job in jobs:
            at = max(self.state.at, self._clock())
            self.state.pass_time(at)
            turn = Turn(self.state, at)
            try:
                answer = job.work(turn)
            except CampaignError as refusal:
                assert not turn.events, "a request refuses before it writes"
                told.append((job, None, refusal))
                continue
            told.append((job, answer, None))
            events += turn.events
            notes += turn.notes
        return told, events, notes
