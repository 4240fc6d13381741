"""Time reports: WMT13, and votes on items by judges."""

import json
import sys
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import betterthan as bt


def arena(systems: int, judgments: int, *, units: bool = False) -> dict[str, Any]:
    """Return judgments of systems a little apart, with ten per item and fifty per judge where `units` are wanted."""
    rng = np.random.default_rng(0)
    one = rng.integers(systems, size=judgments)
    two = (one + rng.integers(1, systems, size=judgments)) % systems
    wins = rng.random(judgments) < 1 / (1 + np.exp(0.02 * (one - two)))
    names = np.array([f"system-{place:03d}" for place in range(systems)])
    columns = {"left": names[one], "right": names[two], "winner": np.where(wins, "left", "right")}
    if units:
        columns["item"] = np.char.add("p", rng.integers(judgments // 10, size=judgments).astype("U9"))
        columns["judge"] = np.char.add("u", rng.integers(judgments // 50, size=judgments).astype("U9"))
    return columns


def written(folder: str, systems: int, judgments: int) -> str:
    """Write judgments with items and judges to a Parquet file, and return its path."""
    path = f"{folder}/{systems}-{judgments}.parquet"
    columns = {name: pa.array(values) for name, values in arena(systems, judgments, units=True).items()}
    pq.write_table(pa.table(columns), path)
    return path


def main(wmt13: str, folder: str) -> None:
    """Print the best of three runs of each."""
    bt.report(arena(3, 300))
    told = []
    cases = [
        ("200 systems, 60,000 judgments", arena(200, 60_000), None, 15),
        ("13 systems, 100,000 judgments of items by judges", written(folder, 13, 100_000), 2, 5),
        ("60 systems, 2 million judgments of items by judges", written(folder, 60, 2_000_000), 10, 15),
        ("200 systems, a million judgments of items by judges", written(folder, 200, 1_000_000), 10, 15),
    ]
    if wmt13:
        cases.insert(0, ("WMT13, 100k judgments, 13 systems", wmt13, 10, 5))
    for name, source, limit, most in cases:
        runs = []
        for _ in range(3):
            start = perf_counter()
            page = bt.report(source)
            runs.append(perf_counter() - start)
        size = len(page.html.encode()) / 1e6
        told.append({"name": name, "seconds": min(runs), "megabytes": size, "limit": limit, "most": most})
    print(json.dumps(told))


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        main(sys.argv[1], temporary)
