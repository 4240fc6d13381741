"""What strangers, other sites, other judges and careless programs cannot do."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser

import httpx
import pytest

from betterthan.campaign.campaign_errors import BusyError
from betterthan.campaign.material.material import ConversationTurn
from betterthan.web.campaign import campaign_guard as security
from betterthan.web.campaign.campaign_guard import TOO_LARGE, csrf_token
from betterthan.web.campaign.campaign_server import running_campaign
from betterthan.web.campaign.rate_limits import Limiter
from tests.web.campaign.conftest import ADDRESS, SYSTEMS, Judging, Make, material_of

POSTS = (
    "/consent",
    "/questions",
    "/undo",
    "/leave",
    "/task/{lease}",
    "/task/{lease}/skip",
    "/task/{lease}/problem",
    "/task/{lease}/draft",
    "/organiser/state",
    "/organiser/judges",
    "/organiser/judges/1/revoke",
)


def test_every_response_has_the_headers(judging: Callable[..., Judging]) -> None:
    judge = judging()
    for path in ("/", "/join/x", "/nothing", "/static/style.css", "/api/openapi.json", "/api/progress", "/organiser"):
        headers = judge.client.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers
        if not path.startswith("/static"):
            assert headers["cache-control"] == "no-store"
            assert "etag" not in headers


def test_the_cookie_is_out_of_reach_of_scripts(judging: Callable[..., Judging]) -> None:
    judge = judging(join=False)
    response = judge.client.post("/join", data={"token": judge.invitation}, follow_redirects=False)
    assert (response.status_code, response.headers["location"]) == (303, "/")
    cookie = response.headers["set-cookie"]
    for part in ("HttpOnly", "SameSite=lax", "Path=/"):
        assert part in cookie
    assert "Secure" not in cookie
    assert judge.invitation not in cookie


def test_opening_an_invitation_changes_nothing(judging: Callable[..., Judging]) -> None:
    judge = judging(join=False)
    page = judge.client.get(f"/join/{judge.invitation}")
    assert "set-cookie" not in page.headers
    assert judge.campaign.sessions == 0
    assert 'method="post" action="/join"' in page.text


def test_a_wrong_invitation_is_refused_in_a_sentence(judging: Callable[..., Judging]) -> None:
    response = judging(join=False).client.post("/join", data={"token": "made up"})
    assert response.status_code == 403
    assert "This invitation is not valid, or has expired. Ask for a new link." in response.text


#: Headers of requests from elsewhere.
ELSEWHERE: tuple[dict[str, str], ...] = (
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Referer": "https://evil.example/x"},
    {},
)


@pytest.mark.parametrize("path", POSTS)
def test_writes_from_elsewhere_change_nothing(judging: Callable[..., Judging], path: str) -> None:
    judge = judging()
    page = judge.page()
    data = {
        **judge.hidden(page),
        "choice-overall": "left",
        "state": "closed",
        "name": "x",
        "why": "other",
        "problem": "x",
    }
    del judge.client.headers["Origin"]
    for headers in ELSEWHERE:
        response = judge.client.post(path.format(lease=judge.lease(page)), data=data, headers=headers)
        assert response.status_code == 403, headers
        assert "did not come from a page of this campaign" in response.text
        assert (judge.campaign.answers, judge.campaign.skipped, judge.campaign.complaints) == ([], [], [])
        assert judge.campaign.state == "running"
        assert judge.campaign.sessions == 1


@pytest.mark.parametrize("path", POSTS)
def test_writes_without_the_token_change_nothing(judging: Callable[..., Judging], path: str) -> None:
    judge = judging()
    page = judge.page()
    data = {**judge.hidden(page), "choice-overall": "left", "problem": "x", "state": "closed", "name": "x"}
    for token in ("", "wrong", csrf_token("another session")):
        response = judge.client.post(path.format(lease=judge.lease(page)), data={**data, "csrf": token})
        assert response.status_code == 403, token
        assert (judge.campaign.answers, judge.campaign.skipped, judge.campaign.complaints) == ([], [], [])
        assert judge.client.get("/").status_code == 200


def test_a_referer_of_ours_will_do(judging: Callable[..., Judging]) -> None:
    judge = judging()
    del judge.client.headers["Origin"]
    judge.client.headers["Referer"] = f"{ADDRESS}/"
    assert judge.answer().status_code == 303


def test_behind_a_proxy_the_outer_address_counts(make: Make) -> None:
    campaign = make()
    _, invitation = campaign.add_judge("Ada").result()
    outer = "https://judge.example.org"
    with (
        running_campaign(campaign, behind_proxy=True, origin=outer) as address,
        httpx.Client(base_url=address) as client,
    ):
        said = client.post("/join", data={"token": invitation}, headers={"Origin": outer})
        assert said.status_code == 303
        assert "Secure" in said.headers["set-cookie"]
        assert "max-age" in said.headers["strict-transport-security"]
        assert client.post("/join", data={"token": invitation}, headers={"Origin": address}).status_code == 403


def test_another_judges_task_is_not_there(make: Make, judging: Callable[..., Judging]) -> None:
    campaign = make()
    ada, bob = judging(campaign), judging(campaign, name="Bob Example")
    page = ada.page()
    lease, csrf = ada.lease(page), bob.csrf(bob.page())
    for action in ("", "/skip", "/problem", "/draft"):
        sent = {"csrf": csrf, "key": "k" * 20, "cards": "2", "choice-overall": "left", "why": "other", "problem": "x"}
        response = bob.client.post(f"/task/{lease}{action}", data=sent)
        assert response.status_code == 404
        assert "Ada" not in response.text
    assert (campaign.answers, campaign.skipped, campaign.complaints) == ([], [], [])
    assert campaign.draft(lease) is None


def test_who_was_revoked_changes_nothing_more(judging: Callable[..., Judging]) -> None:
    judge = judging()
    page = judge.page()
    judge.campaign.revoke(judge.judge.number).result()
    assert judge.answer(page).status_code == 401
    assert judge.client.get("/").status_code == 401
    assert judge.join().status_code == 403
    assert judge.campaign.answers == []


def test_judges_see_nothing_of_the_organiser(judging: Callable[..., Judging]) -> None:
    judge = judging()
    csrf = judge.csrf(judge.page())
    assert judge.client.get("/organiser").status_code == 403
    for path, data in (
        ("state", {"state": "closed"}),
        ("judges", {"name": "x"}),
        ("judges/1/revoke", {}),
        ("judges/1/link", {}),
    ):
        assert judge.client.post(f"/organiser/{path}", data={"csrf": csrf, **data}).status_code == 403
    assert judge.campaign.state == "running"
    assert len(judge.campaign.judges()) == 1


def test_large_bodies_are_refused(make: Make) -> None:
    campaign = make()
    _, invitation = campaign.add_judge("Ada").result()
    body = b"token=" + b"x" * 300_000
    pieces = (body[start : start + 10_000] for start in range(0, len(body), 10_000))
    with running_campaign(campaign) as address, httpx.Client(base_url=address, headers={"Origin": address}) as client:
        for content in (body, pieces):
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            response = client.post("/join", content=content, headers=kind)
            assert response.status_code == 413
            assert "256 kB" in response.text
        assert client.post("/join", data={"token": invitation}).status_code == 303
        session = {"Authorization": f"Bearer {client.cookies['betterthan']}", "Content-Type": "application/json"}
        pieces = (b'{"number": ' + b" " * 100_000 for _ in range(3))
        assert client.post("/api/tasks", content=pieces, headers=session).json() == {"detail": TOO_LARGE}


def test_a_flood_is_slowed_down(judging: Callable[..., Judging], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "Limiter", partial(Limiter, clock=lambda: 0.0))
    judge = judging()
    flood = [judge.client.get("/api/progress", headers={"Authorization": "Bearer flood"}) for _ in range(201)]
    assert [answer.status_code for answer in flood] == [401] * 200 + [429]
    assert flood[-1].headers["retry-after"] == "1"
    assert judge.client.get("/").status_code == 200, "others are served"


def test_buckets_do_not_pile_up() -> None:
    limiter = Limiter(rate=1, burst=1, clock=lambda: 0.0, most=10)
    for number in range(100):
        assert limiter.wait(str(number)) == 0
    assert len(limiter._buckets) <= 10


def test_a_busy_store_asks_to_come_back(judging: Callable[..., Judging]) -> None:
    judge = judging()
    page = judge.page()
    judge.campaign.busy = BusyError("the store does not take anything right now")
    response = judge.answer(page)
    assert (response.status_code, response.headers["retry-after"]) == (503, "1")
    assert "The store does not take anything right now." in response.text
    judge.campaign.busy = None
    assert judge.answer(page).status_code == 303


def test_a_defect_is_a_sentence_and_not_a_traceback(
    judging: Callable[..., Judging], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    judge = judging()
    monkeypatch.setattr(type(judge.campaign), "hand_out", lambda *_: 1 / 0)
    response = judge.client.get("/")
    assert response.status_code == 500
    assert "Traceback" not in response.text
    assert "ZeroDivisionError" not in response.text
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "GET / failed" in caplog.text


HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><img src=x onerror='window.hacked = 1'>",
    '"><b>bold</b>',
    "{{ 7 * 7 }}",
    "' onfocus='alert(1)' autofocus='",
    "javascript:alert(1)",
    "</textarea><svg onload=alert(1)>",
    "-->",
    "\u2028line",
]


class _Seen(HTMLParser):
    """Notes elements and attributes as a browser would find them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.handlers += [
            name
            for name, value in attrs
            if name.startswith("on")
            or ((value or "").startswith("javascript:") and name in {"href", "src", "action", "formaction"})
        ]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_stay_texts(make: Make, judging: Callable[..., Judging], text: str) -> None:
    material = material_of(
        3,
        output=lambda number, system: f"{text} {system}",
        source=text,
        language=text,
        reference=text,
        context=text,
        turns=(ConversationTurn(text, text), ConversationTurn("user", text), ConversationTurn(text, text)),
        document=text,
    )
    campaign = make(
        material,
        title=text,
        criteria=(f"overall: {text}",),
        tags=(text,),
        reason=True,
        both_bad=True,
        instructions=text,
        consent=text,
        questions=(text,),
    )
    judge = judging(campaign, name=text)
    pages = [judge.client.get("/").text]
    csrf = judge.csrf(pages[0])
    judge.client.post("/consent", data={"csrf": csrf, "version": "1"})
    pages += [judge.client.get("/").text, judge.client.post("/questions", data={"csrf": csrf, "question-1": " "}).text]
    judge.client.post("/questions", data={"csrf": csrf, "question-1": text})
    pages += [judge.page(), judge.answer(**{"choice-overall": "none", "reason": text}).text]
    pages.append(judge.client.get(f"/join/{text.replace('/', '')}").text)
    for page in pages:
        seen = _Seen(page)
        assert seen.handlers == []
        assert not seen.tags & {"img", "svg"}
        assert page.count("<script") <= 1
        assert ">49<" not in page


def test_no_byte_names_a_system(make: Make, judging: Callable[..., Judging]) -> None:
    judge = judging(make(way=5, documents=True, training=1))
    told = []
    judge.client.event_hooks["response"].append(lambda response: (response.read(), told.append(response)))
    for path in ("/", "/nothing", "/static/judge.js", "/api/openapi.json"):
        judge.client.get(path)
    for _ in range(4):
        page = judge.page()
        cards = judge.hidden(page)["cards"]
        fields = {f"rank-overall-{number}": "1" for number in range(1, int(cards) + 1)}
        assert judge.answer(page, **fields).status_code == 303
        judge.answer(page, **fields, reason="another")
    token = {"Authorization": f"Bearer {judge.session}"}
    judge.client.post("/api/tasks", json={"number": 3}, headers=token)
    assert len(told) > 12
    for response in told:
        everything = (str(response.headers) + response.text).lower()
        assert not [name for name in SYSTEMS if name.lower() in everything]
        assert "item-" not in response.text


def test_a_missing_part_is_named_with_its_extra() -> None:
    hidden = "import sys; sys.modules['fastapi'] = None\nimport betterthan.web.campaign.campaign_app"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith("pip install 'betterthan[campaign]'")
    assert "MissingExtraError" in done.stderr
