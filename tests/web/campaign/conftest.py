"""A real campaign in a file, and clients that judge."""

import asyncio
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import fields, replace
from typing import Any

import httpx
import numpy as np
import pytest

from betterthan.campaign import safe_html, tasks
from betterthan.campaign.campaign_errors import CampaignError
from betterthan.campaign.log.events import Event
from betterthan.campaign.material.material import ConversationTurn, Gold, Material, MaterialItem
from betterthan.campaign.service.campaign import Campaign
from betterthan.options.campaign import CampaignOptions
from betterthan.web.campaign.campaign_app import create_app

ADDRESS = "http://judge.test"
SYSTEMS = ("Zephyrine-9000", "Quokkatron", "Umbrella-XL", "Marigold-Pro", "Peregrine-2")


class Kept(Campaign):
    """A real campaign in a file, with a view on what it has kept, and a way to let its store be busy."""

    busy: CampaignError | None = None

    @classmethod
    def of(cls, material: Material | None = None, **options: Any) -> "Kept":
        folder = tempfile.TemporaryDirectory(prefix="bt-pages-")
        settled = CampaignOptions(**{"title": "Notes to customers", **options})
        made = cls.create(f"{folder.name}/c.campaign", material or material_of(), settled, rng=np.random.default_rng(0))
        made._folder = folder
        ask = made.writer.ask

        def asked(work: Any) -> Any:
            if made.busy is None:
                return ask(work)
            refused: Future[Any] = Future()
            refused.set_exception(made.busy)
            return refused

        made.writer.ask = asked  # type: ignore[method-assign]
        return made

    _folder: "tempfile.TemporaryDirectory[str]"

    def close(self) -> None:
        super().close()
        self._folder.cleanup()

    @property
    def events(self) -> list[Event]:
        """Every line of the log."""
        return self.writer.ask(lambda _: list(self.store.events())).result()

    @property
    def answers(self) -> list[tuple[int, str, tasks.Answer]]:
        """Answers that were not taken back, in order: who, which task, what."""
        names = {field.name for field in fields(tasks.Answer)}
        found = sorted(
            (lease.number, lease) for lease in self.writer.state.leases.values() if lease.status == "answered"
        )
        return [
            (
                lease.judge,
                lease.name,
                tasks.Answer(
                    **{
                        **{name: value for name, value in lease.answer.items() if name in names},
                        "ranks": {name: tuple(ranks) for name, ranks in lease.answer["ranks"].items()},
                        "tags": tuple(lease.answer.get("tags", ())),
                    }
                ),
            )
            for _, lease in found
        ]

    @property
    def skipped(self) -> list[str]:
        """Why tasks were skipped."""
        return [event.body["reason"] for event in self.events if event.kind == "skipped"]

    @property
    def complaints(self) -> list[str]:
        """What judges reported."""
        return [event.body["text"] for event in self.events if event.kind == "complained"]

    @property
    def sessions(self) -> int:
        """How many sessions there are."""
        return len(self.writer.state.sessions)

    def draft(self, lease: str) -> dict[str, Any] | None:
        """What is kept of a task that is not finished."""
        found = self.writer.ask(lambda _: self.store.notes("draft")).result().get(lease)
        return None if found is None else json.loads(found)

    def reach(self, stage: str) -> None:
        """Bring the campaign to where judges are told this stage; it must have a budget of one comparison."""
        if stage in {"paused", "closed"}:
            self.set_state(stage).result()  # type: ignore[arg-type]
        elif stage == "settled":
            self.chances = replace(self.chances, settled=True)
        else:
            other, _ = self.add_judge("somebody else").result()
            task = self.hand_out(other.number).result().tasks[0]
            if stage == "finished":
                ranks = tuple(range(1, len(task.cards) + 1))
                self.submit(
                    other.number,
                    task.lease,
                    "key-of-another",
                    tasks.Answer({name: ranks for name, _ in self.options.asked}),
                ).result()


def item_of(number: int, source: str | None = None, **more: Any) -> MaterialItem:
    source = f"Bitte rufen Sie uns morgen an, Nummer {number}." if source is None else source
    return MaterialItem(f"item-{number}", source, html={"source": safe_html.to_html(source)}, **more)


def material_of(
    items: int = 12,
    *,
    output: Callable[[int, int], str] | None = None,
    source: str | None = None,
    systems: tuple[str, ...] = SYSTEMS,
    **more: Any,
) -> Material:
    made = tuple(item_of(number, source, **more) for number in range(items))
    words = (
        "Please call us tomorrow",
        "Kindly phone us in the morning",
        "Call tomorrow please",
        "We ask you to call tomorrow",
        "Ring us tomorrow",
    )
    write = output or (lambda number, system: f"{words[system]}, number {number}.")
    outputs = {name: [write(n, s) for n in range(items)] for s, name in enumerate(systems)}
    practice = Gold(
        item_of(900, "Übung."), ("Practice.", "Exercise for."), ("<p>Practice.</p>", "<p>Exercise for.</p>"), (1, 2)
    )
    shown = {name: [safe_html.to_html(text) for text in texts] for name, texts in outputs.items()}
    return Material(made, systems, outputs, shown, training=(practice,))


Make = Callable[..., Kept]


@pytest.fixture
def make() -> Iterator[Make]:
    with ExitStack() as stack:

        def made(material: Material | None = None, **options: Any) -> Kept:
            return stack.enter_context(Kept.of(material, **options))

        yield made


class Judging:
    """A judge with a browser that runs no scripts: forms are read from pages and sent as a browser would."""

    def __init__(self, campaign: Kept, transport: httpx.BaseTransport, name: str = "Ada Example", **more: Any) -> None:
        self.campaign = campaign
        self.judge, self.invitation = campaign.add_judge(name, **more).result()
        self.client = httpx.Client(
            base_url=ADDRESS, headers={"Origin": ADDRESS}, follow_redirects=True, transport=transport
        )

    def join(self) -> Any:
        return self.client.post("/join", data={"token": self.invitation})

    def page(self) -> str:
        response = self.client.get("/")
        assert response.status_code == 200, response.text
        return response.text

    @property
    def session(self) -> str:
        return self.client.cookies["betterthan"]

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


#: A thread without an event loop of its own: a browser's may be running in that of the test.
_LOOPS = ThreadPoolExecutor(max_workers=1)


class InProcess(httpx.BaseTransport):
    """Calls an application without a network between: quick, and every byte is seen."""

    def __init__(self, campaign: Kept) -> None:
        self._app = httpx.ASGITransport(create_app(campaign), raise_app_exceptions=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def answered() -> tuple[httpx.Response, bytes]:
            sent = httpx.Request(request.method, request.url, headers=request.headers, content=request.read())
            response = await self._app.handle_async_request(sent)
            return response, await response.aread()

        response, body = _LOOPS.submit(asyncio.run, answered()).result()
        return httpx.Response(response.status_code, headers=response.headers, content=body)


@pytest.fixture
def judging(make: Make) -> Callable[..., Judging]:
    shared: dict[int, InProcess] = {}

    def joined(campaign: Kept | None = None, *, join: bool = True, **more: Any) -> Judging:
        campaign = campaign or make()
        judge = Judging(campaign, shared.setdefault(id(campaign), InProcess(campaign)), **more)
        if join:
            assert judge.join().status_code == 200
        return judge

    return joined


TURNS = (ConversationTurn("user", "Hello"), ConversationTurn("assistant", "Hi"), ConversationTurn("user", "And now?"))
