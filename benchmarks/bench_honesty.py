"""Does every verb's default call promise what it keeps? Worlds with known truth, and peers on the same data."""

import json
from typing import Any

from process import child
from report import Target, table, write

#: Data sets per world: enough to see a point or two of coverage, in about half an hour on two cores.
DATA_SETS = {"honesty.py": 150, "honesty_peers.py": 200}
#: More false alarms than this are too many for a test at 5 %: its power is no merit then.
_KEPT = 0.06

Row = dict[str, Any]


def run() -> None:
    """Simulate in processes of their own, and write the page."""
    page(*(json.loads(child(script, str(number)).splitlines()[-1]) for script, number in DATA_SETS.items()))


def page(told: Row, peers: Row) -> None:
    """Write what was simulated."""
    rows = told["rows"]
    measures = list(dict.fromkeys((row["kind"], row["measure"]) for row in rows))
    by_measure = {key: [row for row in rows if (row["kind"], row["measure"]) == key] for key in measures}
    missed = [row for row in rows if row["missed"]]
    text = [
        f"{_numbers(rows)} simulated data sets per world, four equal systems, every verb's default call. Units are "
        "those that are dependent: items, judges, both, groups of six items; without dependence (or with random "
        "weights), 24 judgments each or single items. Shares are in per cent, with the Monte-Carlo standard error of "
        "the worst cell. An interval should hold the truth in 93 to 97 %, or up to 99 % where it is cautious: those "
        "cells have a ~. A false alarm should come in 3 to 6 %, or less where a test is cautious (~) or promises for "
        "all pairs at once. Cells beyond that by two errors have a !. Of plans, `power` is told the true difference "
        "and a first data set; what is shown is how often `compare` finds the difference in a second one of the size "
        "planned for 80 % (from estimates, so 74 to 94 % is the band). A third of the data sets is diagnosed.\n",
        *(_matrix(kind, measure, some) for (kind, measure), some in by_measure.items()),
        "## All worlds together\n",
        table(
            ["measure", "share", ""],
            [
                [row["measure"], f"{_percent(row['share'])} ± {_percent(row['error'])}", "!" if row["missed"] else ""]
                for row in told["pooled"]
            ],
        ),
        "## Outside the band\n",
        _missed(missed) if missed else "No cell lies outside its band by more than two Monte-Carlo errors.\n",
        "## Side by side\n",
        f"The same {peers['data_sets']} data sets for everybody, default calls: evalstats' `mean_ci` and "
        "`pairwise_differences`, SciPy's `binomtest(…).proportion_ci()` and `ttest_rel`, arena-rank's "
        "`compute_ratings_and_cis`. Shares in per cent: intervals that hold the truth (coverage), equal systems told "
        "apart (alarm), different ones (power).\n",
        _peers(peers["rows"]),
    ]
    targets = [
        Target(
            f"{kind}, {measure}: every cell within its band, or with a reason",
            _range(some),
            not any(row["missed"] and row["why"] is None for row in some),
        )
        for (kind, measure), some in by_measure.items()
    ]
    targets += _contests(peers["rows"])
    write("honesty", "Honesty of default calls", text, targets, ("numpy", "scipy", "evalstats", "arena-rank"))


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _matrix(kind: str, measure: str, some: list[Row]) -> str:
    """Return worlds × units of one measure."""
    units = list(dict.fromkeys(row["units"] for row in some))
    lines: dict[tuple[str, str], list[str]] = {}
    for row in some:
        cell = _percent(row["share"]) + ("!" if row["missed"] else "~" if row["cautious"] else "")
        lines.setdefault((row["dependence"], row["outcome"]), []).append(cell)
    head = ["dependence", "outcomes", *(f"{unit} units" for unit in units)]
    worst = _percent(max(row["error"] for row in some))
    return f"### {kind}: {measure} (± {worst})\n\n{table(head, [[*world, *cells] for world, cells in lines.items()])}"


def _numbers(rows: list[Row]) -> str:
    """Say how many data sets a world has."""
    least, most = (pick(row["data_sets"] for row in rows) for pick in (min, max))
    return str(least) if least == most else f"{least} to {most}"


def _range(some: list[Row]) -> str:
    shares = [row["share"] for row in some]
    return f"{_percent(min(shares))} to {_percent(max(shares))} %"


def _missed(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        share = f"{_percent(row['share'])} ± {_percent(row['error'])}"
        lines.append([row["cell"], row["measure"], share, row["why"] or "not explained"])
    return table(["world", "measure", "share", "reason"], lines)


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
        *_powers(rows),
    ]


def _powers(rows: list[Row]) -> list[Target]:
    """Aim at more power than each peer, on average over the worlds in which that peer keeps its level."""
    alarms = {row["case"]: row["shares"] for row in rows if row["measure"] == "alarm"}
    targets = []
    for peer in ("evalstats", "SciPy"):
        fair = [row["shares"] for row in rows if row["measure"] == "power" and alarms[row["equal"]][peer] <= _KEPT]
        ours, theirs = (sum(shares[name] for shares in fair) / len(fair) for name in ("betterthan", peer))
        said = f"betterthan {_percent(ours)} %, {peer} {_percent(theirs)} % in {len(fair)} worlds"
        targets.append(Target(f"power ahead of {peer} on average, where {peer} keeps its level", said, ours >= theirs))
    return targets
