"""The simulation behind `factors`: models with prompts on the same items, whose effects are known; prints JSON.

Without an interaction none must be found more often than the level says. The score of the best prompt, chosen on other
items, must be covered by its interval; the score seen on all items is too high.
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

#: Worlds: items, models, prompts, and the standard deviation of prompts' effects, which all models share.
WORLDS = {
    "15 items, 2 × 3": (15, 2, 3, 0.0),
    "40 items, 3 × 6": (40, 3, 6, 0.0),
    "40 items, 3 × 6, prompts": (40, 3, 6, 0.3),
}


def simulated(name: str, seed: int, data_sets: int) -> dict[str, Any]:
    """Count interactions, pairs of models falsely decided, and covered scores of the best prompts."""
    items, models, prompts, spread = WORLDS[name]
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    counts = {"data_sets": data_sets, "interactions": 0, "pairs": 0, "best": 0, "covered": 0, "seen": 0.0}
    for _ in range(data_sets):
        effect = rng.normal(0, spread, prompts)
        values = rng.normal(size=(items, 1, 1)) + effect + rng.normal(size=(items, models, prompts))
        every = list(np.ndindex(items, models, prompts))
        rows = {
            "item": [f"i{item:02}" for item, _, _ in every],
            "model": [f"m{model}" for _, model, _ in every],
            "prompt": [f"p{prompt}" for _, _, prompt in every],
            "score": values.ravel().tolist(),
        }
        found = bt.rank_factors(bt.read(rows, system="model", judge="prompt"), resamples=200)
        counts["interactions"] += found.p <= 0.05
        counts["pairs"] += any((row.rank_low, row.rank_high) != (1, models) for row in found.by_system.rows)
        if not spread:  # every prompt is as good as any
            for each in found.best:
                counts["best"] += 1
                counts["covered"] += each.score.low <= 0 <= each.score.high
                counts["seen"] += each.seen
    return {"name": name, **counts}


def _job(task: tuple[str, int, int]) -> dict[str, Any]:
    return simulated(*task)


def main() -> None:
    """Simulate with a process per core, and print the rows."""
    data_sets, parts = int(sys.argv[1]) if len(sys.argv) > 1 else 300, 4
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        found = pool.map(_job, [(name, seed, data_sets // parts) for name in WORLDS for seed in range(parts)], 1)
    rows: dict[str, dict[str, Any]] = {}
    for part in found:
        row = rows.setdefault(part["name"], {"name": part["name"]})
        for key in part.keys() - {"name"}:
            row[key] = row.get(key, 0) + part[key]
    print(json.dumps(list(rows.values())))


if __name__ == "__main__":
    main()
