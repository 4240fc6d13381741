"""A campaign that runs: what is asked of it goes through one writer, and is answered once it is kept."""

import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np

from betterthan.campaign.answers import check_answer, check_text
from betterthan.campaign.chances import Chances
from betterthan.campaign.dispatch import Dispatcher, before, progress
from betterthan.campaign.events import Event, Note, digest
from betterthan.campaign.material import Material
from betterthan.campaign.organising import Organised, check_options, person_of
from betterthan.campaign.people import Lease, Person
from betterthan.campaign.refusals import CampaignError, ConflictError, ForbiddenError, UnknownError
from betterthan.campaign.state import State
from betterthan.campaign.store import Store, create_store, open_store
from betterthan.campaign.tasks import Answer, Progress, Receipt, Stage, Task
from betterthan.campaign.writer import Turn, Writer
from betterthan.options.campaign import CampaignOptions
from betterthan.options.declare import declared

#: Characters of a draft.
_DRAFT = 100_000
#: What an answer leaves open is not kept.
_UNSAID: tuple[Any, ...] = (None, "", ())


@dataclass(frozen=True)
class Handed:
    """What a judge has in hand, and how far they are; no tasks where the stage is not `judging`."""

    progress: Progress
    tasks: tuple[Task, ...]


class Campaign(Organised):
    """One open campaign.

    What changes something returns a Future: it is done when the change is on disk, and fails with a CampaignError whose
    `code` is that of HTTP (400, 403, 404, 409, 503). What only looks answers at once. All of it may be called from any
    thread.
    """

    def __init__(
        self, store: Store, *, rng: np.random.Generator | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.store = store
        self.board: dict[str, Any] = {}  # the leaderboard, where somebody keeps it up to date
        self._drafts: dict[str, str] = {}
        try:
            self.material = store.material()
            self.dispatcher = Dispatcher(self.material, np.random.default_rng() if rng is None else rng)
            self.chances = Chances.all_alike(len(self.material.systems))
            self.writer = Writer(store, self._fresh, clock)
        except BaseException:
            store.close()
            raise

    def _fresh(self) -> State:
        """Return the state before the first line, and drafts as they are on disk."""
        self._drafts = dict(self.store.notes("draft"))
        return State(self.material.systems, len(self.material.items))

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
        changed = {name: getattr(options, name) for name in declared(CampaignOptions)}
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

        def work(turn: Turn) -> Handed:
            person = person_of(turn.state, judge)
            stage = self.dispatcher.hand_out(turn, self.chances, person, number)
            tasks = list(person.open.values()) if stage == "judging" else []
            return Handed(self._progress(person, stage), tuple(self._task(lease) for lease in tasks))

        return self.writer.ask(work)

    def submit(self, judge: int, lease: str, key: str, answer: Answer) -> "Future[Receipt]":
        """Keep an answer. The same key with the same answer gives the first receipt; with another one, a conflict."""

        def work(turn: Turn) -> Receipt:
            held = self._mine(turn.state, judge, lease)
            said = {
                name: value for name, value in asdict(answer).items() if value is not False and value not in _UNSAID
            }
            # How long it took is no part of what was said: a page that sends again may count on.
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

        def work(turn: Turn) -> Receipt:
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

        def work(turn: Turn) -> Receipt:
            self._mine(turn.state, judge, lease)
            check_text(text)
            return Receipt(turn.record("complained", {"lease": lease, "text": text}).number)

        return self.writer.ask(work)

    def undo(self, judge: int, lease: str | None = None) -> "Future[Task]":
        """Take the judge's last answer back, and hand out the same task again; `lease` says which that must be."""

        def work(turn: Turn) -> Task:
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
        """Keep what was filled in so far; the next draft of the task takes its place."""

        def work(turn: Turn) -> None:
            held = self._mine(turn.state, judge, lease)
            text = json.dumps(draft, ensure_ascii=False)
            check_text(text, _DRAFT)
            if held.status in {"open", "ended"}:
                turn.note(Note("draft", lease, text))
                self._drafts[lease] = text

        return self.writer.ask(work)

    def consent(self, judge: int, version: str) -> "Future[None]":
        """Keep that a judge agreed to this version of the consent text."""

        def work(turn: Turn) -> None:
            person_of(turn.state, judge)
            if version != turn.state.options.consent_version:
                raise ConflictError("the consent text has changed", remedy="Read the new version.")
            turn.record("consented", {"judge": judge, "version": version})

        return self.writer.ask(work)

    def tell(self, judge: int, answers: dict[str, str]) -> "Future[None]":
        """Keep what a judge said about themselves, where it can be erased."""

        def work(turn: Turn) -> None:
            person_of(turn.state, judge)
            if unknown := set(answers) - set(turn.state.options.questions):
                raise CampaignError(f"there is no question {sorted(unknown)[0]!r}")
            for text in answers.values():
                check_text(text)
            turn.record("told", {"judge": judge})
            turn.note(Note("told", str(judge), json.dumps(answers, ensure_ascii=False)))

        return self.writer.ask(work)

    def progress(self, judge: int) -> Progress:
        """Say how far a judge is."""
        with self.writer.lock:
            person = person_of(self.writer.state, judge)
            return self._progress(person, before(Turn(self.writer.state, self.writer.state.at), person))

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

    def _forget_draft(self, turn: Turn, lease: str) -> None:
        if self._drafts.pop(lease, None) is not None:
            turn.note(Note("draft", lease, None))

    def _progress(self, person: Person, stage: Stage) -> Progress:
        return progress(person, stage, self.options.per_judge, self.options.consent_version)

    def _mine(self, state: State, judge: int, lease: str) -> Lease:
        person_of(state, judge)
        held = state.leases.get(lease)
        if held is None or held.judge != judge:
            raise UnknownError("there is no such task of yours")
        return held

    def _receipt(self, lease: Lease, key: str, mark: str, *, repeated: bool = True) -> Receipt:
        """Return what was kept before; a conflict where something else was."""
        if lease.key != key or lease.mark != mark:
            raise ConflictError("this task already has another answer", remedy="Undo that answer first.")
        told = Receipt(lease.number, lease.late, repeated)
        check = self.dispatcher.check_of(lease) if lease.purpose == "training" and lease.status == "answered" else None
        if check is None:
            return told
        expected = tuple(check.ranks[place] for place in lease.order)
        return replace(told, right=lease.answer["right"], expected=expected)


def _alike(ranks: Sequence[int], expected: Sequence[int]) -> bool:
    """Do these put the cards into the same order, ties included?"""
    size = range(len(ranks))
    return all(np.sign(ranks[a] - ranks[b]) == np.sign(expected[a] - expected[b]) for a in size for b in size)


def _key(key: str) -> str:
    if not 8 <= len(key) <= 200:
        raise CampaignError("an idempotency key has 8 to 200 characters")
    check_text(key)
    return key
