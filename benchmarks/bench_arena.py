"""Votes with prompts and judges: what honest intervals cost beside a bare group-by, and how wide they are."""

import json
import sys
from pathlib import Path

from data import made
from process import child
from report import Target, table, write

RUNS = 3
#: Widths are compared by these seeds.
SEEDS = (0, 1, 2)
BARE3, BARE5 = "DuckDB, group-by of three columns", "DuckDB, group-by of five columns"
POINT, ROW, DEFAULT = "`rank --ci none`", "`rank --unit row`", "`rank` (default: by item and judge)"
EXACT = "`rank --buckets 0` (the same by exact units)"
#: Data frames that are ranked by all defaults, too.
FRAMES = ("Polars", "Polars, lazy", "pandas", "PyArrow")


def run() -> None:
    """Time whole processes, taking turns, and compare the widths of intervals."""
    path = str(made("10m", "units.parquet"))
    script = str(Path(sys.executable).with_name("betterthan"))
    commands = {
        BARE3: ["time_arena.py", "bare", path, "3"],
        BARE5: ["time_arena.py", "bare", path, "5"],
        POINT: ["time_arena.py", "run", script, "rank", path, "--ci", "none"],
        ROW: ["time_arena.py", "run", script, "rank", path, "--unit", "row"],
        DEFAULT: ["time_arena.py", "run", script, "rank", path],
        EXACT: ["time_arena.py", "run", script, "rank", path, "--buckets", "0"],
    }
    for kind in FRAMES:
        commands[f"`bt.rank` of a frame: {kind}"] = ["time_arena.py", "frame", path, kind]
    best: dict[str, dict[str, float]] = {}
    for turn in range(RUNS):
        for name, command in commands.items():
            if turn and (name == EXACT or "frame" in name):
                continue
            new = json.loads(child(*command).splitlines()[-1])
            print(f"  {name}: {new}", flush=True)
            old = best.get(name, new)
            best[name] = {
                "seconds": min(new["seconds"], old["seconds"]),
                "cpu": min(new["cpu"], old["cpu"]),
                "peak": max(new["peak"], old["peak"]),
            }
    widths = json.loads(child("time_arena.py", "widths", path, *map(str, SEEDS)).splitlines()[-1])
    exact, buckets = (sum(each) / len(each) for each in (widths["exact"], widths["buckets"]))
    rows = [
        [
            name,
            f"{found['seconds']:.2f}",
            f"{found['cpu']:.2f}",
            f"{found['peak']:.2f}",
            f"{found['seconds'] / best[BARE5]['seconds']:.2f}",
        ]
        for name, found in best.items()
    ]
    targets = [
        Target.below(
            "default call at most 6 × the bare group-by of five columns, whole processes",
            best[DEFAULT]["seconds"] / best[BARE5]["seconds"],
            6,
            "×",
        ),
        Target.below("the same by CPU time", best[DEFAULT]["cpu"] / best[BARE5]["cpu"], 6, "×"),
        Target.below("default call below 0.8 GB", best[DEFAULT]["peak"], 0.8, "GB"),
        Target.below(
            "`--ci none` at most 4 × the bare group-by of three columns",
            best[POINT]["seconds"] / best[BARE3]["seconds"],
            4,
            "×",
        ),
        Target.below("mean width of intervals within 2 % of exact units", 100 * abs(buckets / exact - 1), 2, "%"),
    ]
    text = [
        "10 million judgments of 100 systems with 1 million prompts and 200,000 judges, Parquet. Whole processes from "
        f"start to end, best of {RUNS}, taking turns (exact units and frames once); the peak is the largest.\n",
        table(["what", "seconds", "CPU s", "peak GB", "× five columns"], rows),
        f"Mean width of the 95 % intervals on the Elo scale over seeds {', '.join(map(str, SEEDS))}: "
        f"{exact:.3f} by exact units, {buckets:.3f} by 4,096 buckets ({100 * (buckets / exact - 1):+.1f} %).\n",
    ]
    write("arena", "Arena scale", text, targets, ("duckdb", "numpy", "scipy"))
