"""How often somebody may try, and how long they are told to wait."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from betterthan.web.campaign.campaign_guard import CampaignGuard
from betterthan.web.campaign.rate_limits import Limiter


@pytest.mark.parametrize(("rate", "seconds"), [(0.2, 5), (0.5, 2), (1.0, 1), (50.0, 1)])
def test_the_wait_is_until_there_is_a_token(rate: float, seconds: int) -> None:
    now = 0.0
    limiter = Limiter(rate=rate, burst=1, clock=lambda: now)
    assert [limiter.wait("a"), limiter.wait("a")] == [0, seconds]
    assert limiter.wait("b") == 0
    now = seconds - 1e-3 if rate <= 1 else 0.0
    assert limiter.wait("a") > 0
    now = float(seconds)
    assert limiter.wait("a") == 0


def test_passwords_can_be_tried_ten_times() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse("in")(scope, receive, send)

    def refuse(_: Any, status: int, words: str, headers: dict[str, str]) -> PlainTextResponse:
        return PlainTextResponse(words, status, headers)

    guarded = CampaignGuard(app, refuse=refuse, origin="http://testserver", secure=False)
    transport = httpx.ASGITransport(app=guarded)

    async def asked() -> tuple[list[httpx.Response], httpx.Response, httpx.Response]:
        origin = {"Origin": "http://testserver"}
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=origin) as client:
            answers = [await client.post("/login") for _ in range(12)]
            return answers, await client.get("/login"), await client.post("/", headers={"Origin": "http://elsewhere"})

    with ThreadPoolExecutor(1) as thread:  # this one may have a loop already: Playwright keeps one running
        answers, read, foreign = thread.submit(asyncio.run, asked()).result()
    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert answers[-1].headers["Retry-After"] == "5"
    assert (read.status_code, foreign.status_code) == (200, 403)
