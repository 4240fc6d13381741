"""The same few, tied or skewed scores for betterthan and its peers, each by its first documented function."""

import json
from typing import Any

from process import child
from report import Target, table, write

#: Data sets per case, in about five minutes on two cores.
DATA_SETS = 300
#: More false alarms than this are too many for a test at 5 %: its power is no merit then.
_KEPT = 0.06

Row = dict[str, Any]


def run() -> None:
    """Simulate in a process of its own, and write the page."""
    page(json.loads(child("side_by_side.py", str(DATA_SETS)).splitlines()[-1]))


def page(told: Row) -> None:
    """Write what was simulated."""
    text = [
        f"The same {told['data_sets']:,} data sets for everybody, default calls: `betterthan.compare` and "
        "`betterthan.rank`, evalstats' `compare_models`, SciPy's `binomtest(…).proportion_ci()` and `ttest_rel`, "
        "arena-rank's `compute_ratings_and_cis`. Shares in per cent: intervals that hold the truth (coverage), equal "
        "systems that are said to differ (alarm), different ones (power). evalstats answers from 15 items on.\n",
        _peers(told["rows"]),
        "## Time\n",
        "`betterthan.compare` and `evalstats.compare_models` of two systems on 50 items, best of 30 calls each, taking "
        f"turns: {1000 * told['seconds']['betterthan']:.1f} and {1000 * told['seconds']['evalstats']:.1f} ms.\n",
    ]
    seconds = told["seconds"]
    targets = [
        *_contests(told["rows"]),
        Target.below(
            "`compare` of 50 items at most as long as `compare_models`",
            seconds["betterthan"] / seconds["evalstats"],
            1,
            "×",
        ),
    ]
    write("side-by-side", "Side by side with peers", text, targets, ("numpy", "scipy", "evalstats", "arena-rank"))


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _peers(rows: list[Row]) -> str:
    packages = list(dict.fromkeys(package for row in rows for package in row["shares"]))
    lines = [[row["case"], row["measure"], *(_percent(row["shares"].get(name)) for name in packages)] for row in rows]
    return table(["case", "measure", *packages], lines)


def _contests(rows: list[Row]) -> list[Target]:
    """Aim at being behind no peer by more than a point, and ahead in power on average."""
    behind = []
    for row in rows:
        ours = row["shares"]["betterthan"]
        for name, share in row["shares"].items():
            # Too little coverage is behind, too much is cautious and not wrong; false alarms below 5 % are no merit.
            if row["measure"] == "power" or name == "betterthan":
                continue
            lack = min(share, 0.95) - ours if row["measure"] == "coverage" else ours - max(0.05, share)
            behind.append((max(0.0, lack), lack - 2 * row["errors"][name] > 0.01, f"{row['case']}, {name}"))
    lack, _, where = max(behind, key=lambda each: (each[1], each[0]))
    return [
        Target(
            "behind no peer by more than one point (up to 95 % coverage, 5 % false alarms) and two errors",
            f"{_percent(lack)} ({where})",
            not any(found for _, found, _ in behind),
        ),
        _powers(rows),
    ]


def _powers(rows: list[Row]) -> Target:
    """Aim at losing at most two points of power to the best peer that keeps its level on the same data."""
    alarms = {row["case"]: row["shares"] for row in rows if row["measure"] == "alarm"}
    lost = []
    for row in rows:
        if row["measure"] == "power":
            fair = {
                name: share
                for name, share in row["shares"].items()
                if name != "betterthan" and alarms[row["equal"]][name] <= _KEPT
            }
            if fair:
                best = max(fair, key=lambda name: fair[name])
                lost.append((fair[best] - row["shares"]["betterthan"], f"{row['case']}, {best}"))
    most, where = max(lost)
    return Target(
        "at most two points of power lost to the best peer that keeps its level",
        f"{_percent(most)} ({where})",
        most <= 0.02,
    )
