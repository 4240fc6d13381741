"""Evidence of one file, shared by eight threads that rank, diagnose and report it at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

import betterthan as bt
from betterthan.base import parallel

THREADS = 8
WORK: dict[str, Any] = {
    "rank": lambda votes: bt.rank(votes, resamples=60).to_json(),
    "elo": lambda votes: bt.rank(votes, model="elo,bradley-terry", ci="none").to_json(),
    "diagnose": lambda votes: bt.diagnose(votes).to_json(),
    "report": lambda votes: bt.report(votes, resamples=40).html,
}


@pytest.mark.parametrize("shared", ["evidence", "data set"])
def test_eight_threads_find_the_same(shared: str) -> None:
    expected = {name: work("examples/votes.csv") for name, work in WORK.items()}
    evidence: Any = bt.read("examples/votes.csv")
    if shared == "data set":
        from betterthan.datasets.data_sets_of import data_sets

        evidence = data_sets(evidence).sets[0]
    jobs = [list(WORK)[number % len(WORK)] for number in range(THREADS)]
    together = Barrier(THREADS)

    def begin(name: str) -> Any:
        together.wait()
        return WORK[name](evidence)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(begin, jobs))
    for name, answer in zip(jobs, found, strict=True):
        assert answer == expected[name], name


def test_threads_leave_the_process_as_it_was() -> None:
    from threadpoolctl import threadpool_info

    before = [(each["prefix"], each["num_threads"]) for each in threadpool_info()]
    with parallel.one_blas_thread():
        bt.rank("examples/votes.csv", resamples=40)
    assert [(each["prefix"], each["num_threads"]) for each in threadpool_info()] == before


def test_a_file_is_scanned_once_after_recognition(tmp_path: Path) -> None:
    """Recognition looks at the header; unit sizes and the tally come from at most two scans more."""
    lines = Path("examples/votes.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "votes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    plain = [line.split(",") for line in lines]
    keep = [plain[0].index(name) for name in ("model_a", "model_b", "winner")]
    (tmp_path / "bare.csv").write_text(
        "\n".join(",".join(row[place] for place in keep) for row in plain), encoding="utf-8"
    )
    for name, scans in (("bare.csv", 1), ("votes.csv", 2)):
        with bt.read(tmp_path / name) as evidence:
            recognised = evidence.table.scans  # type: ignore[union-attr]
            bt.rank(evidence, resamples=40)
            assert evidence.table.scans - recognised <= scans, name  # type: ignore[union-attr]
