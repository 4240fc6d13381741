"""One thread of linear algebra while we work, and as many as before when the last of us is done."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
import scipy.linalg  # noqa: F401 (its library is limited too)
from threadpoolctl import ThreadpoolController

import betterthan as bt
from betterthan.base import parallel


def _threads() -> set[int]:
    return {library["num_threads"] for library in ThreadpoolController().select(user_api="blas").info()}


BEFORE = _threads()  # as many as there are cores


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Every test begins and ends with as many threads as there were."""
    assert _threads() == BEFORE
    yield
    assert _threads() == BEFORE


def test_the_limit_holds_inside_and_is_undone() -> None:
    with parallel.one_blas_thread():
        assert _threads() == {1}
        with parallel.one_blas_thread():
            assert _threads() == {1}
        assert _threads() == {1}
    assert _threads() == BEFORE


def test_the_limit_is_undone_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), parallel.one_blas_thread():
        _ = 1 / 0
    assert _threads() == BEFORE


def test_the_thread_that_came_first_may_leave_first() -> None:
    came, entered, left = Event(), Barrier(2, timeout=60), Barrier(2, timeout=60)

    def first() -> None:
        with parallel.one_blas_thread():
            came.set()
            entered.wait()
        left.wait()
        left.wait()  # still alive when the other one leaves

    def second() -> set[int]:
        came.wait(60)
        with parallel.one_blas_thread():
            entered.wait()
            left.wait()
            inside = _threads()
        left.wait()
        return inside

    with ThreadPoolExecutor(2) as pool:
        alive, inside = pool.submit(first), pool.submit(second)
        alive.result()
        assert inside.result() == {1}
        assert _threads() == BEFORE


def test_eight_threads_rank_at_once_and_leave_everything_as_it_was() -> None:
    votes = [("owl", "yak", "a"), ("yak", "elk", "a"), ("elk", "owl", "a"), ("owl", "elk", "a")] * 5

    def ranked(_: int) -> str:
        return bt.rank(votes, resamples=50).to_json()

    with ThreadPoolExecutor(8) as pool:
        boards = list(pool.map(ranked, range(8)))
        assert _threads() == BEFORE
    assert all(board == boards[0] for board in boards)
