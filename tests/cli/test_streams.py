"""Where results go when that place is full, closed, left, or the evidence itself; and what a signal leaves behind."""

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from betterthan.base.errors import BetterthanError
from betterthan.engine.files import decompression as unpack
from betterthan.present import atomic_files
from betterthan.present import atomic_files as whole

Run = Callable[..., Any]
VOTES, SCORES = "examples/votes.csv", "examples/scores.csv"
RANK = ("rank", VOTES, "--ci", "none")


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    """Evidence that a test may try to overwrite."""
    place = tmp_path / "votes.csv"
    place.write_bytes(Path(VOTES).read_bytes())
    return place


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that nobody else uses."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_evidence_is_never_overwritten(run: Run, votes: Path) -> None:
    content = votes.read_bytes()
    folder = votes.parent
    (folder / "link.csv").symlink_to(votes)
    (folder / "hard.csv").hardlink_to(votes)
    for read, written in [
        (votes, votes),
        (votes, folder / "link.csv"),
        (folder / "link.csv", votes),
        (votes, folder / "hard.csv"),
        (folder / "v*.csv", votes),
        (folder, votes),
        (folder / "**/*.csv", folder / "." / "votes.csv"),
    ]:
        for verb in (("rank",), ("convert",), ("compare", "--all"), ("diagnose",)):
            answer = run(*verb, read, "-o", written)
            assert (answer.code, answer.out) == (2, "")
            assert answer.err == (
                f"betterthan: {written}: this file is read, so the output would overwrite it. "
                "Choose another place with -o.\n"
            )
    for more in (("--join", votes, "--on", "item"), ("--state", votes), ("--plan", votes)):
        assert "this file is read" in run("rank", VOTES, *more, "-o", votes).err
    assert votes.read_bytes() == content
    assert run("rank", votes, "--ci", "none", "-o", folder / "board.csv").code == 0
    assert run("rank", votes, "--ci", "none", "-o", folder / "board.csv").code == 0, "a result may be replaced"


@pytest.mark.parametrize("ending", [".csv", ".json", ".jsonl", ".parquet", ".html", ".tex"])
def test_a_full_disk_leaves_the_old_file(run: Run, tmp_path: Path, ending: str) -> None:
    place = tmp_path / f"board{ending}"
    place.write_text("old", encoding="utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        answer = run(*RANK, "-q", "-o", place)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert answer.code == 2
    assert (
        answer.err == f"betterthan: {place}: cannot be written: File too large. Choose another place, or make room.\n"
    )
    assert place.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_full_device_and_a_folder_that_vanishes(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = run(*RANK, "-q", "--format", "csv", "-o", "/dev/full")
    said = "betterthan: /dev/full: cannot be written: No space left on device. Choose another place, or make room.\n"
    assert (answer.code, answer.err) == (2, said)
    folder = tmp_path / "folder"
    folder.mkdir()

    def gone() -> int:
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()
        return 0o022

    monkeypatch.setattr(whole, "_umask", gone)
    answer = run(*RANK, "-q", "-o", folder / "board.csv")
    assert answer.code == 2
    assert "cannot be written: No such file or directory. Choose another place, or make room.\n" in answer.err


def test_standard_output_that_is_full_closed_or_left(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, open("/dev/full", "w", encoding="utf-8") as full:
        patch.setattr(sys, "stdout", full)
        answer = run(*RANK)
        assert (answer.code, answer.err) == (2, "betterthan: standard output: No space left on device.\n")
    for verb in (RANK, ("--help",), ("explain",)):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", None)
            answer = run(*verb)
        said = "betterthan: standard output is closed. Write to a file with -o, or to /dev/null.\n"
        assert (answer.code, answer.err) == (2, said)
    for verb in (RANK, (*RANK, "--format", "json"), ("rank", "--help"), ("rank", "--models")):
        reading, writing = os.pipe()
        os.close(reading)
        with monkeypatch.context() as patch, os.fdopen(writing, "w") as left:
            patch.setattr(sys, "stdout", left)
            answer = run(*verb)
        assert (answer.code, answer.err) == (0, "")


def test_standard_error_that_is_full_or_closed_loses_no_result(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = run(*RANK, "--format", "csv").out
    with monkeypatch.context() as patch, open("/dev/full", "w", encoding="utf-8") as full:
        patch.setattr(sys, "stderr", full)
        answer = run(*RANK, "--format", "csv")
        assert (answer.code, answer.out) == (0, wanted)
        assert run("rank", "nowhere.csv").code == 2
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        answer = run(*RANK, "--format", "csv")
    assert (answer.code, answer.out) == (0, wanted)


def test_another_broken_pipe_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a reader of standard output that has seen enough is none."""

    def broken(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe", "somewhere")

    monkeypatch.setattr("betterthan.read", broken)
    answer = run(*RANK)
    assert (answer.code, answer.out, answer.err) == (2, "", "betterthan: somewhere: Broken pipe.\n")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_while_a_file_is_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, code: int
) -> None:
    place = tmp_path / "votes.csv"
    place.write_text("old", encoding="utf-8")
    before = signal.getsignal(number)
    seen: list[Path] = []

    def stopped(self: Path, target: Path) -> None:
        assert (self.is_file(), self.parent, target) == (True, tmp_path, place)
        seen.extend(tmp_path.glob("*.csv"))  # what a pattern finds meanwhile
        signal.raise_signal(number)

    monkeypatch.setattr(Path, "replace", stopped)
    for verb in ("rank", "convert"):
        answer = run(verb, VOTES, "-q", "-o", place)
        assert (answer.code, answer.err.strip()) == (code, "betterthan: stopped; nothing was written.")
        assert list(tmp_path.iterdir()) == [place]
        assert place.read_text(encoding="utf-8") == "old"
    assert seen == [place, place]
    assert signal.getsignal(number) is before


def test_a_signal_while_data_is_unpacked(run: Run, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another error that a library makes of it changes nothing."""
    counted = unpack.Meter.counted

    def stopped(self: unpack.Meter, parts: Any) -> Iterator[bytes]:
        for part in counted(self, parts):
            assert len(list(temporary.iterdir())) == 1
            try:
                signal.raise_signal(signal.SIGTERM)
            except KeyboardInterrupt:
                raise RuntimeError("Query interrupted") from None
            yield part

    monkeypatch.setattr(unpack.Meter, "counted", stopped)
    answer = run("rank", "src/betterthan/demo/arena.csv.gz")
    assert (answer.code, answer.err) == (143, "betterthan: stopped; nothing was written.\n")
    assert list(temporary.iterdir()) == []


def test_workers_end_with_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "betterthan", "select", VOTES, "--repeats", "200", "-o", str(tmp_path / "a.json")]
    own = tmp_path / "temporary"
    own.mkdir()
    process = subprocess.Popen(
        command, env={**os.environ, "TMPDIR": str(own)}, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    while len(_members(process.pid)) < 3:  # itself, its tracker of resources, and a worker
        assert process.poll() is None
        time.sleep(0.05)
    process.terminate()
    assert process.communicate(timeout=60)[1].endswith("betterthan: stopped; nothing was written.\n")
    assert process.returncode == 143
    while _members(process.pid):  # a test that hangs is ended
        time.sleep(0.05)
    assert list(own.iterdir()) == []
    assert list(tmp_path.iterdir()) == [own]


def _members(session: int) -> list[str]:
    """Return the processes of a session that are alive."""
    found = []
    for about in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, state = (
                about.parent.name,
                about.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split(),
            )
        except OSError:  # it ended meanwhile
            continue
        if int(state[3]) == session and state[0] != "Z":
            found.append(name)
    return found


def test_of_several_writers_one_wins_whole(tmp_path: Path) -> None:
    place = tmp_path / "board.csv"
    texts = [letter * 200_000 for letter in "abcd"]
    atomic_files.write_text(place, texts[0])
    threads = [
        threading.Thread(target=lambda text=text: [atomic_files.write_text(place, text) for _ in range(10)])
        for text in texts
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert place.read_text(encoding="utf-8") in texts
    assert list(tmp_path.iterdir()) == [place]


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(BetterthanError, match="cannot be written"):
        atomic_files.write_text(tmp_path / "a\0b.csv", "")
    with pytest.raises(BetterthanError, match="File name too long"):
        atomic_files.write_text(tmp_path / ("x" * 300), "")


def test_a_process_that_ends_at_once_leaves_no_file_and_loses_no_line(tmp_path: Path) -> None:
    """Modules are not taken apart at the end, but temporary files are removed and all lines are written."""
    packed, temporary = tmp_path / "votes.csv.gz", tmp_path / "temporary"
    packed.write_bytes(gzip.compress(Path(VOTES).read_bytes()))
    temporary.mkdir()
    # DuckDB makes its folder for large tables while it works, and would remove it when it is taken apart.
    program = (
        "from pathlib import Path; from betterthan.engine.duckdb import file_table, connection\n"
        "def connect(*given, spilled, **named):\n"
        "    spilled.mkdir()\n"
        "    return connection.connect(*given, spilled=spilled, **named)\n"
        "file_table.connect = connect\n"
        "from betterthan.cli import main; main()"
    )
    command = [sys.executable, "-c", program, "rank", str(packed), "--ci", "none", "--format", "json"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    assert len(json.loads(found.stdout)["leaderboards"][0]["rows"]) == 6
    assert list(temporary.iterdir()) == []
    command[4] = "missing.csv"
    assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 2
