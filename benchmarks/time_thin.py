"""Pieces of the benchmark of thin evidence, each a process of its own; the last line printed is JSON."""

import json
import shutil
import sys
from typing import Any

import numpy as np

from data import made


def judgments(systems: int, left: Any, right: Any, spread: float) -> dict[str, Any]:
    """Judge pairs by Bradley–Terry, without ties."""
    rng = np.random.default_rng(0)
    strength = rng.normal(0, spread, systems)
    won = rng.random(len(left)) < 1 / (1 + np.exp(strength[right] - strength[left]))
    names = np.array([f"s{number:06d}" for number in range(systems)])
    return {"left": names[left], "right": names[right], "winner": np.where(won, "left", "right")}


def every_pair(systems: int) -> dict[str, Any]:
    """Judge every pair once."""
    return judgments(systems, *np.triu_indices(systems, 1), 0.5)


def players(systems: int, number: int) -> dict[str, Any]:
    """Judge random pairs."""
    rng = np.random.default_rng(1)
    left = rng.integers(systems, size=number)
    return judgments(systems, left, (left + rng.integers(1, systems, size=number)) % systems, 1.0)


def rankings(number: int, systems: int = 20) -> dict[str, Any]:
    """Rank all systems by rounded qualities, so that some tie."""
    rng = np.random.default_rng(2)
    quality = rng.normal(0, 0.6, systems) + rng.gumbel(size=(number, systems))
    return {
        "ranking": np.repeat(np.arange(number), systems),
        "system": np.tile([f"s{place:02d}" for place in range(systems)], number),
        "rank": (-np.round(1.5 * quality) + 100).astype(int).ravel(),
    }


def make(name: str, path: str) -> None:
    """Write the evidence of full size."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if name == "systems":
        shutil.copyfile(made("1m", "systems-1000.parquet"), path)
        return
    columns = {
        "pairs": lambda: every_pair(3000),
        "players": lambda: players(100_000, 1_000_000),
        "rankings": lambda: rankings(10_000),
    }[name]()
    pq.write_table(pa.table(columns), path)


def widths(name: str, resamples: str, *seeds: str) -> None:
    """Return the mean width of intervals by refits and by one step, for every seed."""
    import betterthan as bt

    evidence = {
        "votes": lambda: str(made("1m", "parquet")),
        "systems": lambda: str(made("1m", "systems-1000.parquet")),
        "hundreds": lambda: players(200, 200_000),
        "pairs": lambda: every_pair(700),
        "rankings": lambda: rankings(1000),
    }[name]()
    model = "plackett-luce" if name == "rankings" else "bradley-terry"
    found: dict[str, list[float]] = {"refit": [], "step": []}
    for seed in map(int, seeds):
        for way, buckets in (("refit", 0), ("step", None)):
            board = bt.rank(evidence, model=model, seed=seed, buckets=buckets, resamples=int(resamples)).board
            assert any(finding.code == "one-step" for finding in board.findings) == (way == "step")
            found[way].append(sum(row.high - row.low for row in board) / len(board))
    print(json.dumps(found))


if __name__ == "__main__":
    {"make": make, "widths": widths}[sys.argv[1]](*sys.argv[2:])
