"""A leaderboard that is kept in a file: written whole or not at all, and refused when it is damaged."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import betterthan as bt
from betterthan.cli.main import main

HEADER = "item,judge,left,right,winner\n"
FIRST = HEADER + "".join(f"i{n % 7},j{n % 3},owl,{'yak' if n % 2 else 'elk'},{'aab'[n % 3]}\n" for n in range(40))
SECOND = HEADER + "".join(f"i{n % 9},j{n % 4},yak,{'bee' if n % 2 else 'elk'},{'ab'[n % 2]}\n" for n in range(20))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("one.csv").write_text(FIRST)
    Path("two.csv").write_text(SECOND)
    return tmp_path


def _run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main([*arguments])
    return int(left.value.code or 0)


def test_every_week_only_the_new_file_is_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = ("--resamples", "50", "--unit", "item", "-q")
    assert _run("rank", "one.csv", "--state", "board.duckdb", *said) == 0
    Path("one.csv").unlink()
    capsys.readouterr()
    assert _run("rank", "two.csv", "--state", "board.duckdb", "-q") == 0
    weekly = capsys.readouterr().out
    assert _run("rank", "--state", "board.duckdb", "-q") == 0  # what is known, ranked again
    assert capsys.readouterr().out == weekly
    Path("one.csv").write_text(FIRST)
    assert _run("rank", "one.csv", "two.csv", *said) == 0
    assert capsys.readouterr().out == weekly
    assert sorted(os.listdir(folder)) == ["board.duckdb", "one.csv", "two.csv"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["one.csv", "--state", "board.duckdb"],
            "one.csv: these 40 judgments were added already, as one.csv. Leave "
            "them out. To count the same judgments twice, pass --again.",
        ),
        (
            ["two.csv", "--state", "board.duckdb", "--model", "elo"],
            "--model elo differs from the state, which was made "
            "with --model bradley-terry. Leave out --model, or begin another state.",
        ),
        (["--state", "other.duckdb"], "other.duckdb: there is no such file. Check the name of the state."),
        (["two.csv", "--again"], "--again is for judgments that are added to a state. Name it with --state."),
        ([], "Missing argument 'FILE...'."),
    ],
)
def test_refusals_leave_the_state_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert _run("rank", "one.csv", "--state", "board.duckdb", "--ci", "none", "-q") == 0
    before = Path("board.duckdb").read_bytes()
    capsys.readouterr()
    assert _run("rank", *arguments) == 2
    assert capsys.readouterr().err == f"betterthan: {sentence}\n"
    assert Path("board.duckdb").read_bytes() == before
    assert sorted(os.listdir(folder)) == ["board.duckdb", "one.csv", "two.csv"]


def test_a_process_that_is_killed_before_the_end_changes_nothing(folder: Path) -> None:
    bt.rank("one.csv", ci="none").save_state("board.duckdb")
    before = Path("board.duckdb").read_bytes()
    # The new file is whole and in its place beside the old one, and the process dies instead of moving it.
    code = (
        "import os, signal\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from betterthan.cli.main import main\n"
        "main(['rank', 'two.csv', '--state', 'board.duckdb', '-q'])"
    )
    killed = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert Path("board.duckdb").read_bytes() == before
    boards = bt.rank("two.csv", state="board.duckdb", ci="none")
    assert boards.board.evidence == bt.rank(["one.csv", "two.csv"], ci="none").board.evidence


DAMAGED = "board.duckdb: is damaged, or is no state that betterthan saved. Restore a copy, or make it again from all judgments."


def _cut(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:9000])


def _sql(*statements: str):  # type: ignore[no-untyped-def]
    def change(place: Path) -> None:
        with duckdb.connect(str(place)) as connection:
            for statement in statements:
                connection.execute(statement)

    return change


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (_cut, DAMAGED),
        (lambda place: place.write_text("left,right,winner\n"), DAMAGED),
        (_sql("UPDATE pairs SET times = times + 1"), DAMAGED),
        (_sql("DELETE FROM judgments WHERE item = 'i1'"), DAMAGED),
        (_sql("DROP TABLE added"), DAMAGED),
        (
            _sql("UPDATE about SET value = '2' WHERE name = 'version'"),
            "board.duckdb: a later version of betterthan "
            "wrote this state (layout 2, this one reads 1). Update betterthan.",
        ),
    ],
)
def test_a_damaged_state_is_refused(folder: Path, damage, sentence: str) -> None:  # type: ignore[no-untyped-def]
    bt.rank("one.csv", ci="none").save_state("board.duckdb")
    damage(Path("board.duckdb"))
    with pytest.raises(bt.EvidenceError) as refused:
        bt.load_state("board.duckdb")
    assert str(refused.value) == sentence


def test_two_writers_do_not_lose_each_others_judgments(folder: Path) -> None:
    bt.rank("one.csv", ci="none").save_state("board.duckdb")
    slow = bt.load_state("board.duckdb").add(bt.read("two.csv"))
    bt.rank("two.csv", state="board.duckdb", ci="none")
    with pytest.raises(bt.EvidenceError) as refused:
        bt.rank(slow, ci="none").save_state("board.duckdb")
    assert str(refused.value) == "board.duckdb: the state was changed while it was in use. Load it and add again."
