"""Files: uploads in a folder of their own, wrong ones told as on the command line, changes on the disk seen."""

import gzip
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from betterthan.base.errors import BetterthanError
from betterthan.cli.main import betterthan
from betterthan.web.workbench.open_files import Files
from tests.web.workbench.conftest import EXAMPLES, Visitor

VOTES = (EXAMPLES / "votes.csv").read_bytes()
WRONG = {
    "empty.csv": b"",
    "ragged.csv": b"left,right,winner\nowl,yak,a\nowl,yak\n",
    "unknown.csv": b"left,right,winner\nowl,yak,perhaps\n",
    "columns.csv": b"a,b\n1,2\n",
    "binary.parquet": b"PAR1 is not all\0\1\2",
    "cut.csv.gz": gzip.compress(VOTES)[:200],
    "damaged.json": b'{"left": [',
    "latin.csv": "left,right,winner\nowl,yäk,a\n".encode("latin-1"),
    "sheet.xlsx": b"PK\3\4 no sheet",
    "base.sqlite": b"SQLite format 3\0 no base",
    "unknown.ending": b"\0\1\2\3",
}


def said_by_the_command_line(place: Path, *options: str) -> str:
    with pytest.raises(BetterthanError) as refused:
        CliRunner().invoke(betterthan, ["rank", str(place), *options], catch_exceptions=False, standalone_mode=False)
    return str(refused.value)


@pytest.mark.parametrize("name", WRONG)
def test_wrong_files_get_the_message_of_the_command_line(
    votes: Visitor, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_bytes(WRONG[name])
    monkeypatch.chdir(tmp_path)
    found = votes.upload(name, WRONG[name])
    for panel in ("data", "board", "pairs", "diagnosis", "code"):
        answer = votes.panel(panel, files=[found["key"]])
        assert answer["error"] == said_by_the_command_line(Path(name)), panel
    votes.post("/forget", {"key": found["key"]})


def test_wrong_options_get_the_message_of_the_command_line(votes: Visitor) -> None:
    place = EXAMPLES / "votes.csv"
    for flag, group, name, value in (
        ("--model", "rank", "model", "bradly"),
        ("--level", "rank", "level", "95"),
        ("--outcome", "read", "outcome", "x"),
        ("--where", "read", "where", "nothing=1"),
        ("--anchor", "rank", "anchor", "nobody"),
    ):
        shown = votes.panel("board", **{group: {name: value}})["error"]
        assert shown == said_by_the_command_line(place, flag, value)
    assert (
        votes.panel("board", rank={"resamples": "many"})["error"] == "--resamples must be a whole number, got 'many'."
    )


def test_wrong_columns_are_corrected(votes: Visitor) -> None:
    found = votes.upload("odd.csv", b"x,y,z,who\nowl,yak,a,1\nyak,owl,a,1\nowl,yak,a,2\nowl,yak,b,2\n")
    first = votes.panel("data", files=[found["key"]])
    assert first["error"]
    assert first["columns"] == ["x", "y", "z", "who"]  # to choose from
    read = {"left": "x", "right": "y", "outcome": "z", "judge": "who"}
    second = votes.panel("data", files=[found["key"]], read=read)
    assert second["systems"] == ["owl", "yak"]
    assert "left = x, right = y, outcome = z" in second["html"]
    code = votes.download("code.py", files=[found["key"]], read=read).text
    assert "bt.read('odd.csv', left='x', right='y', outcome='z', judge='who')" in code
    assert str(votes.session.files.folder) not in code


def test_rows_that_were_left_out_are_counted(votes: Visitor) -> None:
    found = votes.upload("bad.csv", b"left,right,winner\nowl,yak,a\nowl,,a\nyak,owl,b\nowl,yak,perhaps\n")
    shown = votes.panel("data", files=[found["key"]], read={"on_error": "skip"})["html"]
    assert "4 rows read, 2 kept, 2 refused." in shown


def test_several_files_are_one_evidence(votes: Visitor) -> None:
    head, *rows = VOTES.splitlines(keepends=True)
    keys = [
        votes.upload(name, head + b"".join(part))["key"]
        for name, part in (("one.csv", rows[:400]), ("two.csv", rows[400:]))
    ]
    both = votes.download("board.csv", files=keys, rank={"ci": "none"}).text
    assert both == votes.download("board.csv", rank={"ci": "none"}).text
    commands = votes.download("code.sh", files=keys, a="aurora", b="birch").text
    assert "betterthan rank one.csv two.csv\n" in commands
    assert "takes two systems of one file, and there are 2" in commands


def test_a_joined_file_is_an_open_one(votes: Visitor) -> None:
    table = votes.upload(
        "langs.csv",
        b"prompt_id,lang\n"
        + b"".join(
            f"{row.split(b',')[0].decode()},{'de' if number % 2 else 'en'}\n".encode()
            for number, row in enumerate(sorted({line.split(b",")[0] for line in VOTES.splitlines()[1:]}))
        ),
    )
    head = VOTES.splitlines()[0].decode().split(",")
    assert head[0] == "prompt_id"
    read = {"join": table["key"], "on": "prompt_id", "where": "lang=de"}
    found = votes.panel("data", read=read)
    assert "error" not in found
    assert "join='langs.csv'" in votes.download("code.py", read=read).text


def test_a_file_that_changes_is_read_again(opened: Callable[..., Visitor], tmp_path: Path) -> None:
    place = tmp_path / "growing.csv"
    place.write_text("left,right,winner\nowl,yak,a\nyak,owl,a\n", encoding="utf-8")
    visitor = opened(place)
    assert "2 rows read" in visitor.panel("data")["html"]
    place.write_text(place.read_text(encoding="utf-8") + "owl,yak,b\n", encoding="utf-8")
    os.utime(place, ns=(time.time_ns(), time.time_ns() + 10**9))
    assert "3 rows read" in visitor.panel("data")["html"]


def test_uploads_are_bounded_and_leave_nothing(opened: Callable[..., Visitor]) -> None:
    visitor = opened(most_bytes=10_000)
    folder = visitor.session.files.folder
    assert visitor.upload("fits.csv", b"x" * 6_000)["name"] == "fits.csv"

    def blocks() -> Any:  # more than is left, in a body whose length is not said
        for _ in range(9):
            yield b"y" * 1_000

    answer = visitor.client.post("/upload?name=large.csv", content=blocks()).json()
    assert answer["error"].startswith("uploads may have")
    assert [place.name for place in folder.rglob("*.csv")] == ["fits.csv"]
    assert visitor.client.post("/upload?name=huge.csv", content=b"z" * 20_000).status_code == 413
    half = visitor.session.files.begin("half.csv")
    half.write(b"x" * 3_000)
    half.discard()
    assert visitor.upload("also.csv", b"x" * 3_000)["name"] == "also.csv"  # what was refused takes no room
    visitor.session.close()
    assert not folder.exists()


def test_files_of_the_command_line_are_closed_and_not_removed(opened: Callable[..., Visitor], tmp_path: Path) -> None:
    place = tmp_path / "mine.csv"
    place.write_bytes(VOTES)
    visitor = opened(place)
    visitor.post("/forget", {"key": "f1"})
    assert place.read_bytes() == VOTES
    assert "not open any more" in visitor.panel("data")["error"]


def test_an_upload_that_breaks_off_leaves_nothing(votes: Visitor) -> None:
    folder = votes.session.files.folder
    before = set(folder.iterdir())
    with socket.create_connection(votes.base.removeprefix("http://").split(":")) as line:
        cookie = "; ".join(f"{name}={value}" for name, value in votes.client.cookies.items())
        head = f"POST /upload?name=half.csv HTTP/1.1\r\nHost: {votes.base.removeprefix('http://')}\r\nOrigin: {votes.base}\r\n"
        line.sendall(f"{head}Cookie: {cookie}\r\nContent-Length: 100000\r\n\r\n".encode() + b"x" * 50_000)
        while set(folder.iterdir()) == before:
            pass  # until the server has begun with it
    while set(folder.iterdir()) != before:
        pass  # until it has seen the end
    assert "half.csv" not in [file.name for file in votes.session.files.all()]


def test_without_a_file_the_page_says_what_to_do(votes: Visitor) -> None:
    assert votes.panel("board", files=[])["error"] == "no file is chosen. Drop a file on the page, or choose one."


def test_standard_input_is_refused() -> None:
    with pytest.raises(BetterthanError, match="which standard input cannot offer"):
        Files(["-"])
