"""Spark and Dask with several workers: what a ranking by items and judges takes there, and what leaves the engine."""

import json

from data import ROWS, made
from process import child
from report import Target, short, table, write

SIZES = ("100k", "1m", "10m")


def run() -> None:
    """Rank three sizes on both engines."""
    found = {}
    for engine in ("Spark", "Dask"):
        for size in SIZES:
            path = str(made(size, "units.parquet"))
            found[engine, size] = json.loads(child("time_cluster.py", engine, path).splitlines()[-1])
            print(f"  {engine}, {size}: {found[engine, size]}", flush=True)
    rows = [
        [engine, f"{ROWS[size]:,}", short(at["point"]), short(at["seconds"]), f"{at['rows']:,}"]
        for (engine, size), at in found.items()
    ]
    most = 3 * 4096 * 100 + 100 * 99 * 3 + 10
    moved = max(at["rows"] for at in found.values())
    alike = all(len({found[engine, size]["digest"] for engine in ("Spark", "Dask")}) == 1 for size in SIZES)
    targets = [
        Target(
            "what leaves the engine is bounded by buckets × systems, whatever the number of rows",
            f"at most {moved:,} rows",
            moved <= most,
        ),
        Target("both engines count the same", "same fingerprints" if alike else "different", alike),
    ]
    text = [
        "Parquet files with prompts and judges (100 systems), Spark in local mode with two workers, Dask with two "
        "worker processes on the same machine. Starting the engine and a first small ranking are not counted.\n",
        table(["engine", "judgments", "`ci=none`, s", "default, s", "rows that left"], rows),
        "What left Spark, of ten million judgments:\n",
        "```text\n" + found["Spark", "10m"]["told"] + "\n```\n",
    ]
    write("cluster", "Spark and Dask with several workers", text, targets, ("dask", "distributed", "numpy", "pyspark"))
