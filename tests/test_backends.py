"""joblib's other backends, which lead to other machines: the same results as in processes here."""

from pathlib import Path

import joblib
from distributed import Client, LocalCluster
from joblib.externals.loky import process_executor
from joblib.parallel import ThreadingBackend

import betterthan as bt
from betterthan.base import parallel


def _growing(task: int) -> int:
    """Let joblib find that this worker has grown too large, so that it replaces it."""
    process_executor._MAX_MEMORY_LEAK_SIZE = -(10**15)
    process_executor._MEMORY_LEAK_CHECK_DELAY = 0.0
    return task


def test_a_worker_that_has_grown_is_replaced_where_warnings_are_errors() -> None:
    assert parallel.each(_growing, range(20)) == list(range(20))


class _AtOnce(ThreadingBackend):  # type: ignore[misc]  # joblib has no types
    """A backend that returns all results at the end, as Ray's does."""

    supports_retrieve_callback = False
    supports_return_generator = False


def test_a_backend_that_returns_everything_at_the_end_gives_the_same() -> None:
    joblib.register_parallel_backend("at once", _AtOnce)
    with joblib.parallel_config(backend="at once"):
        assert parallel.each(str, range(5)) == [*"01234"]


def test_dask_workers_give_the_same() -> None:
    votes = str(Path(__file__).parent.parent / "examples" / "votes.csv")
    here = bt.select(votes, "bradley-terry,davidson", repeats=1)
    workers = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with LocalCluster(**workers) as cluster, Client(cluster), joblib.parallel_config(backend="dask"):
        there = bt.select(votes, "bradley-terry,davidson", repeats=1)
    assert there.to_json() == here.to_json()
