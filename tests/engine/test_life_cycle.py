"""Tables are closed, shared by threads, copied and pickled; what they unpacked goes with them."""

import copy
import gc
import gzip
import io
import pickle
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

import betterthan as bt
from betterthan.base.memo import Memo
from betterthan.readers.open_tables import open_table
from tests.arenas import arena

THREADS = 8
ARENA = arena()


def _written(folder: Path, name: str) -> Path:
    path = folder / name
    frame = pd.DataFrame(ARENA)
    if name.endswith(".parquet"):
        frame.to_parquet(path)
    elif name.endswith(".arrow"):
        pyarrow.feather.write_feather(pa.Table.from_pandas(frame), path, compression="uncompressed")
    elif name.endswith(".jsonl"):
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_csv(path, index=False)
    return path


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _at_once(work: Callable[[int], Any]) -> list[Any]:
    together = Barrier(THREADS)

    def begin(number: int) -> Any:
        together.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


@pytest.mark.parametrize("name", ["votes.csv", "votes.csv.gz", "votes.jsonl", "votes.parquet", "votes.arrow"])
def test_threads_share_the_evidence_of_a_file(name: str, tmp_path: Path) -> None:
    evidence = bt.read_judgments(_written(tmp_path, name))
    questions: list[Callable[[], Any]] = [
        evidence.tally,
        lambda: evidence.tally("item"),
        lambda: evidence.tally("item", order="file"),
        lambda: evidence.unit_sizes,
    ]
    answers = _at_once(lambda number: questions[number % len(questions)]())
    other = bt.read_judgments(ARENA)
    assert answers[3] == answers[7] == other.unit_sizes
    for number in range(3):
        assert answers[number] is answers[number + 4]  # worked out once
        counted = answers[number].times.sum()
        assert counted == len(ARENA["model_a"])
    assert np.array_equal(answers[2].left, other.tally("item", order="file").left)


def test_threads_share_a_relation_and_a_table() -> None:
    with duckdb.connect() as connection:
        connection.register("arena", pa.table(ARENA))
        table = open_table(connection.sql("SELECT * FROM arena"))
        found = _at_once(lambda number: table.rows(["model_a", "judge" if number % 2 else "model_b"]).columns)
        assert all(answer["model_a"] == found[0]["model_a"] for answer in found)


def test_an_answer_is_worked_out_once() -> None:
    once, worked = Memo(), []
    assert _at_once(lambda _: once("key", lambda: worked.append(1))) == [None] * THREADS
    assert worked == [1]
    with pytest.raises(ZeroDivisionError):
        once("other", lambda: 1 / 0)
    assert once("other", lambda: 2) == 2  # a failure is no answer
    assert pickle.loads(pickle.dumps(once)).known() == copy.deepcopy(once).known() == ()


def test_a_hundred_reads_leave_no_temporary_file(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(gzip.compress(b"left,right,winner\nowl,yak,a\nyak,owl,a\n"))
    for _ in range(100):
        bt.read(path).tally()
    gc.collect()
    assert list(temporary.iterdir()) == []


def test_files_of_scores_and_rankings_are_closed_when_they_were_read(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(b"item,owl,yak\n1,0.5,0.25\n"))
    scores, again = bt.read(path), bt.read_scores(path)
    assert list(temporary.iterdir()) == []
    assert scores == again


def test_a_closed_table_says_so_and_leaves_nothing(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(gzip.compress("left,right,winner\nöwl,yak,a\nyak,öwl,a\n".encode("latin-1")))
    with bt.read_judgments(path, encoding="latin-1") as evidence:
        known = evidence.tally()
        assert list(temporary.iterdir()) != []
    assert list(temporary.iterdir()) == []
    assert evidence.tally() is known
    with pytest.raises(bt.EvidenceError) as refusal:
        evidence.tally(order="file")
    assert str(refusal.value) == f"{path}: was closed. Read it again."
    evidence.close()  # twice is no mistake


def test_refused_files_leave_nothing(tmp_path: Path, temporary: Path) -> None:
    good = tmp_path / "good.csv.gz"
    good.write_bytes(gzip.compress(b"left,right,winner\nowl,yak,a\n"))
    bad = tmp_path / "bad.csv.gz"
    bad.write_bytes(gzip.compress(b"a,a\n1,2\n"))
    for wrong in ([good, bad], [good, tmp_path / "none.csv"]):
        with pytest.raises(bt.EvidenceError):
            bt.read(wrong)
    assert list(temporary.iterdir()) == []


def test_the_end_of_the_process_removes_what_is_still_open(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "votes.csv.gz"
    path.write_bytes(gzip.compress(b"left,right,winner\nowl,yak,a\n"))
    code = f"import tempfile; tempfile.tempdir = {str(temporary)!r}; import betterthan as bt; held = bt.read({str(path)!r})"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("content", [b"item,owl,yak\n1,0.5,0.25\n", b"left,right,winner\nowl,yak,a\n"])
def test_a_table_goes_with_the_last_who_uses_it(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "evidence.csv").write_bytes(content)
    table = open_table(tmp_path / "evidence.csv")
    gone = weakref.ref(table)
    gc.disable()  # without cycles, nothing has to be searched for
    try:
        str(bt.read(table))
        del table
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", ["votes.csv", "votes.csv.gz", "votes.parquet"])
def test_evidence_of_files_pickles_and_copies(name: str, tmp_path: Path) -> None:
    evidence = bt.read_judgments(_written(tmp_path, name), where={"judge": ARENA["judge"][0]})
    known = evidence.tally("item")
    for other in (pickle.loads(pickle.dumps(evidence)), copy.copy(evidence), copy.deepcopy(evidence)):
        again = other.tally("item")
        assert again.account == known.account
        assert again.times.sum() == known.times.sum()


FRAMES: dict[str, Callable[[], Any]] = {
    "columns": lambda: ARENA,
    "pandas": lambda: pd.DataFrame(ARENA),
    "polars": lambda: pl.DataFrame(ARENA),
    "pyarrow": lambda: pa.table(ARENA),
}


@pytest.mark.parametrize("engine", FRAMES)
def test_evidence_of_frames_pickles_and_copies(engine: str) -> None:
    evidence = bt.read_judgments(FRAMES[engine]())
    known = evidence.tally("item")
    for other in (pickle.loads(pickle.dumps(evidence)), copy.copy(evidence), copy.deepcopy(evidence)):
        assert other.tally("item").times.sum() == known.times.sum()


def test_what_can_be_read_once_says_why_it_does_not_pickle(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"left,right,winner\nowl,yak,a\n")

    monkeypatch.setattr(sys, "stdin", Stdin)
    evidence = bt.read("-")
    with pytest.raises(bt.EvidenceError) as refusal:
        pickle.dumps(evidence)
    assert str(refusal.value) == (
        "standard input: cannot be pickled, because it can be read only once. Save it to a file and read that."
    )
    assert copy.deepcopy(evidence).tally().times.sum() == 1
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT 'owl' AS \"left\", 'yak' AS \"right\", 'a' AS winner")
        with pytest.raises(bt.EvidenceError) as refusal:
            pickle.dumps(bt.read(relation))
    assert str(refusal.value) == (
        "a DuckDB relation cannot be pickled, because it belongs to a connection of this process. "
        "Write it to a Parquet file and read that."
    )


SOURCES: dict[str, Any] = {
    "judgments": {"left": ["owl"], "right": ["yak"], "winner": ["a"]},
    "rankings": {"owl": [1, 2], "yak": [2, 1], "elk": [3, 3]},
    "scores": {"owl": [0.5, 0.1], "yak": [0.2, None]},
}


@pytest.mark.parametrize("kind", SOURCES)
def test_evidence_is_equal_where_its_values_are(kind: str) -> None:
    evidence = bt.read(SOURCES[kind])
    assert evidence == bt.read(SOURCES[kind]) == copy.deepcopy(evidence) == pickle.loads(pickle.dumps(evidence))
    changed = {name: values[::-1] for name, values in reversed(SOURCES[kind].items())}
    changed[next(iter(changed))] = ["b"] if kind == "judgments" else [3, 1]
    assert evidence != bt.read(changed, kind)
    assert evidence != 1
    if kind == "scores":
        assert evidence.tables[0] == bt.read(SOURCES[kind]).tables[0]


def test_files_are_equal_to_themselves_only(tmp_path: Path) -> None:
    path = _written(tmp_path, "votes.csv")
    evidence = bt.read(path)
    assert evidence == evidence
    assert evidence != bt.read(path)


def test_threads_rank_one_file_at_once_with_equal_results(tmp_path: Path) -> None:
    evidence = bt.read(_written(tmp_path, "votes.csv"))
    texts = _at_once(lambda number: str(bt.rank(evidence, model=["bradley-terry", "elo"][number % 2], resamples=20)))
    assert len(set(texts)) == 2
    said = [line for line in texts[0].splitlines() if not line.startswith("Read as ")]
    assert "\n".join(said) == str(bt.rank(ARENA, model="bradley-terry", resamples=20))
