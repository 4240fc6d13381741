"""Loops run as they are, or compiled, once, if that pays and Numba is there."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import numba  # noqa: F401 (without it, compiled loops would be compared with themselves)
import numpy as np
import pytest

from betterthan.models.ordered import compiled


def half(value: float) -> float:
    return third(value) * 1.5


def third(value: float) -> float:
    return value / 3.0


def spread(source: Any, target: Any, points: Any) -> None:
    """Give half of one's points away, place by place."""
    for place in range(len(source)):
        given = half(points[source[place]])
        points[source[place]] -= given
        points[target[place]] += given


def _columns(size: int = 1000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.integers(9, size=size), rng.integers(9, size=size), rng.random(9)


def _points(steps: int) -> Any:
    source, target, points = compiled.prepared(steps, *_columns())
    compiled.quick(spread, steps)(source, target, points)
    return points


@pytest.fixture
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_compiled", {})


def test_few_games_are_played_as_they_are() -> None:
    assert compiled.quick(spread, compiled.PAYS - 1) is spread
    assert all(type(column) is list for column in compiled.prepared(compiled.PAYS - 1, *_columns()))


def test_many_games_are_played_compiled_with_the_same_result() -> None:
    assert compiled.quick(spread, compiled.PAYS) is not spread
    np.testing.assert_allclose(_points(compiled.PAYS), _points(1), rtol=1e-12)


def test_arrays_are_handed_over_in_one_piece() -> None:
    column = np.arange(10)[::2]
    (whole,) = compiled.prepared(compiled.PAYS, column)
    assert whole.flags.c_contiguous
    assert whole.tolist() == column.tolist()


def test_without_numba_everything_is_played_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert compiled.quick(spread, compiled.PAYS) is spread
    assert type(_points(compiled.PAYS)) is list


@pytest.mark.usefixtures("_fresh")
def test_threads_compile_once_and_run_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, compile_one, ready = [], compiled._compile, Barrier(4)

    def counted(*arguments: Any) -> Any:
        asked.append(arguments)
        return compile_one(*arguments)

    def one(_: int) -> Any:
        ready.wait()
        return _points(compiled.PAYS)

    monkeypatch.setattr(compiled, "_compile", counted)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(one, range(4)))
    assert len(asked) == 1
    assert len(compiled.quick(spread, compiled.PAYS).signatures) == 1
    for result in results:
        np.testing.assert_array_equal(result, results[0])


def test_where_nothing_can_be_cached_it_is_compiled_all_the_same() -> None:
    made: dict[str, Any] = {"__name__": "in_no_file"}
    exec("def double(points):\n    points[0] *= 2.0", made)
    points = np.ones(1)
    compiled.quick(made["double"], compiled.PAYS)(points)
    assert points[0] == 2.0
    assert compiled.quick(made["double"], compiled.PAYS) is not made["double"]
