"""Time reading: wide tables of scores beside pandas, in the same process."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

import betterthan as bt

#: Rows and systems, and what of the time of pandas it may take at most.
CASES = ((20_000, 60, 5.0), (20, 400, None), (20, 10_000, None))
RUNS = 5


def _best(work: Callable[[], Any]) -> float:
    runs = []
    for _ in range(RUNS):
        start = perf_counter()
        work()
        runs.append(perf_counter() - start)
    return min(runs)


def main() -> None:
    """Print the best of several runs of each."""
    rng = np.random.default_rng(0)
    bt.read({"owl": [0.5, 0.25], "yak": [0.25, 0.5]})
    told = []
    with TemporaryDirectory() as folder:
        for rows, systems, limit in CASES:
            path = Path(folder) / "scores.csv"
            frame = pd.DataFrame(rng.random((rows, systems)).round(4), columns=[f"s{n}" for n in range(systems)])
            frame.insert(0, "instance", [f"i{row}" for row in range(rows)])
            frame.to_csv(path, index=False)
            ours, theirs = _best(lambda path=path: bt.read(path)), _best(lambda path=path: pd.read_csv(path))
            told.append({"name": f"{rows:,} × {systems:,}", "ours": ours, "pandas": theirs, "limit": limit})
    print(json.dumps(told))


if __name__ == "__main__":
    main()
