"""`betterthan rank`: formats, files, standard input, and every refusal as one message."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from betterthan import demo, explain
from tests.arenas import arena, rows

Run = Callable[..., Any]
ARENA = demo.path("arena.csv.gz")


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    columns = arena()
    path = tmp_path / "votes.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows(columns))]) + "\n")
    return path


def test_json_has_the_documented_shape(run: Run, votes: Path) -> None:
    answer = run("rank", votes, "--format", "json", "--resamples", "50")
    assert (answer.code, answer.err) == (0, "")
    document = json.loads(answer.out)
    assert list(document) == [
        "betterthan",
        "schema",
        "signature",
        "settings",
        "verdict",
        "evidence",
        "overview",
        "overall",
        "leaderboards",
        "disagreement",
        "changes",
        "read_as",
        "findings",
    ]
    assert document["evidence"] == {
        "kind": "judgments",
        "rows": 400,
        "refused": 0,
        "systems": 5,
        "items": 40,
        "judges": 7,
        "rankings": None,
        "groups": None,
        "judgments": 400.0,
        "effective_sample": document["evidence"]["effective_sample"],
        "wins": document["evidence"]["wins"],
        "ties": document["evidence"]["ties"],
        "lower_is_better": None,
        "conversion": None,
        "digest": document["evidence"]["digest"],
    }
    board = document["leaderboards"][0]
    assert board["model"] == "bradley-terry"
    assert board["settings"]["unit"] == "item+judge"
    assert board["fit"]["converged"] is True
    assert list(board["rows"][0]) == [
        "rank",
        "system",
        "score",
        "log_strength",
        "low",
        "high",
        "rank_low",
        "rank_high",
        "cluster",
        "p_best",
        "wins",
        "ties",
        "losses",
        "comparisons",
    ]
    assert list(board["first"]) == ["system", "p", "shown"]
    assert sum(row["score"] for row in board["rows"]) == pytest.approx(1000 * len(board["rows"]))
    first, *others = board["rows"]
    *names, last = [row["system"] for row in others if row["rank_low"] == 1]
    assert (
        document["verdict"]
        == board["verdict"]
        == f"{first['system']} ranks first, but not significantly: 95 % rank range 1–{first['rank_high']} "
        f"for items and judges like these; {', '.join(names)} and {last} may be best as well."
    )
    assert all(row["comparisons"] == row["wins"] + row["ties"] + row["losses"] for row in board["rows"])


def test_every_format_and_file_says_the_same(run: Run, votes: Path, tmp_path: Path) -> None:
    document = json.loads(run("rank", votes, "--format", "json", "--resamples", "50").out)
    expected = [(row["system"], row["score"]) for row in document["leaderboards"][0]["rows"]]
    printed = list(csv.DictReader(io.StringIO(run("rank", votes, "--format", "csv", "--resamples", "50").out)))
    assert [(row["system"], float(row["score"])) for row in printed] == expected
    for ending in ("json", "csv", "md", "tex", "html", "txt", "parquet"):
        answer = run("rank", votes, "-o", tmp_path / f"board.{ending}", "--resamples", "50")
        assert (answer.code, answer.out) == (0, "")
        told = answer.err if ending in {"csv", "parquet"} else (tmp_path / f"board.{ending}").read_text("utf-8")
        if ending != "json":  # what must be read with the rows is in the file, or said beside it
            for note in ("400 judgments", "few-units", "verb:rank"):
                assert note in told, ending
        assert (answer.err == "") == (ending not in {"csv", "parquet"})
    assert run("rank", votes, "-o", tmp_path / "board.csv", "--resamples", "50", "-q").err == ""
    assert json.loads((tmp_path / "board.json").read_text()) == document
    table = pq.read_table(tmp_path / "board.parquet").to_pydict()
    assert list(zip(table["system"], table["score"], strict=True)) == expected
    assert (tmp_path / "board.tex").read_text().startswith("\\begin{tabular}{rrlrlrrrr}\n\\toprule")
    assert (tmp_path / "board.md").read_text().startswith("| # | range | system | Elo | 95 % interval |")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_the_printed_signature_repeats_the_result(run: Run, votes: Path) -> None:
    first = run(
        "rank",
        votes,
        "--ties",
        "drop",
        "--scale",
        "elo",
        "--unit",
        "judge",
        "--seed",
        "5",
        "--resamples",
        "60",
        "--level",
        "0.9",
    )
    signature = first.out.splitlines()[-1]
    assert signature.startswith(
        "betterthan 0.2.0|verb:rank|evidence:judgments|model:bradley-terry|ties:drop|scale:elo|"
    )
    assert run("rank", votes, "--plan", signature) == first


def test_standard_input_and_globs(run: Run, votes: Path, tmp_path: Path) -> None:
    program = shutil.which("betterthan", path=str(Path(sys.executable).parent))
    assert program is not None
    piped = subprocess.run(
        [program, "rank", "-", "--format", "csv"], input=votes.read_bytes(), capture_output=True, check=True
    )
    assert piped.stdout.decode() == run("rank", votes, "--format", "csv").out
    lines = votes.read_text().splitlines(keepends=True)
    (tmp_path / "part-1.csv").write_text("".join(lines[:200]))
    (tmp_path / "part-2.csv").write_text("".join([lines[0], *lines[200:]]))
    assert run("rank", tmp_path / "part-*.csv", "--format", "csv").out == piped.stdout.decode()
    twice = run("rank", "-", "-")
    assert twice.err == "betterthan: standard input (-) was given twice, but it can be read only once. Give it once.\n"


def test_a_closed_pipe_is_no_error(votes: Path) -> None:
    program = Path(sys.executable).parent / "betterthan"
    answer = subprocess.run(
        f"'{program}' rank '{votes}' --format csv -q | head -c 10",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.stdout, answer.stderr) == ("rank,syste", "")


BAD_FILES: dict[str, tuple[bytes, str]] = {
    "empty.csv": (b"", "{}: the file is empty. Give a file with a header line and at least one row."),
    "header.csv": (
        b"left,right,winner\n",
        "{}: there are no rows. Give at least one row, and check --where if you gave it.",
    ),
    "ragged.csv": (
        b"left,right,winner\nowl,yak,a\nowl,yak\n",
        "{}, line 3: 2 columns instead of 3. Quote values that contain the delimiter, or leave out such lines with "
        "--on-error skip.",
    ),
    "latin.csv": (
        "left,right,winner\nowl,yäk,a\n".encode("latin-1"),
        "{}, line 2: the text is not UTF-8. Name its encoding, for example with --encoding latin-1.",
    ),
    "binary.csv": (
        b"left,right\x00\x01\x02\xff",
        "{}: is a binary file, not text; allowed: CSV, TSV, JSON, JSON lines, YAML, Parquet, Arrow, Excel, SQLite or "
        "DuckDB, also as .gz, .zst or .bz2 and in .zip or .tar. Check what the file is, or export it as CSV.",
    ),
    "bad.jsonl": (
        b'{"left": "owl", "right": "yak", "winner": "a"}\n{"left": "owl",\n',
        "{}, line 2: malformed JSON. Correct it; JSON lines can be left out with --on-error skip.",
    ),
    "twice.csv": (
        b"left,right,winner,winner\nowl,yak,a,b\n",
        "{}: the column winner is in the header more than once. Rename one of them.",
    ),
    "fake.parquet": (
        b"left,right,winner\nowl,yak,a\n",
        "{}: is not a parquet file, although its name says so. Rename it or write it again.",
    ),
    "fake.csv.gz": (
        b"left,right,winner\nowl,yak,a\n",
        "{}: is not gzip data, although its name says so. Rename it or compress it again.",
    ),
    "one.csv": (
        b"left,right,winner\nowl,owl,a\n",
        "{}, row 1: 'owl' is compared with itself. A judgment needs two different systems: correct or remove the row.",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_get_one_clear_message(run: Run, tmp_path: Path, name: str) -> None:
    content, message = BAD_FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    output = tmp_path / "board.json"
    answer = run("rank", path, "-o", output)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"betterthan: {message.format(path)}\n"
    assert not output.exists()


def test_damaged_files(run: Run, votes: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.parquet"
    run("convert", votes, "-o", whole)
    (tmp_path / "cut.parquet").write_bytes(whole.read_bytes()[:-100])
    cut = run("rank", tmp_path / "cut.parquet")
    assert cut.code == 2
    assert f"{tmp_path}/cut.parquet: cannot be read:" in cut.err
    (tmp_path / "cut.csv.gz").write_bytes(ARENA.read_bytes()[:2000])
    damaged = run("rank", tmp_path / "cut.csv.gz")
    assert damaged.code == 2
    assert "cut.csv.gz" in damaged.err
    assert "Traceback" not in cut.err + damaged.err


def test_wrong_places(run: Run, votes: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("rank", empty).err == f"betterthan: {empty}: the folder holds no files. Check the path.\n"
    (empty / "notes.txt").write_text("nothing to rank")
    assert run("rank", empty).err.startswith(
        f"betterthan: {empty}/notes.txt: cannot tell what kind of evidence this is; its columns are 'nothing to rank'."
    )
    assert (
        run("rank", tmp_path / "votess.csv").err
        == f"betterthan: {tmp_path}/votess.csv: no such file. Did you mean {votes}?\n"
    )
    assert run("rank", tmp_path / "*.tsv").err.startswith(f"betterthan: {tmp_path}/*.tsv: the pattern matches no file.")
    assert f"there is no folder {tmp_path}/none." in run("rank", votes, "-o", tmp_path / "none" / "board.json").err
    assert "cannot tell the format from its ending" in run("rank", votes, "-o", tmp_path / "board.xyz").err
    assert run("rank", votes, "--unit", "ranking").err.startswith(f"betterthan: {votes}: there is no ranking column")
    assert run("rank", votes, "--bogus").code == 2
    assert run("rank").code == 2


def test_skipped_rows_are_counted_and_reported(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(
        "left,right,winner\nowl,yak,a\nyak,owl,a\nowl,yak\nowl,owl,a\nowl,,a\nowl,yak,perhaps\nowl,yak,tie,extra\n"
    )
    document = json.loads(run("rank", path, "--on-error", "skip-most", "--format", "json", "--ci", "none").out)
    assert (document["evidence"]["rows"], document["evidence"]["refused"]) == (7, 5)
    assert document["findings"][0] == {
        "code": "refused-rows",
        "level": "warning",
        "hint": "Check that leaving them out does not bias the result.",
        "message": "5 of 7 rows were left out: unreadable line 2, missing name 1, against itself 1, unknown outcome 1.",
        "value": 5.0,
        "numbers": {
            "refused": 5,
            "read": 7,
            "reasons": "unreadable line 2, missing name 1, against itself 1, unknown outcome 1",
        },
        "title": "Some rows were left out",
        "why": explain("refused-rows").why,
    }


def test_an_error_of_ours_is_not_a_traceback(run: Run, votes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("betterthan.rank", broken)
    answer = run("rank", votes)
    assert answer.code == 3
    assert answer.err == (
        "betterthan: an error of betterthan itself, RuntimeError: boom. Please report it with the command you ran; "
        "BETTERTHAN_DEBUG=1 shows the details.\n"
    )


def test_interruption(run: Run, votes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("betterthan.rank", stopped)
    assert run("rank", votes) == (130, "", "\nbetterthan: stopped; nothing was written.\n")


def test_the_table_fits_eighty_columns(votes: Path) -> None:
    """Seen through a real terminal of 80 columns; names keep their room, further columns give way."""
    program = str(Path(sys.executable).parent / "betterthan")
    long = votes.with_name("long.csv")
    long.write_text(votes.read_text().replace("owl", "a-system-with-a-rather-long-name-v2"))
    for path in (votes, long):
        master, slave = os.openpty()
        environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
        subprocess.run([program, "rank", str(path), "--quiet", "--no-color"], stdout=slave, env=environment, check=True)
        os.close(slave)
        shown = os.read(master, 100_000).decode().replace("\r\n", "\n")
        os.close(master)
        lines = shown.strip("\n").split("\n")
        assert all(len(line) <= 80 for line in lines[:-1]), shown
        assert "a-system-with-a-rath" in shown or path == votes


def test_factors_are_two_columns(run: Run) -> None:
    answer = run("rank", "examples/prompts.csv", "--factors", "model,prompt", "--resamples", "100")
    assert answer.code == 0
    assert answer.out.startswith("By model, for prompts like these: ")
    for said, message in (
        (("--factors", "model"), "--factors names two columns, such as model,prompt, got 'model'."),
        (("--factors", "model,prompt", "--judge", "prompt"), "--factors and --judge contradict each other."),
    ):
        answer = run("rank", "examples/prompts.csv", *said)
        assert answer.code == 2
        assert message in answer.err
