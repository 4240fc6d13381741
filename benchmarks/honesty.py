"""The simulation behind `honesty`: worlds with known truth and the default call of every verb; prints JSON.

A cell is a verb in a world: how often an interval holds the truth, how often equal systems are told apart, or how often
a difference is found with as many judgments or items as `power` asked for. Worlds and calls are those of the studies
`coverage` and `type-one` (betterthan.studies).
"""

import json
import os
import sys
from collections.abc import Iterator
from multiprocessing import get_context

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from betterthan.verbs.study.promises import known, pooled, simulate
from betterthan.worlds import equal_worlds

NUMBERS = (5, 10, 20, 50, 200)
TIES = (0.0, 0.2, 0.6)
#: Units of the evidence that a plan is made from.
PILOTS = (20, 50)


def cells() -> Iterator[equal_worlds.WorldCell]:
    """List all worlds."""
    for dependence in ("none", "item", "judge", "both"):
        for units in NUMBERS:
            for ties in TIES:
                yield equal_worlds.WorldCell("judgments", dependence, units, f"ties {100 * ties:.0f} %")
    for units in NUMBERS:
        yield equal_worlds.WorldCell("judgments", "weights", units, "ties 20 %")
    for dependence in ("none", "groups"):
        for units in NUMBERS:
            for outcome in ("continuous", "likert", "right .5", "right .9", "right .98"):
                yield equal_worlds.WorldCell("scores", dependence, units, outcome)
    for dependence in ("none", "item", "judge", "both"):
        for units in PILOTS:
            yield equal_worlds.WorldCell("plans", dependence, units, "ties 20 %")
    for dependence in ("none", "groups"):
        for units in PILOTS:
            for outcome in ("continuous", "right"):
                yield equal_worlds.WorldCell("plans", dependence, units, outcome)


#: Some of them, for every run of the tests.
QUICK = (
    equal_worlds.WorldCell("judgments", "none", 20, "ties 20 %"),
    equal_worlds.WorldCell("judgments", "item", 10, "ties 0 %"),
    equal_worlds.WorldCell("judgments", "item", 50, "ties 60 %"),
    equal_worlds.WorldCell("judgments", "judge", 5, "ties 20 %"),
    equal_worlds.WorldCell("judgments", "judge", 20, "ties 0 %"),
    equal_worlds.WorldCell("judgments", "both", 10, "ties 20 %"),
    equal_worlds.WorldCell("scores", "none", 5, "continuous"),
    equal_worlds.WorldCell("scores", "none", 20, "likert"),
    equal_worlds.WorldCell("scores", "none", 20, "right .9"),
    equal_worlds.WorldCell("scores", "none", 50, "right .98"),
    equal_worlds.WorldCell("scores", "groups", 10, "continuous"),
    equal_worlds.WorldCell("scores", "groups", 20, "right .9"),
    equal_worlds.WorldCell("judgments", "weights", 20, "ties 20 %"),
    equal_worlds.WorldCell("plans", "item", 20, "ties 20 %"),
    equal_worlds.WorldCell("plans", "both", 50, "ties 20 %"),
    equal_worlds.WorldCell("plans", "groups", 20, "continuous"),
)


def main() -> None:
    """Simulate with a process per core, and print the rows."""
    quick = "--quick" in sys.argv
    data_sets = int(next((text for text in sys.argv[1:] if text.isdigit()), 60 if quick else 300))
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        rows = simulate(list(QUICK if quick else cells()), data_sets, lambda work, tasks: pool.map(work, tasks, 10))
    for row in rows:
        row["why"] = known(row) if row["missed"] else None
    print(json.dumps({"rows": rows, "pooled": pooled(rows)}))


if __name__ == "__main__":
    main()
