"""A running campaign: requests go through one writer and are answered when they are stored."""

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np

from betterthan.campaign.campaign_errors import CampaignError, ConflictError, ForbiddenError, UnknownError
from betterthan.campaign.log.campaign_state import CampaignState
from betterthan.campaign.log.events import Event, Note, digest
from betterthan.campaign.log.judge_records import Lease, Person
from betterthan.campaign.material.material import Material
from betterthan.campaign.policies.chance_table import Chances
from betterthan.campaign.service.answer_checks import check_answer, check_text
from betterthan.campaign.service.organiser_requests import Organised, check_options, person_of
from betterthan.campaign.service.task_dispatch import Dispatcher, before, progress
from betterthan.campaign.service.tasks import Answer, Progress, Receipt, Stage, Task
from betterthan.campaign.store.campaign_store import Store, create_store, open_store
from betterthan.campaign.store.event_writer import PendingWrite, Writer
from betterthan.options import CampaignOptions, declared_options

#: Characters of a draft.
_DRAFT = 100_000
#: What an answer leaves open is not kept.
_UNSAID: tuple[Any, ...] = (None, "", ())


@dataclass(frozen=True)
class Handed:
    """The tasks that a judge holds, and their progress; no tasks where the stage is not `judging`."""

    progress: Progress
    tasks: tuple[Task, ...]


class Campaign(Organised):
    """One open campaign.

    Methods that change something return a Future, which is done when the change is on disk. It fails with a
    CampaignError whose `code` is that of HTTP (400, 403, 404, 409, 503). Methods that only read return at once. All
    methods are thread-safe.
    """

    def __init__(
        self, store: Store, *, rng: np.random.Generator | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.board: dict[str, Any] = {}  # the leaderboard, where someone keeps it up to date
        self._drafts: dict[str, str] = {}
        try:
            self.material = store.material()
            self.dispatcher = Dispatcher(self.material, np.random.default_rng() if rng is None else rng)
            self.chances = Chances.all_alike(len(self.material.systems))
            self.writer = Writer(store, self._fresh, clock)
        except BaseException:
            store.close()
            raise

    def _fresh(self) -> CampaignState:
        """Return the state before the first line, and drafts as they are on disk."""
        self._drafts = dict(self.store.notes("draft"))
        return CampaignState(self.material.systems, len(self.material.items))

    @classmethod
    def create(
        cls,
        place: str,
        material: Material,
        options: CampaignOptions,
        *,
        rng: np.random.Generator | None = None,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Make a campaign at a path or in a database, and open it."""
        check_options(options, material)
        changed = {name: getattr(options, name) for name in declared_options(CampaignOptions)}
        first = Event(1, clock(), "created", {"options": changed})
        return cls(create_store(place, material, first), rng=rng, clock=clock)

    @classmethod
    def open(
        cls, place: str, *, rng: np.random.Generator | None = None, clock: Callable[[], float] = time.time
    ) -> Self:
        """Open the campaign at a path or in a database."""
        return cls(open_store(place), rng=rng, clock=clock)

    # Judges -----------------------------------------------------------------------------------------------------
    def hand_out(self, judge: int, number: int = 1) -> "Future[Handed]":
        """Return the tasks that a judge holds, handing out new ones until there are `number` of them."""

        def work(turn: PendingWrite) -> Handed:
            person = person_of(turn.state, judge)
            stage = self.dispatcher.hand_out(turn, self.chances, person, number)
            tasks = list(person.open.values()) if stage == "judging" else []
            return Handed(self._progress(person, stage), tuple(self._task(lease) for lease in tasks))

        return self.writer.ask(work)

    def submit(self, judge: int, lease: str, key: str, answer: Answer) -> "Future[Receipt]":
        """Store an answer. The same key with the same answer gives the first receipt; with another one, a conflict."""

        def work(turn: PendingWrite) -> Receipt:
            held = self._mine(turn.state, judge, lease)
            said = {
                name: value for name, value in asdict(answer).items() if value is not False and value not in _UNSAID
            }
            # The time taken is no part of the answer: a page that sends again may count on.
            mark = digest({name: value for name, value in said.items() if name != "seconds"})
            if held.status in {"answered", "skipped", "undone"}:
                return self._receipt(held, key, mark)
            check = self.dispatcher.check_of(held)
            check_answer(answer, turn.state.options, len(held.order or held.cards))
            if check is not None:
                expected = tuple(check.ranks[place] for place in held.order)
                said["right"] = all(_alike(ranks, expected) for ranks in answer.ranks.values())
            turn.record("answered", {"lease": lease, "key": _key(key), "mark": mark, **said})
            self._forget_draft(turn, lease)
            return self._receipt(held, key, mark, repeated=False)

        return self.writer.ask(work)

    def skip(self, judge: int, lease: str, key: str, reason: str) -> "Future[Receipt]":
        """Give a task back, and say why."""

        def work(turn: PendingWrite) -> Receipt:
            held = self._mine(turn.state, judge, lease)
            mark = digest({"skip": reason})
            if held.status in {"answered", "skipped", "undone"}:
                return self._receipt(held, key, mark)
            check_text(reason)
            turn.record("skipped", {"lease": lease, "key": _key(key), "mark": mark, "reason": reason})
            self._forget_draft(turn, lease)
            return self._receipt(held, key, mark, repeated=False)

        return self.writer.ask(work)

    def complain(self, judge: int, lease: str, text: str) -> "Future[Receipt]":
        """Report a problem with a task to the organiser; the task stays."""

        def work(turn: PendingWrite) -> Receipt:
            self._mine(turn.state, judge, lease)
            check_text(text)
            return Receipt(turn.record("complained", {"lease": lease, "text": text}).number)

        return self.writer.ask(work)

    def undo(self, judge: int, lease: str | None = None) -> "Future[Task]":
        """Take the judge's last answer back, and hand out the same task again; `lease` says which that must be."""

        def work(turn: PendingWrite) -> Task:
            person = person_of(turn.state, judge)
            if turn.state.mode == "closed":
                raise ForbiddenError("the campaign is closed")
            if not person.last:
                raise ConflictError("there is no answer to undo")
            last = turn.state.leases[person.last[-1]]
            if lease not in {None, last.name}:
                raise ConflictError("this answer was taken back before")
            said = dict(last.answer or {})
            turn.record("undone", {"lease": last.name})
            return replace(self._task(self.dispatcher.again(turn, last)), said=said)

        return self.writer.ask(work)

    def keep_draft(self, judge: int, lease: str, draft: dict[str, Any]) -> "Future[None]":
        """Store a draft, which replaces the previous draft of the task."""

        def work(turn: PendingWrite) -> None:
            held = self._mine(turn.state, judge, lease)
            text = json.dumps(draft, ensure_ascii=False)
            check_text(text, _DRAFT)
            if held.status in {"open", "ended"}:
                turn.note(Note("draft", lease, text))
                self._drafts[lease] = text

        return self.writer.ask(work)

    def consent(self, judge: int, version: str) -> "Future[None]":
        """Record that a judge agreed to this version of the consent text."""

        def work(turn: PendingWrite) -> None:
            person_of(turn.state, judge)
            if version != turn.state.options.consent_version:
                raise ConflictError("the consent text has changed", remedy="Read the new version.")
            turn.record("consented", {"judge": judge, "version": version})

        return self.writer.ask(work)

    def tell(self, judge: int, answers: dict[str, str]) -> "Future[None]":
        """Store a judge's answers about themselves, where they can be erased."""

        def work(turn: PendingWrite) -> None:
            person_of(turn.state, judge)
            if unknown := set(answers) - set(turn.state.options.questions):
                raise CampaignError(f"there is no question {sorted(unknown)[0]!r}")
            for text in answers.values():
                check_text(text)
            turn.record("told", {"judge": judge})
            turn.note(Note("told", str(judge), json.dumps(answers, ensure_ascii=False)))

        return self.writer.ask(work)

    def progress(self, judge: int) -> Progress:
        """Return the progress of a judge."""
        with self.writer.lock:
            person = person_of(self.writer.state, judge)
            return self._progress(person, before(PendingWrite(self.writer.state, self.writer.state.at), person))

    def close(self) -> None:
        """Finish what is waiting, and let go of the store."""
        self.writer.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _task(self, lease: Lease) -> Task:
        draft = self._drafts.get(lease.name)
        return self.dispatcher.task(lease, None if draft is None else json.loads(draft))

    def _forget_draft(self, turn: PendingWrite, lease: str) -> None:
        if self._drafts.pop(lease, None) is not None:
            turn.note(Note("draft", lease, None))

    def _progress(self, person: Person, stage: Stage) -> Progress:
        return progress(person, stage, self.options.per_judge, self.options.consent_version)

    def _mine(self, state: CampaignState, judge: int, lease: str) -> Lease:
        person_of(state, judge)
        held = state.leases.get(lease)
        if held is None or held.judge != judge:
            raise UnknownError("there is no such task of yours")
        return held

    def _receipt(self, lease: Lease, key: str, mark: str, *, repeated: bool = True) -> Receipt:
        """Return the answer stored before; a conflict if it differs."""
        if lease.key != key or lease.mark != mark:
            raise ConflictError("this task already has another answer", remedy="Undo that answer first.")
        told = Receipt(lease.number, lease.late, repeated)
        check = self.dispatcher.check_of(lease) if lease.purpose == "training" and lease.status == "answered" else None
        if check is None:
            return told
        expected = tuple(check.ranks[place] for place in lease.order)
        return replace(told, right=lease.answer["right"], expected=expected)


def _alike(ranks: Sequence[int], expected: Sequence[int]) -> bool:
    """Whether these put the cards into the same order, including ties."""
    size = range(len(ranks))
    return all(np.sign(ranks[a] - ranks[b]) == np.sign(expected[a] - expected[b]) for a in size for b in size)


def _key(key: str) -> str:
    if not 8 <= len(key) <= 200:
        raise CampaignError("an idempotency key has 8 to 200 characters")
    check_text(key)
    return key
