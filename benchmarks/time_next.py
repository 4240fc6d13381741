"""Write a million judgments of 200 systems, and time `betterthan next -n 100` on them, process and all."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import duckdb
import numpy as np

SYSTEMS, JUDGMENTS = 200, 1_000_000
POLICIES = ("unresolved", "uniform", "uncertain", "information", "wmt", "trueskill-quality")


def write(folder: Path) -> list[Path]:
    """Write the judgments as CSV and as Parquet."""
    rng = np.random.default_rng(0)
    strength = rng.normal(size=SYSTEMS)
    left = rng.integers(SYSTEMS, size=JUDGMENTS)
    right = (left + rng.integers(1, SYSTEMS, size=JUDGMENTS)) % SYSTEMS
    wins = rng.random(JUDGMENTS) < 1 / (1 + np.exp(strength[right] - strength[left]))
    winner = np.where(rng.random(JUDGMENTS) < 0.15, "tie", np.where(wins, "model_a", "model_b"))
    names = np.array([f"system-{place:03d}" for place in range(SYSTEMS)])
    columns = {"model_a": names[left], "model_b": names[right], "winner": winner}  # noqa: F841 (DuckDB finds it)
    paths = [folder / f"votes.{ending}" for ending in ("parquet", "csv")]
    relation = duckdb.sql("SELECT * FROM columns")
    relation.write_parquet(str(paths[0]))
    relation.write_csv(str(paths[1]))
    return paths


def seconds(path: Path, policy: str) -> float:
    """Return the best of three, from the start of the process to its end."""
    run = "import sys; from betterthan.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", run, "next", str(path), "-n", "100", "--policy", policy, "--seed", "1"]
    times = []
    for _ in range(3):
        start = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        told = [
            {"file": path.suffix[1:], "policy": policy, "seconds": seconds(path, policy)}
            for path in write(Path(place))
            for policy in POLICIES
        ]
    print(json.dumps(told))
