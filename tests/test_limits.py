"""Bounded memory: a million judgments within a limit in every verb, and a thousand reads that leave nothing behind."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import psutil
import pytest

import betterthan as bt
from betterthan.base.error_messages import error_sentence

VOTES = Path(__file__).parent.parent / "examples" / "votes.csv"
#: Bytes that a verb may hold of a million judgments with items and judges. The heap is limited to it: more would be an
#: error, not a slow machine.
LIMIT = 2 * 2**30
VERBS = {
    "rank": ("rank", "VOTES"),
    "rank one by one": ("rank", "VOTES", "--model", "elo", "--resamples", "20"),
    "compare": ("compare", "VOTES", "s03", "s07"),
    "compare all": ("compare", "VOTES", "--all"),
    "diagnose": ("diagnose", "VOTES"),
    "power": ("power", "VOTES", "s03", "s07"),
    "fit": ("fit", "VOTES"),
    "select": ("select", "VOTES", "--models", "bradley-terry,davidson", "--repeats", "1"),
    "replay": ("replay", "VOTES", "--policy", "uniform", "--runs", "2", "--budget", "500"),
    "next": ("next", "VOTES"),
    "report": ("report", "VOTES", "-o", "page.html"),
    "plot": ("plot", "ranks", "VOTES", "-o", "picture.json"),
    "convert": ("convert", "VOTES", "-o", "votes.csv.gz"),
}
_LIMITED = (
    f"import resource; resource.setrlimit(resource.RLIMIT_DATA, ({LIMIT}, {LIMIT}))\n"
    "from betterthan.cli.main import main; main()"
)


@pytest.fixture(scope="module")
def votes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A million judgments of 20 systems on 100,000 items by 20,000 judges."""
    path = tmp_path_factory.mktemp("million") / "votes.parquet"
    world = """
        SELECT printf('s%02d', a) AS model_a, printf('s%02d', (a + 1 + b) % 20) AS model_b,
            CASE WHEN u < 20 THEN 'tie' WHEN u < 58 + a THEN 'model_a' ELSE 'model_b' END AS winner,
            concat('p', p) AS prompt_id, concat('u', j) AS judge
        FROM (SELECT hash(i) % 20 AS a, hash(i, 1) % 19 AS b, hash(i, 2) % 100 AS u, hash(i, 3) % 100000 AS p,
            hash(i, 4) % 20000 AS j FROM range(1000000) AS world(i))
    """
    duckdb.sql(f"COPY ({world}) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.parametrize("verb", VERBS)
def test_a_million_judgments_fit_into_the_limit(verb: str, votes: Path, tmp_path: Path) -> None:
    words = [str(votes) if word == "VOTES" else word for word in VERBS[verb]]
    command = [sys.executable, "-c", _LIMITED, *words]
    # An arena per thread would be counted, although hardly any of it is used.
    environment = {**os.environ, "MALLOC_ARENA_MAX": "2"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode in {0, 1}, done.stderr


def test_too_little_memory_is_no_error_of_ours() -> None:
    for error in (MemoryError(), duckdb.OutOfMemoryException("could not allocate block")):
        assert error_sentence(error) == ("out of memory. Use Parquet files, fewer resamples, or ci='analytic'.", False)


def test_a_thousand_reads_leave_nothing_behind(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("model_a,model_b,winner\nowl,yak,perhaps\n", encoding="utf-8")
    process = psutil.Process()

    def read(number: int) -> None:
        for _ in range(number):
            for _ in range(4):
                bt.read(VOTES).close()
            with pytest.raises(bt.EvidenceError), bt.read(str(wrong)) as evidence:
                _ = evidence.systems
        gc.collect()

    read(20)
    before = process.num_fds(), process.num_threads(), process.memory_info().rss
    read(180)
    after = process.num_fds(), process.num_threads(), process.memory_info().rss
    assert after[0] <= before[0]
    assert after[1] <= before[1]
    assert after[2] - before[2] < 20 * 2**20
