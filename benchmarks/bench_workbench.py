"""The workbench: how long it takes from a change of an option to what the page shows."""

import json

from process import child
from report import Target, short, table, write

#: Seconds that a person waits without noticing that they wait.
MOST = 1.0


def run() -> None:
    """Measure in a process of its own, and write the page."""
    told = json.loads(child("time_workbench.py").splitlines()[-1])
    base = told["group_by"]
    rows = [["reading, the first time", short(told["reading"]), short(told["reading"] / base), "", ""]]
    for name, (scores, whole) in {"the first leaderboard": told["first"], **told["changes"]}.items():
        rows.append([name, short(scores), short(scores / base), short(whole), short(whole / base)])
    text = [
        f"{told['rows']:,} judgments of {told['systems']} systems with items and judges, from Parquet, over HTTP as "
        "the page asks: the whole leaderboard at once, and after 0.25 s also scores without intervals, shown until the "
        "whole is there. Defaults are 1,000 bootstrap samples by item and judge. The engine's own time is DuckDB's "
        f"group-by of model_a, model_b and winner over the same file, here {short(base)} s.\n",
        table(["change", "s to scores", "× group-by", "s to intervals", "× group-by"], rows),
    ]
    slowest = max(scores for scores, _ in told["changes"].values())
    targets = [Target.below("scores after any change within 1 s", slowest, MOST, "s")]
    write("workbench", "The workbench", text, targets, ("duckdb", "numpy", "starlette", "uvicorn"))
