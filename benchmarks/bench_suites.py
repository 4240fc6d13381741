"""Do overall scores of several tasks keep their level, on tasks as they are and for tasks like these?"""

import json
from typing import Any

from scipy import stats

from process import child
from report import Target, table, write

#: Data sets per world, of suites up to 10 tasks.
DATA_SETS = 240
#: The most equal systems that may be told apart, and the least differences that intervals cover.
_ALARMS, _COVERED = 0.06, 0.94

Row = dict[str, Any]


def run() -> None:
    """Simulate in a process of its own, and write the page."""
    page(json.loads(child("suite_worlds.py", str(DATA_SETS)).splitlines()[-1]))


def page(rows: list[Row]) -> None:
    """Write every world."""
    lines = [
        [
            row["name"],
            f"{row['data_sets']:,}",
            _share(row, "alarms"),
            _share(row, "firsts"),
            _share(row, "covered") if row["covers"] else "–",
        ]
        for row in rows
    ]
    text = [
        "The world names the scores, what is said of tasks, and their number. In per cent, with the Monte-Carlo "
        "standard error. Three equal systems on tasks of 15 to 60 items: some pair should be decided in at most 5 % of "
        "data sets (*any pair*), and a system shown to be the best of all in at most 5 % (*first*). Of two systems "
        "that differ, the interval of the overall difference should cover the truth in 95 % (*covered*). Random tasks "
        "differ in which system they favour; few of them leave intervals wide and decisions rare. *Two metrics* are "
        "two measurements of the same items.\n",
        table(["world", "data sets", "any pair", "first", "covered"], lines),
    ]
    worst = max(rows, key=lambda row: row["alarms"] / row["data_sets"])
    covering = [row for row in rows if row["covers"]]
    least = min(covering, key=lambda row: row["covered"] / row["data_sets"])
    targets = [
        Target(
            "some pair of equal systems is decided in at most 6 %, beyond Monte-Carlo error",
            f"{_share(worst, 'alarms')} at most ({worst['name']})",
            _at_most(worst["alarms"], worst["data_sets"], _ALARMS),
        ),
        Target(
            "intervals of the overall difference cover the truth in at least 94 %, beyond Monte-Carlo error",
            f"{_share(least, 'covered')} at least ({least['name']})",
            _at_most(least["data_sets"] - least["covered"], least["data_sets"], 1 - _COVERED),
        ),
    ]
    write("suites", "Overall scores of several tasks", text, targets, ["numpy", "scipy"])


def _at_most(count: int, number: int, share: float) -> bool:
    """Whether a count is no larger than one in forty samples of that share has it."""
    return bool(count <= stats.binom.ppf(0.975, number, share))


def _share(row: Row, what: str) -> str:
    share, number = row[what] / row["data_sets"], row["data_sets"]
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / number) ** 0.5:.1f}"
