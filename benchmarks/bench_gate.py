"""Does `gate` pass versions at the margin no more often than it says, and equal ones as often as tests made for it?"""

import json
from typing import Any

from process import child
from report import Target, table, write

#: Data sets per world.
DATA_SETS = 1_000
#: The most that may pass at the margin, and how many points of power may be lost.
_FALSE, _LOST = 0.06, 0.02

Row = dict[str, Any]


def run() -> None:
    """Simulate in a process of its own, and write the page."""
    page(json.loads(child("gate_worlds.py", str(DATA_SETS)).splitlines()[-1]))


def page(rows: list[Row]) -> None:
    """Write every world."""
    lines = [
        [
            row["name"],
            f"{row['units']}",
            _share(row, "false passes"),
            _share(row, "false fails"),
            _share(row, "passes"),
            _share(row, "rival false") if row["rival known"] else "–",
            _share(row, "rival") if row["rival known"] else "–",
        ]
        for row in rows
    ]
    text = [
        f"{rows[0]['data_sets']:,} data sets per world, in per cent, with the Monte-Carlo standard error. A version "
        "that is worse by exactly the margin should pass in at most 5 %, and fail in at most 5 %; one that is equal "
        "should pass as often as possible. Beside it are the tests that are made for such scores: Student's paired "
        "t-test, and the score test of paired right and wrong answers (Tango 1998), which is McNemar's at a margin of "
        "0. Neither knows groups, runs or slices. Units are items; documents in *documents*; items of each slice in "
        "*three slices*.\n",
        table(
            ["world", "units", "false pass", "false fail", "equal passes", "test: false pass", "test: equal passes"],
            lines,
        ),
    ]
    worst = max(rows, key=lambda row: row["false passes"] / row["data_sets"])
    fair = [row for row in rows if row["rival known"] and row["rival false"] <= _FALSE * row["data_sets"]]
    behind = max(fair, key=lambda row: (row["rival"] - row["passes"]) / row["data_sets"])
    lost = (behind["rival"] - behind["passes"]) / behind["data_sets"]
    targets = [
        Target(
            "false passes: at most 6 % in every world",
            f"{_share(worst, 'false passes')} at most ({worst['name']}, {worst['units']})",
            worst["false passes"] <= _FALSE * worst["data_sets"],
        ),
        Target(
            "equal versions pass at most 2 points less often than by the test, where it keeps its level",
            f"{100 * lost:.1f} points at most ({behind['name']}, {behind['units']})",
            lost <= _LOST,
        ),
    ]
    write("gate", "Gates at the margin", text, targets, ["numpy", "scipy"])


def _share(row: Row, what: str) -> str:
    share, number = row[what] / row["data_sets"], row["data_sets"]
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / number) ** 0.5:.1f}"
