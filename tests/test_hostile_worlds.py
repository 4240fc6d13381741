"""Default calls in some hostile worlds: the quick form of `benchmarks/run.py hostile`."""

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(scope="module")
def hostile() -> Any:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module("hostile")
    finally:
        sys.path.remove(str(BENCHMARKS))


def _names() -> list[str]:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return list(importlib.import_module("hostile_worlds").QUICK)
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize("name", _names())
def test_no_cell_is_shown_to_promise_more_than_it_keeps(hostile: Any, name: str) -> None:
    world = next(world for world in hostile.worlds() if world.name == name)
    for cell in hostile.until_known(world, 40):
        wrong = "below" if "interval" in cell.measure else "above"
        assert cell.verdict != wrong, f"{cell.measure}: {cell.held} of {cell.trials}, 99 % {cell.interval}"


def test_intervals_a_third_too_narrow_are_noticed(hostile: Any) -> None:
    cell = hostile.Cell("a world", "rank: interval", 240, 300, 100, hostile.COVERAGE)
    assert cell.verdict == "below"
    assert hostile.Cell("a world", "rank: interval", 285, 300, 100, hostile.COVERAGE).verdict == "open"
    assert hostile.Cell("a world", "compare: false alarm", 15, 100, 100, hostile.ALARMS).verdict == "above"


def test_worlds_are_drawn_as_they_say(hostile: Any) -> None:
    worlds = {world.name: world for world in hostile.worlds()}
    assert len(worlds) == len(hostile.worlds()) <= 100
    votes = worlds["12 judges, sizes by Zipf"].draw(np.random.default_rng(0))
    sizes = np.sort(np.unique(votes["judge"], return_counts=True)[1])[::-1]
    assert sizes[0] > 8 * sizes[5]
    runs = worlds["3 runs, effect 0.3"].draw(np.random.default_rng(0)).tables[0]
    assert runs.repeats.runs == 3
    assert (
        np.isnan(worlds["hard items missing for one system"].draw(np.random.default_rng(0)).tables[0].values).sum()
        == 18
    )
