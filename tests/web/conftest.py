"""A campaign in memory with the behaviour that pages rely on, and clients that judge."""

import asyncio
import re
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import httpx
import pytest

from betterthan.campaign.campaign import Campaign, Handed, Judge
from betterthan.campaign.material import Gold, Item, Material, Turn
from betterthan.campaign.refusals import CampaignError, ConflictError, ForbiddenError, UnknownError
from betterthan.campaign.rendering import to_html
from betterthan.campaign.tasks import Answer, Progress, Receipt, Task
from betterthan.options.campaign import CampaignOptions
from betterthan.web.app import create_app

ADDRESS = "http://judge.test"
SYSTEMS = ("Zephyrine-9000", "Quokkatron", "Umbrella-XL", "Marigold-Pro", "Peregrine-2")


def _future(work: Callable[[], Any]) -> "Future[Any]":
    future: Future[Any] = Future()
    try:
        future.set_result(work())
    except CampaignError as error:
        future.set_exception(error)
    return future


@dataclass
class _Lease:
    judge: int
    task: Task
    state: str = "held"


@dataclass
class _Person:
    judge: Judge
    identity: str
    done: list[str] = field(default_factory=list)
    consented: bool = False
    told: bool = False
    trained: int = 0
    next_item: int = 0


class Remembered(Campaign):
    """A campaign that forgets everything when the test ends; every item goes to every judge, in order."""

    def __init__(self, material: Material, options: CampaignOptions) -> None:
        self.material, self.options, self.state = material, options, "running"
        self.people: dict[int, _Person] = {}
        self.leases: dict[str, _Lease] = {}
        self.kept: dict[str, tuple[Any, Receipt]] = {}
        self.answers: list[tuple[int, str, Answer]] = []
        self.skipped: list[tuple[int, str, str]] = []
        self.complaints: list[str] = []
        self.told: dict[int, dict[str, str]] = {}
        self.consents: list[tuple[int, str]] = []
        self.invitations: dict[str, int | str] = {}
        self.sessions: dict[str, int | str] = {}
        self.busy: CampaignError | None = None
        self.stage: Any = None
        self._lock = threading.RLock()

    def _do(self, work: Callable[[], Any]) -> "Future[Any]":
        def locked() -> Any:
            with self._lock:
                if self.busy is not None:
                    raise self.busy
                return work()

        return _future(locked)

    def _held(self, judge: int) -> list[_Lease]:
        return [lease for lease in self.leases.values() if lease.judge == judge and lease.state == "held"]

    def progress(self, judge: int) -> Progress:
        person = self.people[judge]
        stage: Any = "judging"
        if self.options.consent and not person.consented:
            stage = "consent"
        elif self.options.questions and not person.told:
            stage = "questions"
        elif self.state != "running":
            stage = self.state
        elif not self._held(judge) and person.next_item >= len(self.material.items):
            stage = "finished"
        return Progress(self.stage or stage, len(person.done), self.options.per_judge, bool(person.done),
                        self.options.consent_version)  # fmt: skip

    def hand_out(self, judge: int, number: int = 1) -> "Future[Handed]":
        def work() -> Handed:
            while self.progress(judge).stage == "judging" and len(self._held(judge)) < number:
                made = self._next(self.people[judge])
                if made is None:
                    break
                self.leases[made.lease] = _Lease(judge, made)
            progress = self.progress(judge)
            held = tuple(lease.task for lease in self._held(judge))
            return Handed(progress, held if progress.stage == "judging" else ())

        return self._do(work)

    def _next(self, person: _Person) -> Task | None:
        now = time.time()
        if person.trained < min(self.options.training, len(self.material.training)):
            gold = self.material.training[person.trained]
            person.trained += 1
            return Task(secrets.token_hex(16), gold.item, gold.shown, "training", now, now + 60)
        if person.next_item >= len(self.material.items):
            return None
        number = person.next_item
        person.next_item += 1
        item = self.material.items[number]
        systems = self.material.systems[: self.options.way]
        cards = tuple(str(self.material.shown[system][number]) for system in systems)
        before = tuple(
            each for each in self.material.items[:number] if item.document and each.document == item.document
        )
        return Task(secrets.token_hex(16), item, cards, "judgment", now, now + 60, before=before)

    def _once(
        self, judge: int, lease: str, key: str, body: Any, keep: Callable[[_Lease], Receipt]
    ) -> "Future[Receipt]":
        def work() -> Receipt:
            found = self.leases.get(lease)
            if found is None or found.judge != judge:
                raise UnknownError("there is no such task")
            if key in self.kept:
                said, receipt = self.kept[key]
                if said != (lease, body):
                    raise ConflictError("this answer was sent before, with other contents")
                return replace(receipt, repeated=True)
            if found.state != "held":
                raise ConflictError("this task was answered before; undo that answer to change it")
            found.state = "done"
            receipt = keep(found)
            self.kept[key] = ((lease, body), receipt)
            return receipt

        return self._do(work)

    def submit(self, judge: int, lease: str, key: str, answer: Answer) -> "Future[Receipt]":
        def keep(found: _Lease) -> Receipt:
            if {name for name, _ in self.options.asked} != set(answer.ranks):
                found.state = "held"
                raise CampaignError("the criteria are not those of the campaign")
            if any(len(ranks) != len(found.task.cards) for ranks in answer.ranks.values()):
                found.state = "held"
                raise CampaignError("there must be one rank per card")
            self.answers.append((judge, lease, answer))
            self.people[judge].done.append(lease)
            if found.task.purpose != "training":
                return Receipt(len(self.answers))
            expected = next(each.ranks for each in self.material.training if each.item == found.task.item)
            return Receipt(len(self.answers), right=next(iter(answer.ranks.values())) == expected, expected=expected)

        return self._once(judge, lease, key, asdict(answer), keep)

    def skip(self, judge: int, lease: str, key: str, reason: str) -> "Future[Receipt]":
        def keep(found: _Lease) -> Receipt:
            self.skipped.append((judge, found.task.lease, reason))
            return Receipt(1)

        return self._once(judge, lease, key, reason, keep)

    def _own(self, judge: int, lease: str) -> _Lease:
        found = self.leases.get(lease)
        if found is None or found.judge != judge:
            raise UnknownError("there is no such task")
        return found

    def complain(self, judge: int, lease: str, text: str) -> "Future[Receipt]":
        def work() -> Receipt:
            self._own(judge, lease)
            self.complaints.append(text)
            return Receipt(len(self.complaints))

        return self._do(work)

    def undo(self, judge: int) -> "Future[Task]":
        def work() -> Task:
            person = self.people[judge]
            if not person.done:
                raise ConflictError("there is nothing to take back")
            last = person.done.pop()
            self.answers = [each for each in self.answers if each[1] != last]
            again = replace(self.leases[last].task, lease=secrets.token_hex(16), again=True)
            self.leases[again.lease] = _Lease(judge, again)
            return again

        return self._do(work)

    def keep_draft(self, judge: int, lease: str, draft: dict[str, Any]) -> "Future[None]":
        def work() -> None:
            found = self._own(judge, lease)
            found.task = replace(found.task, draft=draft)

        return self._do(work)

    def consent(self, judge: int, version: str) -> "Future[None]":
        def work() -> None:
            if version != self.options.consent_version:
                raise ConflictError("the text has changed since; read it again")
            self.consents.append((judge, version))
            self.people[judge].consented = True

        return self._do(work)

    def tell(self, judge: int, answers: dict[str, str]) -> "Future[None]":
        def work() -> None:
            self.told[judge], self.people[judge].told = answers, True

        return self._do(work)

    def enter(self, invitation: str) -> "Future[str]":
        def work() -> str:
            who = self.invitations.get(invitation)
            if who is None:
                raise ForbiddenError("this invitation does not exist, or has ended")
            if who == "organiser":
                del self.invitations[invitation]
            session = secrets.token_urlsafe(24)
            self.sessions[session] = who
            return session

        return self._do(work)

    def who(self, session: str) -> Any:
        return self.sessions.get(session)

    def leave(self, session: str) -> "Future[None]":
        return self._do(lambda: self.sessions.pop(session, None) and None)

    def invite_organiser(self) -> "Future[str]":
        return self._do(lambda: self._invitation("organiser"))

    def _invitation(self, who: int | str) -> str:
        token = secrets.token_urlsafe(24)
        self.invitations[token] = who
        return token

    def add_judge(self, name: str, **more: Any) -> "Future[tuple[Judge, str]]":
        def work() -> tuple[Judge, str]:
            number = len(self.people) + 1
            judge = Judge(
                number, f"judge-{number}", more.get("kind", "person"), tuple(more.get("languages", ())), (), False
            )
            self.people[number] = _Person(judge, name)
            return judge, self._invitation(number)

        return self._do(work)

    def invite(self, judge: int) -> "Future[str]":
        def work() -> str:
            if judge not in self.people:
                raise UnknownError("there is no such judge")
            self.invitations = {token: who for token, who in self.invitations.items() if who != judge}
            return self._invitation(judge)

        return self._do(work)

    def revoke(self, judge: int) -> "Future[None]":
        def work() -> None:
            if judge not in self.people:
                raise UnknownError("there is no such judge")
            self.invitations = {token: who for token, who in self.invitations.items() if who != judge}
            self.sessions = {token: who for token, who in self.sessions.items() if who != judge}
            self.people[judge].judge = replace(self.people[judge].judge, revoked=True)

        return self._do(work)

    def set_state(self, state: Any) -> "Future[None]":
        def work() -> None:
            self.state = state

        return self._do(work)

    def judges(self) -> tuple[Judge, ...]:
        return tuple(person.judge for person in self.people.values())

    def identity(self, judge: int) -> str:
        return self.people[judge].identity


def item_of(number: int, source: str | None = None, **more: Any) -> Item:
    source = f"Bitte rufen Sie uns morgen an, Nummer {number}." if source is None else source
    return Item(f"item-{number}", source, html={"source": to_html(source)}, **more)


def material_of(
    items: int = 12, *, output: Callable[[int, int], str] | None = None, source: str | None = None, **more: Any
) -> Material:
    made = tuple(item_of(number, source, **more) for number in range(items))
    words = ("Please call us tomorrow", "Kindly phone us in the morning", "Call tomorrow please",
             "We ask you to call tomorrow", "Ring us tomorrow")  # fmt: skip
    write = output or (lambda number, system: f"{words[system]}, number {number}.")
    outputs = {name: [write(n, s) for n in range(items)] for s, name in enumerate(SYSTEMS)}
    practice = Gold(
        item_of(900, "Übung."), ("Practice.", "Exercise for."), ("<p>Practice.</p>", "<p>Exercise for.</p>"), (1, 2)
    )
    shown = {name: [to_html(text) for text in texts] for name, texts in outputs.items()}
    return Material(made, SYSTEMS, outputs, shown, training=(practice,))


Make = Callable[..., Remembered]


@pytest.fixture
def make() -> Make:
    def made(material: Material | None = None, **options: Any) -> Remembered:
        return Remembered(material or material_of(), CampaignOptions(**{"title": "Notes to customers", **options}))

    return made


class Judging:
    """A judge with a browser that runs no scripts: forms are read from pages and sent as a browser would."""

    def __init__(
        self, campaign: Remembered, transport: httpx.BaseTransport, name: str = "Ada Example", **more: Any
    ) -> None:
        self.campaign = campaign
        self.judge, self.invitation = campaign.add_judge(name, **more).result()
        self.client = httpx.Client(
            base_url=ADDRESS, headers={"Origin": ADDRESS}, follow_redirects=True, transport=transport
        )  # fmt: skip

    def join(self) -> Any:
        return self.client.post("/join", data={"token": self.invitation})

    def page(self) -> str:
        response = self.client.get("/")
        assert response.status_code == 200, response.text
        return response.text

    @staticmethod
    def hidden(page: str) -> dict[str, str]:
        form = page.split('<form id="judge"')[1].split("</form>", maxsplit=1)[0]
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
        return dict(found)

    @staticmethod
    def lease(page: str) -> str:
        found = re.search(r'data-lease="([^"]+)"', page)
        assert found
        return found[1]

    @staticmethod
    def csrf(page: str) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', page)
        assert found
        return found[1]

    def answer(self, page: str | None = None, **fields: Any) -> Any:
        page = page or self.page()
        sent = {**self.hidden(page), "choice-overall": "left", **fields}
        return self.client.post(f"/task/{self.lease(page)}", data=sent, follow_redirects=False)


class InProcess(httpx.BaseTransport):
    """Calls an application without a network between: quick, and every byte is seen."""

    def __init__(self, campaign: Remembered) -> None:
        self._app = httpx.ASGITransport(create_app(campaign), raise_app_exceptions=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def answered() -> tuple[httpx.Response, bytes]:
            sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
            response = await self._app.handle_async_request(sent)
            return response, await response.aread()

        response, body = asyncio.run(answered())
        return httpx.Response(response.status_code, headers=response.headers, content=body)


@pytest.fixture
def judging(make: Make) -> Callable[..., Judging]:
    shared: dict[int, InProcess] = {}

    def joined(campaign: Remembered | None = None, *, join: bool = True, **more: Any) -> Judging:
        campaign = campaign or make()
        judge = Judging(campaign, shared.setdefault(id(campaign), InProcess(campaign)), **more)
        if join:
            assert judge.join().status_code == 200
        return judge

    return joined


TURNS = (Turn("user", "Hello"), Turn("assistant", "Hi"), Turn("user", "And now?"))
