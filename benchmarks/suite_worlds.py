"""The simulation behind `suites`: overall scores of several tasks whose truth is known; prints JSON.

Equal systems must not be told apart more often than the level says, on tasks as they are and for tasks like these, by
means and by ranks. The interval of an overall difference must cover the true one.
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import betterthan as bt

#: The true advantage of the first system where a difference is covered, in the unit of scores.
GAP = 0.3
RESAMPLES = 300
#: Worlds for the tests of the repository.
QUICK = ("answers, fixed, 3", "normal, random, 3", "ranks, fixed, 3", "two metrics")
Matrix = np.ndarray[Any, Any]


@dataclass(frozen=True)
class SuiteWorld:
    """Scores of equal systems on several tasks; `advantage` is added to the first system's normal scores."""

    name: str
    tasks: int
    make: Callable[[np.random.Generator, int, int, float], list[Matrix]]
    options: dict[str, Any] = field(default_factory=dict)
    random: bool = False
    covers: bool = False  # is the difference in the unit of scores, so that the interval has a true value?

    def board(self, rng: np.random.Generator, systems: int, advantage: float) -> Any:
        """Draw the scores of all tasks, and rank the systems."""
        values = self.make(rng, self.tasks, systems, advantage)
        evidence = bt.read(long(values), **({"random": ["task"]} if self.random else {}))
        return bt.rank(evidence, model="mean", resamples=RESAMPLES, **self.options).overall


def long(tasks: list[Matrix]) -> dict[str, list[Any]]:
    """Return a long table of items × systems per task."""
    rows = [
        (f"t{task:02}", f"i{item:03}", f"s{system}", float(score))
        for task, values in enumerate(tasks)
        for item, row in enumerate(values)
        for system, score in enumerate(row)
    ]
    names = ("task", "item", "system", "score")
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


def normal(spread: float) -> Callable[[np.random.Generator, int, int, float], list[Matrix]]:
    """Return normal scores on tasks of 15 to 45 items; the systems' means vary between tasks by `spread`."""

    def make(rng: np.random.Generator, tasks: int, systems: int, advantage: float) -> list[Matrix]:
        found = []
        for _ in range(tasks):
            items = int(rng.integers(15, 46))
            own = rng.normal(0, spread, systems) + advantage * (np.arange(systems) == 0)
            found.append(rng.normal(size=(items, 1)) + own + rng.normal(size=(items, systems)))
        return found

    return make


def _answers(rng: np.random.Generator, tasks: int, systems: int, advantage: float) -> list[Matrix]:
    """Return right and wrong answers on tasks of other difficulty."""
    assert not advantage
    found = []
    for _ in range(tasks):
        logit = rng.normal(0.5, 1) + rng.normal(0, 1.5, size=(int(rng.integers(20, 61)), 1))
        found.append((rng.random((len(logit), systems)) < 1 / (1 + np.exp(-logit))).astype(float))
    return found


def worlds() -> list[SuiteWorld]:
    """Return every world."""
    found = []
    for tasks in (3, 10, 50):
        found += [
            SuiteWorld(f"normal, fixed, {tasks}", tasks, normal(0.0), covers=True),
            SuiteWorld(f"answers, fixed, {tasks}", tasks, _answers),
            SuiteWorld(f"normal, random, {tasks}", tasks, normal(0.3), random=True, covers=True),
            SuiteWorld(f"ranks, fixed, {tasks}", tasks, normal(0.0), {"overall": "mean-rank"}),
            SuiteWorld(f"ranks, random, {tasks}", tasks, normal(0.3), {"overall": "mean-rank"}, random=True),
        ]
    return [*found, MetricsWorld("two metrics", 1, normal(0.0), covers=True)]


class MetricsWorld(SuiteWorld):
    """Two metrics of the same items, which agree for the most part."""

    def board(self, rng: np.random.Generator, systems: int, advantage: float) -> Any:
        """Draw scores, and add other noise to them for each metric."""
        values = self.make(rng, 1, systems, advantage)[0]
        table = long([values])
        noisy = [(values + rng.normal(0, 0.3, values.shape)).ravel().tolist() for _ in range(2)]
        columns = {"item": table["item"], "system": table["system"], "m1": noisy[0], "m2": noisy[1]}
        evidence = bt.read(columns, score=["m1", "m2"])
        return bt.rank(evidence, model="mean", resamples=RESAMPLES, overall="mean").overall


def simulated(world: SuiteWorld, seed: int, data_sets: int) -> dict[str, Any]:
    """Count false alarms of three equal systems, and how often the interval of a true difference covers it."""
    rng = np.random.default_rng([seed, sum(map(ord, world.name))])
    counts = {"data_sets": data_sets, "alarms": 0, "firsts": 0, "covered": 0}
    for _ in range(data_sets):
        equal = world.board(rng, 3, 0.0)
        counts["alarms"] += any((row.rank_low, row.rank_high) != (1, 3) for row in equal.rows)
        counts["firsts"] += equal.first_shown
        if world.covers:
            found = world.board(rng, 2, GAP)
            true = GAP if found.rows[0].system == "s0" else -GAP
            counts["covered"] += found.difference.low <= true <= found.difference.high
    return {"name": world.name, "covers": world.covers, **counts}


def _job(task: tuple[str, int, int]) -> dict[str, Any]:
    name, seed, data_sets = task
    return simulated(next(world for world in worlds() if world.name == name), seed, data_sets)


def main() -> None:
    """Simulate with a process per core, and print the rows; large suites have a quarter of the data sets."""
    data_sets, parts = int(sys.argv[1]) if len(sys.argv) > 1 else 400, 4
    tasks = [
        (world.name, seed, data_sets // parts // (4 if world.tasks > 10 else 1))
        for world in worlds()
        for seed in range(parts)
    ]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        found = pool.map(_job, tasks, 1)
    rows: dict[str, dict[str, Any]] = {}
    for part in found:
        row = rows.setdefault(part["name"], {**part, "data_sets": 0, "alarms": 0, "firsts": 0, "covered": 0})
        for key in ("data_sets", "alarms", "firsts", "covered"):
            row[key] += part[key]
    print(json.dumps(list(rows.values())))


if __name__ == "__main__":
    main()
