"""The simulation behind `coverage`: worlds with known truth, ranked again and again; prints JSON."""

import json
import os
from dataclasses import dataclass
from multiprocessing import get_context

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import betterthan as bt
from betterthan.worlds.simulated import Arena

DATA_SETS = 1000
RESAMPLES = 400
STRENGTHS = (1.5, 1.0, 0.95, 0.5, 0.3, 0.25, -0.2, -0.6, -1.2, -1.6)


@dataclass(frozen=True)
class World:
    """A world, how much of it is seen, which units are tried, and which of them is right."""

    name: str
    what: str
    arena: Arena
    judgments: int
    items: int
    units: tuple[str, ...]
    right: str


WORLDS = (
    World(
        "independent judgments",
        "2,000 judgments, each with its own chance outcome; nothing is shared between rows",
        Arena(strengths=STRENGTHS, item_spread=0.0),
        2000,
        2000,
        ("row",),
        "row",
    ),
    World(
        "judgments clustered by item",
        "300 items with about 25 judgments each; what a system gains or loses on an item (spread 0.6) is shared by all "
        "judgments of that item",
        Arena(strengths=STRENGTHS, item_spread=0.6),
        7500,
        300,
        ("item", "row"),
        "item",
    ),
)
CASES = [(world, unit, ci) for world in WORLDS for unit in world.units for ci in ("bootstrap", "analytic")]


def one(task: tuple[int, int]) -> list[tuple[float, float]]:
    """Simulate one data set of a world; return each of its cases' share of covered systems and mean width."""
    place, number = task
    world = WORLDS[place]
    rng = np.random.default_rng([place, number])
    columns = world.arena.simulate(rng, judgments=world.judgments, items=world.items, judges=30)
    evidence = bt.read_judgments(columns)
    truth = dict(zip(world.arena.systems, world.arena.truth(), strict=True))
    results = []
    for other, unit, ci in CASES:
        if other is world:
            rows = bt.rank(evidence, ci=ci, unit=unit, resamples=RESAMPLES, scale="log", seed=number).board
            held = [row.low <= truth[row.system] <= row.high for row in rows]
            results.append((float(np.mean(held)), float(np.mean([row.high - row.low for row in rows]))))
    return results


def main() -> None:
    """Simulate all worlds with a process per core, and print the cases."""
    cases = []
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for place, world in enumerate(WORLDS):
            tasks = [(place, number) for number in range(DATA_SETS)]
            results = np.array(pool.map(one, tasks, chunksize=10))  # data sets × cases × (covered, width)
            labels = [(unit, ci) for other, unit, ci in CASES if other is world]
            for (unit, ci), held, width in zip(labels, results[:, :, 0].T, results[:, :, 1].T, strict=True):
                cases.append(
                    {
                        "world": world.name,
                        "unit": unit,
                        "ci": ci,
                        "right": unit == world.right,
                        "coverage": float(held.mean()),
                        "error": float(held.std(ddof=1) / np.sqrt(len(held))),
                        "width": float(width.mean()),
                    }
                )
    worlds = [{"name": world.name, "what": world.what} for world in WORLDS]
    facts = {"data_sets": DATA_SETS, "resamples": RESAMPLES, "systems": len(STRENGTHS)}
    print(json.dumps({**facts, "worlds": worlds, "cases": cases}))


if __name__ == "__main__":
    main()
