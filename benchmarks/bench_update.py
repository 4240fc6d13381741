"""A leaderboard that grows: a million known judgments, a thousand new ones."""

import json

from data import made
from process import child
from report import Target, table, write

NEW = 1_000
WARM = '`boards.update(new, ci="none")`'


def run() -> None:
    """Time updates in a process of their own, and write the page."""
    told = json.loads(child("time_update.py", str(made("1m", "units.parquet")), str(NEW)).splitlines()[-1])
    seconds = told["seconds"]
    rows = [[what, f"{1000 * took:,.0f}"] for what, took in seconds.items()]
    text = [
        f"A million judgments of 100 systems are known, {NEW:,} are new (`units.parquet`, with prompts and judges). "
        "The best of four, each with other new judgments; all at once the best of three, reading included.\n",
        table(["what", "ms"], rows),
        f"The state in a DuckDB file takes {told['megabytes']:.0f} MB; a weekly run reads it and the new file only.\n",
    ]
    targets = [
        Target.below('`update(new, ci="none")`: below 50 ms', 1000 * seconds[WARM], 50, "ms"),
        Target.below("largest difference from all at once, log strengths: below 1e-9", told["difference"], 1e-9, ""),
        Target.below("largest difference of interval ends, by item and judge: below 1e-9", told["ends"], 1e-9, ""),
    ]
    write("update", "A leaderboard that grows", text, targets, ("duckdb", "numpy"))
