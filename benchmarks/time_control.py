"""Time a board with control and the plain one of the same votes, after imports, taking turns; prints JSON.

The file is read anew each time. Arguments: the number of votes, and of runs.
"""

import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import betterthan as bt

_SYSTEMS = 100
CONTROL = "length,headers,lists"


def write_votes(path: Path, number: int) -> None:
    """Write votes with three features of both sides."""
    rng = np.random.default_rng(0)
    strength, base = rng.normal(0, 0.6, _SYSTEMS), rng.normal(6, 0.3, _SYSTEMS)
    left = rng.integers(0, _SYSTEMS, number)
    right = (left + rng.integers(1, _SYSTEMS, number)) % _SYSTEMS
    length = [np.exp(base[side] + rng.normal(0, 0.5, number)).astype(int) + 1 for side in (left, right)]
    headers, lists = ([rng.poisson(side / each) for side in length] for each in (150, 80))
    relative = (length[0] - length[1]) / (length[0] + length[1])
    won = rng.random(number) < 1 / (1 + np.exp(strength[right] - strength[left] - 0.5 * relative))
    names = np.array([f"m{place:03d}" for place in range(_SYSTEMS)])
    columns = {
        "question_id": rng.integers(0, number // 3, number),
        "judge": rng.integers(0, number // 8, number),
        "model_a": names[left],
        "model_b": names[right],
        "winner": np.where(rng.random(number) < 0.15, "tie", np.where(won, "model_a", "model_b")),
        **{f"{name}_{side}": values for name, both in (("length", length), ("headers", headers), ("lists", lists))
           for side, values in zip("ab", both, strict=True)},
    }  # fmt: skip
    parquet.write_table(pa.table(columns), path)


def main(number: int, runs: int) -> None:
    """Time both boards by single votes, and by items and judges."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.parquet"
        write_votes(path, number)
        plain = Path(folder) / "plain.parquet"  # without columns of style, which the plain board would look at
        parquet.write_table(parquet.read_table(path).select([0, 1, 2, 3, 4]), plain)
        bt.rank(str(path), control=CONTROL, resamples=20, unit="row")  # loads what both need
        for unit in ("row", "item+judge"):
            best = {}
            for _ in range(runs):
                for name, source, options in (("plain", plain, {}), ("control", path, {"control": CONTROL})):
                    wall, cpu = perf_counter(), process_time()
                    bt.rank(str(source), unit=unit, **options)
                    spent = perf_counter() - wall, process_time() - cpu
                    best[name] = tuple(map(min, best.get(name, spent), spent))
            found.append({"votes": number, "unit": unit, **best})
    print(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
