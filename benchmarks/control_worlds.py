"""The simulation behind `rank --control`: votes in which weaker systems write longer answers; prints JSON.

Votes depend on items and judges. The truth is the board of a very large sample of the same world, because effects of
items and judges bring strengths closer together.
"""

import json
import os
import sys
from multiprocessing import get_context
from typing import Any

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import betterthan as bt

#: Systems, votes, items and judges of each world, and whether weaker systems write longer answers.
WORLDS = (
    ("length misleads", 5, 1_500, 200, 40, True),
    ("length misleads, few judges", 5, 1_500, 200, 12, True),
    ("length misleads, 12 systems", 12, 4_000, 400, 60, True),
    ("length is fair", 5, 1_500, 200, 40, False),
)
#: Log-odds per standard deviation of the difference in length; headers have no effect.
EFFECT = 0.6
_LARGE = 400_000


def votes(seed: int, world: tuple[Any, ...], number: int | None = None) -> dict[str, Any]:
    """Draw votes of a world; a large sample has as many votes per item and judge."""
    _, systems, votes_of, items, judges, misleads = world
    times = 1 if number is None else number // votes_of
    number, items, judges = votes_of * times, items * times, judges * times
    rng = np.random.default_rng(seed)
    strength = np.linspace(0.6, -0.6, systems)
    base = np.linspace(4.5, 5.8, systems) if misleads else np.full(systems, 5.0)
    left = rng.integers(0, systems, number)
    right = (left + rng.integers(1, systems, number)) % systems
    item, judge = rng.integers(0, items, number), rng.integers(0, judges, number)
    wordy = rng.normal(0, 0.3, items)[item]
    length = [np.exp(base[side] + rng.normal(0, 0.5, number) + wordy).astype(int) + 1 for side in (left, right)]
    headers = [rng.poisson(3, number) for _ in range(2)]
    relative = (length[0] - length[1]) / (length[0] + length[1])
    rows = np.arange(number)
    liking = rng.normal(0, 0.5, (items, systems))[item]
    taste = rng.normal(0, 0.3, (judges, systems))[judge]
    gap = strength[left] - strength[right] + EFFECT * relative / relative.std()
    gap += liking[rows, left] - liking[rows, right] + taste[rows, left] - taste[rows, right]
    won = rng.random(number) < 1 / (1 + np.exp(-gap))
    names = np.array([f"s{place:02d}" for place in range(systems)])
    return {
        "item": item,
        "judge": judge,
        "model_a": names[left],
        "model_b": names[right],
        "winner": np.where(rng.random(number) < 0.1, "tie", np.where(won, "a", "b")),
        "length_a": length[0],
        "length_b": length[1],
        "headers_a": headers[0],
        "headers_b": headers[1],
    }


def truth(world: tuple[Any, ...]) -> tuple[dict[str, float], float]:
    """Return centred strengths and the effect of length in a very large sample."""
    board = bt.rank(votes(10**6, world, _LARGE), control="length,headers", ci="none", scale="log").board
    assert board.control is not None
    return {row.system: row.log_strength or 0.0 for row in board}, board.control.effects[0].estimate


def seen(job: tuple[int, tuple[Any, ...], dict[str, float], float]) -> list[float]:
    """Rank one data set: share of strengths covered, effect covered, false alarm, right leader with and without."""
    seed, world, strength, effect = job
    board = bt.rank(votes(seed, world), control="length,headers", scale="log", resamples=500, seed=seed).board
    assert board.control is not None
    length, headers = board.control.effects
    covered = [row.low is not None and row.low <= strength[row.system] <= (row.high or np.inf) for row in board]
    return [
        float(np.mean(covered)),
        float(length.low <= effect <= length.high),  # type: ignore[operator]
        float(headers.p < 0.05),  # type: ignore[operator]
        float(board.rows[0].system == "s00"),
        float(board.control.without["s00"].rank == 1),
        float(board.first is not None and board.first.shown and board.first.system != "s00"),
    ]


def main(data_sets: int) -> None:
    """Simulate every world."""
    rows = []
    with get_context("fork").Pool(os.cpu_count()) as pool:
        for world in WORLDS:
            known = truth(world)
            found = np.array(pool.map(seen, [(seed, world, *known) for seed in range(data_sets)], chunksize=5))
            rows.append({"name": world[0], "data_sets": data_sets, "shares": found.mean(axis=0).tolist()})
    print(json.dumps(rows))


if __name__ == "__main__":
    main(int(sys.argv[1]))
