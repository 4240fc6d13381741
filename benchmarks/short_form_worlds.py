"""The simulation behind `short-forms`: systems left out of item response matrices, and a real matrix; prints JSON."""

import json
import os
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Any

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import betterthan as bt

TAC = Path(__file__).parent.parent.parent / "shared" / "data" / "tac" / "scores.parquet"
ITEMS, SYSTEMS = 400, 40
#: Worlds: the standard deviations of difficulties and of the logarithms of discriminations; abilities have 1.
WORLDS = {"2PL, difficulties 1": (1.0, 0.5), "2PL, difficulties 1.5": (1.5, 0.5), "2PL, difficulties 2": (2.0, 0.5)}

Columns = dict[str, Any]


def matrix(name: str, seed: int, items: int = ITEMS, systems: int = SYSTEMS) -> Columns:
    """Draw right and wrong answers."""
    hard, sharp = WORLDS[name]
    rng = np.random.default_rng([seed, sum(map(ord, name))])
    ability, difficulty = rng.normal(size=systems), rng.normal(0, hard, (items, 1))
    slope = np.exp(rng.normal(0, sharp, (items, 1)))
    right = rng.random((items, systems)) < 1 / (1 + np.exp(-slope * (ability - difficulty)))
    names = {f"s{place:02}": right[:, place].astype(int).tolist() for place in range(systems)}
    return {"item": [f"i{place:03}" for place in range(items)], **names}


def rows_of(name: str, seed: int, found: bt.ShortForm) -> list[dict[str, Any]]:
    """Return the errors of one short form."""
    return [
        {
            "name": name,
            "seed": seed,
            "items": each.items,
            "error": each.error.value,
            "low": each.error.low,
            "high": each.error.high,
            "random": each.random.value,
            "covered": each.covered.value,
            "kendall": each.kendall,
        }
        for each in found.errors
    ]


def simulated(name: str, seed: int, short: int = ITEMS // 10) -> list[dict[str, Any]]:
    """Leave out 10 of 40 systems in turn."""
    return rows_of(name, seed, bt.short_form(matrix(name, seed), short, folds=4))


def adaptive(seed: int, steps: int = 30, items: int = 200) -> bool:
    """Return whether the interval after adaptively chosen answers covers the share of right answers."""
    columns = matrix("2PL, difficulties 1", seed, items)
    answers = np.array(columns["s00"], dtype=float)
    known = np.full(items, np.nan)
    place = {name: row for row, name in enumerate(columns["item"])}
    del columns["s00"]
    for _ in range(steps // 5):
        for each in bt.next_item(columns, "s00").next[:5]:
            known[place[each.item]] = answers[place[each.item]]
        columns["s00"] = [None if np.isnan(each) else int(each) for each in known]
    right = bt.next_item(columns, "s00").right
    return bool(right.low <= answers.mean() <= right.high)


def real() -> list[dict[str, Any]]:
    """Summaries of 58 systems on 48 topics: is the human score at least the median?"""
    scores = bt.read(str(TAC), where={"metric": "human_pyramid", "task": "TAC08"})
    return rows_of("TAC-08", 0, bt.short_form(scores, 12, threshold=0.255, folds=6))


def _job(task: tuple[str, int]) -> list[dict[str, Any]]:
    name, seed = task
    if name == "adaptive":
        return [{"name": name, "covered": adaptive(seed)}]
    return simulated(name, seed)


def main() -> None:
    """Simulate with a process per core, and print the rows."""
    matrices = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    tasks = [(name, seed) for name in WORLDS for seed in range(matrices)]
    tasks += [("adaptive", seed) for seed in range(8 * matrices)]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        found = [row for rows in pool.map(_job, tasks, 1) for row in rows]
    print(json.dumps([*found, *(real() if TAC.exists() else [])]))


if __name__ == "__main__":
    main()
