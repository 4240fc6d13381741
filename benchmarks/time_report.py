"""Time reports: WMT13, and 200 systems in 60,000 judgments."""

import json
import sys
from time import perf_counter
from typing import Any

import numpy as np

import betterthan as bt


def arena(systems: int, judgments: int) -> dict[str, Any]:
    """Return judgments of systems a little apart."""
    rng = np.random.default_rng(0)
    one = rng.integers(systems, size=judgments)
    two = (one + rng.integers(1, systems, size=judgments)) % systems
    wins = rng.random(judgments) < 1 / (1 + np.exp(0.02 * (one - two)))
    names = np.array([f"system-{place:03d}" for place in range(systems)])
    return {"left": names[one], "right": names[two], "winner": np.where(wins, "left", "right")}


def main(wmt13: str) -> None:
    """Print the best of three runs of each."""
    bt.report(arena(3, 300))
    told = []
    cases = [("200 systems, 60,000 judgments", arena(200, 60_000), None, 15)]
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
    main(sys.argv[1])
