"""Boards that control for style: coverage of strengths and effects, and time beside the plain board."""

import json
from typing import Any

from process import child
from report import Target, table, write

#: Data sets per world, and sizes that are timed with the number of runs.
DATA_SETS, SIZES = 400, ((200_000, 3), (2_000_000, 2))
#: How many times the plain board's time a board with control may take.
_MOST = 3.0

Row = dict[str, Any]


def run() -> None:
    """Simulate and time in processes of their own, and write the page."""
    worlds = json.loads(child("control_worlds.py", str(DATA_SETS)).splitlines()[-1])
    times = [row for size, runs in SIZES for row in _timed(size, runs)]
    page(worlds, times)


def _timed(size: int, runs: int) -> list[Row]:
    found: list[Row] = json.loads(child("time_control.py", str(size), str(runs)).splitlines()[-1])
    return found


def page(worlds: list[Row], times: list[Row]) -> None:
    """Write coverage and times."""
    text = [
        f"{worlds[0]['data_sets']:,} data sets per world, `rank --control length,headers` with its defaults and 500 "
        "resamples. Votes depend on 200 to 400 items and 12 to 60 judges. Length has an effect of 0.6 log-odds per "
        "standard deviation, headers have none. Shares are in per cent.\n",
        table(
            [
                "world",
                "strengths covered",
                "effect covered",
                "false alarms",
                "right leader",
                "right leader without control",
                "wrong leader shown to be best",
            ],
            [[row["name"], *(f"{100 * share:.1f}" for share in row["shares"])] for row in worlds],
        ),
        "Three columns of style, 100 systems, from Parquet, imports not counted: seconds (CPU seconds).\n",
        table(
            ["votes", "unit", "plain", "with control", "ratio of CPU time"],
            [
                [
                    f"{row['votes']:,}",
                    row["unit"],
                    f"{row['plain'][0]:.2f} ({row['plain'][1]:.2f})",
                    f"{row['control'][0]:.2f} ({row['control'][1]:.2f})",
                    f"{_ratio(row):.2f}",
                ]
                for row in times
            ],
        ),
    ]
    least = min(row["shares"][0] for row in worlds)
    alarms = max(row["shares"][2] for row in worlds)
    slowest = max(times, key=_ratio)
    targets = [
        Target("strengths are covered in at least 93 %", f"{100 * least:.1f} % at least", least >= 0.93),
        Target(
            "a feature without effect is significant in at most 6 %", f"{100 * alarms:.1f} % at most", alarms <= 0.06
        ),
        Target(
            f"at most {_MOST:g} × the plain board, by CPU time",
            f"{_ratio(slowest):.2f} × ({slowest['votes']:,} votes, {slowest['unit']})",
            _ratio(slowest) <= _MOST,
        ),
    ]
    write("control", "Boards that control for style", text, targets, ["numpy", "duckdb"])


def _ratio(row: Row) -> float:
    return float(row["control"][1] / row["plain"][1])
