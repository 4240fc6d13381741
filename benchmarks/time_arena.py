"""Pieces of the arena benchmark, each a process of its own; the last line printed is JSON."""

import json
import resource
import subprocess
import sys
from time import perf_counter

COLUMNS = ("model_a", "model_b", "winner", "prompt_id", "judge")


def _usage(start: float, who: int) -> dict[str, float]:
    used = resource.getrusage(who)
    return {"seconds": perf_counter() - start, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss / 1e6}


def bare(path: str, number: str) -> None:
    """Group by the first columns in DuckDB, import included, and count the groups."""
    start = perf_counter()
    code = (
        "import duckdb, sys; path, columns = sys.argv[1:]; "
        "grouped = f\"SELECT {columns}, count(*) FROM '{path}' GROUP BY ALL\"; "
        "duckdb.sql(f'SELECT count(*) FROM ({grouped})').fetchall()"
    )
    subprocess.run([sys.executable, "-c", code, path, ", ".join(COLUMNS[: int(number)])], check=True)
    print(json.dumps(_usage(start, resource.RUSAGE_CHILDREN)))


def run(*command: str) -> None:
    """Run a command to its end."""
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(json.dumps(_usage(start, resource.RUSAGE_CHILDREN)))


def frame(path: str, kind: str) -> None:
    """Rank a data frame by all defaults, its reading included."""
    start = perf_counter()
    read = {
        "Polars": "polars.read_parquet",
        "Polars, lazy": "polars.scan_parquet",
        "pandas": "pandas.read_parquet",
        "PyArrow": "pyarrow.parquet.read_table",
    }[kind]
    module = read.rpartition(".")[0]
    code = f"import sys, {module}, betterthan; print(betterthan.rank({read}(sys.argv[1])))"
    subprocess.run([sys.executable, "-c", code, path], check=True, stdout=subprocess.DEVNULL)
    print(json.dumps(_usage(start, resource.RUSAGE_CHILDREN)))


def widths(path: str, *seeds: str) -> None:
    """Return the mean width of intervals by exact units and by buckets, for every seed."""
    import betterthan as bt

    found: dict[str, list[float]] = {"exact": [], "buckets": []}
    for seed in map(int, seeds):
        for name, buckets in (("exact", 0), ("buckets", None)):
            board = bt.rank(path, seed=seed, buckets=buckets).board
            found[name].append(sum(row.high - row.low for row in board) / len(board))
    print(json.dumps(found))


if __name__ == "__main__":
    {"bare": bare, "run": run, "frame": frame, "widths": widths}[sys.argv[1]](*sys.argv[2:])
