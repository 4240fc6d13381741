"""Nothing is reachable without the token, from another origin, or beyond the open files."""

import json
from pathlib import Path

import httpx
import pytest

from tests.web.workbench.conftest import Visitor

PATHS = (
    ("GET", "/"),
    ("GET", "/static/workbench.js"),
    ("GET", "/static/workbench.css"),
    ("POST", "/panel/board"),
    ("POST", "/download/board.csv"),
    ("POST", "/upload?name=x.csv"),
    ("POST", "/forget"),
    ("GET", "/nowhere"),
)


def stranger(visitor: Visitor, method: str, path: str, **headers: str) -> httpx.Response:
    """Ask without the cookie, with headers of one's own."""
    with httpx.Client(base_url=visitor.base) as client:
        return client.request(method, path, headers=headers, content=b"{}" if method == "POST" else None)


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_nothing_is_said_without_the_token(votes: Visitor, method: str, path: str) -> None:
    own = {"Origin": votes.base, "Content-Type": "application/json"}
    for headers in (own, {**own, "Cookie": f"betterthan-{votes.base.rpartition(':')[2]}=guessed"}):
        answer = stranger(votes, method, path, **headers)
        assert answer.status_code == 403
        assert "aurora" not in answer.text
        assert "votes" not in answer.text


def test_a_wrong_token_is_no_token(votes: Visitor) -> None:
    assert stranger(votes, "GET", "/?token=guessed").status_code == 403
    assert stranger(votes, "GET", f"/static/workbench.js?{votes.address.partition('?')[2]}").status_code == 403


def test_the_token_becomes_a_cookie_that_scripts_cannot_read(votes: Visitor) -> None:
    answer = stranger(votes, "GET", "/?" + votes.address.partition("?")[2])
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{port}", ""])
def test_other_hosts_are_refused_also_with_the_cookie(votes: Visitor, host: str) -> None:
    host = host.format(port=votes.base.rpartition(":")[2])
    answer = votes.client.get("/", headers={"Host": host})
    assert answer.status_code in {400, 421}
    # The token in the address does not help a name that was bound to this machine.
    assert votes.client.get(votes.address, headers={"Host": host}).status_code in {400, 421}


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "", None])
def test_writes_from_other_origins_are_refused(votes: Visitor, origin: str | None) -> None:
    for method, path in PATHS:
        if method == "GET":
            continue
        request = votes.client.build_request(method, path, json={"state": {"files": ["f1"]}})
        del request.headers["Origin"]
        if origin is not None:
            request.headers["Origin"] = origin
        answer = votes.client.send(request)
        assert answer.status_code == 403
        assert "aurora" not in answer.text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_and_ports_cannot_embed_anything(votes: Visitor, site: str) -> None:
    assert votes.client.get("/static/workbench.js", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert votes.client.get("/static/workbench.js", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_every_answer_has_a_strict_policy(votes: Visitor) -> None:
    for answer in (votes.client.get("/"), votes.client.get("/nowhere"), stranger(votes, "GET", "/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "connect-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "key", ["/etc/passwd", "../../etc/passwd", "f99", "file:///etc/passwd", "examples/votes.csv", ""]
)
def test_no_path_of_the_disk_can_be_named(votes: Visitor, key: str) -> None:
    assert "not open" in votes.panel("data", files=[key])["error"]
    for group, name in (("read", "join"), ("report", "brand")):
        told = votes.download("report.html", **{group: {name: key}}).json() if key else {"error": "not open"}
        assert "not open" in told["error"]


def test_options_that_are_not_on_the_command_line_cannot_be_set(votes: Visitor, tmp_path: Path) -> None:
    place = tmp_path / "stolen.html"
    for group, options in (("report", {"path": str(place)}), ("rank", {"plan": "x.toml"}), ("plot", {"data_set": "x"})):
        assert "unknown options" in votes.panel("board", **{group: options})["error"]
    assert not place.exists()


@pytest.mark.parametrize(
    "name",
    ["../../../outside.csv", "/etc/outside.csv", "..", "", "a\0b.csv", "C:\\x\\outside.csv", "x" * 3000 + ".csv"],
)
def test_uploads_stay_in_their_folder(votes: Visitor, name: str) -> None:
    found = votes.upload(name, b"left,right,winner\nowl,yak,a\n")
    place = Path(votes.session.files[found["key"]].path).resolve()
    assert place.is_relative_to(votes.session.files.folder.resolve())
    assert place.stat().st_mode & 0o077 == 0 or place.parent.stat().st_mode & 0o077 == 0
    votes.post("/forget", {"key": found["key"]})
    assert not place.exists()


def test_what_is_sent_is_bounded(votes: Visitor) -> None:
    assert votes.client.post("/panel/board", json={"state": "x" * 2_000_000}).status_code == 413

    def blocks():  # without a length that is said beforehand
        for _ in range(3):
            yield b" " * 500_000

    answer = votes.client.post("/panel/board", content=blocks(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "{",
        '{"state": 5}',
        '{"state": {"read": 5}}',
        '{"state": {"files": "f1"}}',
        '{"state": {"rank": {"model": 5}}}',
        "[" * 100_000,
    ],
)
def test_nonsense_is_answered_in_a_sentence(votes: Visitor, body: str) -> None:
    answer = votes.client.post("/panel/board", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400 or "error" in answer.json()
    assert "Traceback" not in answer.text
    # A form of another page cannot say that it is JSON.
    assert votes.client.post("/panel/board", content=body).status_code == 415


def test_names_are_never_markup(votes: Visitor) -> None:
    evil = "<script>alert(1)</script>"
    rows = f"{evil},yak,a,{evil}\nyak,{evil},a,{evil}\n{evil},yak,b,2\n" * 3
    file = votes.upload(f"{evil}.csv", f"left,right,winner,<b>bold\n{rows}".encode())
    state = {"files": [file["key"]], "a": evil, "b": "yak", "rank": {"ci": "none"}}
    for panel in ("data", "board", "pairs", "duel", "diagnosis", "code"):
        shown = votes.panel(panel, **state)["html"]
        assert "<script" not in shown
        assert "<b>bold" not in shown
    assert "&lt;script&gt;" in votes.panel("board", **state)["html"]
    assert "<script>alert" not in votes.client.get("/").text


def test_the_page_loads_nothing_from_elsewhere(votes: Visitor) -> None:
    for path in ("/", "/static/workbench.js", "/static/workbench.css"):
        text = votes.client.get(path).text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text
        assert "https://" not in text
    assert json.loads(votes.post("/panel/data", {"state": {"files": ["f1"]}}).text)["kind"] == "judgments"
