"""Programs that judge: every answer is one that the description names."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from betterthan.campaign.campaign_errors import BusyError
from tests.web.campaign.conftest import ADDRESS, InProcess, Judging, Make

New = Callable[..., Judging]


class Program:
    """A program with a session."""

    def __init__(self, campaign: Any, transport: InProcess | None = None) -> None:
        self.campaign = campaign
        self.client = httpx.Client(base_url=f"{ADDRESS}/api", transport=transport or InProcess(campaign))
        self.judge, self.invitation = campaign.add_judge("a program", kind="program").result()
        said = self.client.post("/session", json={"invitation": self.invitation})
        assert said.status_code == 200
        self.client.headers["Authorization"] = f"Bearer {said.json()['session']}"

    def tasks(self, number: int = 1) -> Any:
        said = self.client.post("/tasks", json={"number": number})
        assert said.status_code == 200, said.text
        return said.json()

    def answer(self, lease: str, key: str = "key-0001", **body: Any) -> httpx.Response:
        body = {"ranks": {"overall": [1, 2]}, **body}
        return self.client.post(f"/tasks/{lease}/answer", json=body, headers={"Idempotency-Key": key})


@pytest.fixture
def program(make: Make) -> Program:
    return Program(make(reason=True))


def test_tasks_are_held_answered_and_taken_back(program: Program) -> None:
    found = program.tasks(3)
    assert len(found["tasks"]) == 3
    assert found["criteria"] == [{"name": "overall", "question": ""}]
    first = found["tasks"][0]
    number = first["item"]["source"].removeprefix("Bitte rufen Sie uns morgen an, Nummer ").rstrip(".")
    outputs = [texts[int(number)] for texts in program.campaign.material.outputs.values()]
    assert all(card["text"] in outputs for card in first["cards"])
    assert set(first) == {"lease", "item", "before", "cards", "training", "expires_at"}
    said = program.answer(first["lease"], reason="ok", seconds=1.5)
    assert said.json() == {
        "number": program.campaign.writer.state.number,
        "late": False,
        "repeated": False,
        "right": None,
        "expected": [],
    }
    assert program.answer(first["lease"], reason="ok", seconds=1.5).json()["repeated"] is True
    assert program.answer(first["lease"], reason="no", seconds=1.5).status_code == 409
    assert program.answer(first["lease"], "key-0002").status_code == 409
    assert len(program.campaign.answers) == 1
    assert program.client.get("/progress").json() == {"stage": "judging", "done": 1, "limit": None, "can_undo": True}
    again = program.client.post("/undo").json()
    assert again["cards"] == first["cards"]
    assert program.campaign.answers == []
    assert program.client.post("/undo").status_code == 409


def test_skip_problem_draft_and_leave(program: Program) -> None:
    lease = program.tasks()["tasks"][0]["lease"]
    assert program.client.post(f"/tasks/{lease}/problem", json={"text": "cut off"}).status_code == 200
    assert program.client.post(f"/tasks/{lease}/draft", json={"draft": {"choice-overall": "left"}}).status_code == 204
    skipped = program.client.post(
        f"/tasks/{lease}/skip", json={"reason": "no"}, headers={"Idempotency-Key": "key-0001"}
    )
    assert skipped.status_code == 200
    assert program.campaign.skipped == ["no"]
    assert program.client.post("/leave").status_code == 204
    assert program.client.get("/progress").status_code == 401


def test_a_draft_of_a_program_can_be_shown(judging: New) -> None:
    judge = judging()
    lease = judge.lease(judge.page())
    judge.campaign.keep_draft(1, lease, {"choice-overall": "right", "tag": ["x"], "reason": None}).result()
    assert 'value="right" id="choice-overall-right" checked' in judge.page()


@pytest.mark.parametrize("token", [None, "", "Bearer", "Bearer wrong", "Basic eDp5", "Bearer " + "x" * 5000])
def test_without_a_session_nothing_is_done(program: Program, token: str | None) -> None:
    lease = program.tasks()["tasks"][0]["lease"]
    del program.client.headers["Authorization"]
    if token is not None:
        program.client.headers["Authorization"] = token
    key = {"Idempotency-Key": "key-0001"}
    for method, path, body in (
        ("GET", "/progress", None),
        ("POST", "/tasks", {"number": 1}),
        ("POST", "/undo", None),
        ("POST", "/leave", None),
        ("POST", f"/tasks/{lease}/answer", {"ranks": {"overall": [1, 2]}}),
        ("POST", f"/tasks/{lease}/skip", {"reason": "x"}),
        ("POST", f"/tasks/{lease}/problem", {"text": "x"}),
        ("POST", f"/tasks/{lease}/draft", {"draft": {}}),
    ):
        said = program.client.request(method, path, json=body, headers=key)
        assert said.status_code == 401, path
        assert said.headers["www-authenticate"] == "Bearer"
        assert set(said.json()) == {"detail"}
    assert (program.campaign.answers, program.campaign.skipped, program.campaign.complaints) == ([], [], [])


def test_cookies_do_not_count(judging: New) -> None:
    judge = judging()
    assert judge.client.post("/api/tasks", json={"number": 1}).status_code == 401


def test_another_judges_task(make: Make) -> None:
    campaign = make()
    transport = InProcess(campaign)
    one, two = Program(campaign, transport), Program(campaign, transport)
    lease = one.tasks()["tasks"][0]["lease"]
    key = {"Idempotency-Key": "key-0001"}
    assert two.answer(lease).status_code == 404
    assert two.client.post(f"/tasks/{lease}/skip", json={"reason": "x"}, headers=key).status_code == 404
    assert two.client.post(f"/tasks/{lease}/problem", json={"text": "x"}).status_code == 404
    assert two.client.post(f"/tasks/{lease}/draft", json={"draft": {}}).status_code == 404
    assert (campaign.answers, campaign.skipped, campaign.complaints) == ([], [], [])


def test_the_organiser_does_not_judge(program: Program) -> None:
    invitation = program.campaign.invite_organiser().result()
    session = program.client.post("/session", json={"invitation": invitation}).json()["session"]
    said = program.client.post("/tasks", json={}, headers={"Authorization": f"Bearer {session}"})
    assert (said.status_code, said.json()) == (403, {"detail": "The organiser does not judge."})
    assert program.client.post("/session", json={"invitation": invitation}).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"ranks": {}},
        {"ranks": {"overall": []}},
        {"ranks": {"overall": [1]}},
        {"ranks": {"overall": [0, 1]}},
        {"ranks": {"overall": [1, 6]}},
        {"ranks": {"overall": ["1", 2]}},
        {"ranks": {"overall": [True, 2]}},
        {"ranks": {"overall": [1, 2]}, "extra": 1},
        {"ranks": {"overall": [1, 2]}, "reason": "a\x00b"},
        {"ranks": {"overall": [1, 2]}, "reason": "x" * 5001},
        {"ranks": {"overall": [1, 2]}, "seconds": -1},
        {"ranks": {"overall": [1, 2]}, "strength": 4},
        {"ranks": {"overall": [1, 1.5]}},
        [],
        "x",
        None,
    ],
)
def test_what_is_not_understood_is_told(program: Program, body: Any) -> None:
    lease = program.tasks()["tasks"][0]["lease"]
    said = program.client.post(f"/tasks/{lease}/answer", json=body, headers={"Idempotency-Key": "key-0001"})
    assert said.status_code == 422
    assert isinstance(said.json()["detail"], str)
    assert program.campaign.answers == []


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"ranks": {"overall": [1, 2]}, "reason": "\\ud800"}', b"\xff", b'{"ranks": NaN}']
)
def test_bytes_that_are_no_json(program: Program, content: bytes) -> None:
    lease = program.tasks()["tasks"][0]["lease"]
    headers = {"Idempotency-Key": "key-0001", "Content-Type": "application/json"}
    said = program.client.post(f"/tasks/{lease}/answer", content=content, headers=headers)
    assert said.status_code in {400, 422}
    assert isinstance(said.json()["detail"], str)


def test_answers_that_do_not_fit_the_task(program: Program) -> None:
    lease = program.tasks()["tasks"][0]["lease"]
    assert program.answer(lease, ranks={"overall": [1, 2, 3]}).json() == {
        "detail": "Overall: there are 2 outputs, but 3 ranks."
    }
    assert program.answer(lease, ranks={"style": [1, 2]}).status_code == 400
    assert program.answer("%00").status_code == 422
    assert program.answer("0" * 32).status_code == 404
    assert program.client.post(f"/tasks/{lease}/answer", json={"ranks": {"overall": [1, 2]}}).status_code == 422
    program.campaign.busy = BusyError("the store is full")
    said = program.answer(lease)
    assert (said.status_code, said.headers["retry-after"], said.json()) == (503, "1", {"detail": "The store is full."})


def test_every_route_describes_what_it_can_answer(program: Program) -> None:
    described = program.client.get("/openapi.json").json()
    assert set(described["paths"]) == {
        "/api/session",
        "/api/leave",
        "/api/progress",
        "/api/tasks",
        "/api/undo",
        "/api/tasks/{lease}/answer",
        "/api/tasks/{lease}/skip",
        "/api/tasks/{lease}/problem",
        "/api/tasks/{lease}/draft",
    }
    for path, methods in described["paths"].items():
        for route in methods.values():
            codes = set(route["responses"])
            assert {"413", "422", "429", "503"} <= codes, path
            assert path == "/api/session" or {"401", "403"} <= codes
            refusal = route["responses"]["422"]["content"]["application/json"]["schema"]["$ref"]
            assert refusal.endswith("/Refusal"), path
    assert program.client.get(f"{ADDRESS}/docs").status_code == 404
    assert program.client.get(f"{ADDRESS}/redoc").status_code == 404
