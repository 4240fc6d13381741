"""Default calls in some hostile worlds: the quick form of `benchmarks/run.py hostile`."""

import importlib
import json
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
    def cell(measure: str, held: int, trials: int, squares: float, band: tuple[float, float]) -> Any:
        return hostile.Cell("a world", measure, held, trials, 100, squares, band)

    assert cell("rank: interval", 240, 300, 80.0, hostile.COVERAGE).verdict == "below"
    assert cell("rank: interval", 285, 300, 95.0, hostile.COVERAGE).verdict == "open"
    assert cell("compare: false alarm", 15, 100, 15.0, hostile.ALARMS).verdict == "above"


def test_trials_of_a_data_set_count_for_as_much_as_they_tell(hostile: Any) -> None:
    """Three intervals that always hold together count once, independent ones three times."""

    def size(shares: Any) -> float:
        held = round(3 * shares.sum())
        return float(hostile.Cell("a world", "", held, 900, 300, float((shares**2).sum()), hostile.COVERAGE).size)

    rng = np.random.default_rng(1)
    assert size((rng.random(300) < 0.9).astype(float)) == pytest.approx(300)
    assert size((rng.random((300, 3)) < 0.9).mean(axis=1)) == pytest.approx(900, rel=0.2)


def test_a_run_continues_from_the_counts_of_another(hostile: Any) -> None:
    world = next(world for world in hostile.worlds() if world.name == "normal, 10 items")
    once, twice = (hostile.Progress(world, "compare") for _ in range(2))
    found = [hostile.simulate(world, "compare", seed) for seed in range(8)]
    once.add(found)
    twice.add(found[:5])
    again = hostile.Progress(world, "compare", json.loads(json.dumps(twice.total)))
    again.add(found[5:])
    assert again.cells == once.cells
    assert again.data_sets == 8


def test_worlds_are_drawn_as_they_say(hostile: Any) -> None:
    worlds = {world.name: world for world in hostile.worlds()}
    assert len(worlds) == len(hostile.worlds())
    assert sum(len(world.watched) for world in hostile.worlds()) <= 100
    votes = worlds["12 judges, sizes by Zipf"].draw(np.random.default_rng(0))
    sizes = np.sort(np.unique(votes["judge"], return_counts=True)[1])[::-1]
    assert sizes[0] > 8 * sizes[5]
    runs = worlds["3 runs, effect 1.0"].draw(np.random.default_rng(0)).tables[0]
    assert runs.repeats.runs == 3
    assert (
        np.isnan(worlds["hard items missing for one system"].draw(np.random.default_rng(0)).tables[0].values).sum()
        == 18
    )
