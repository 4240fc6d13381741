"""Does every verb's default call promise what it keeps? Worlds with known truth, and peers on the same data."""

import json
import sys
from typing import Any

from process import child
from report import Target, table, write

#: Misses that have a reason, by parts of their cell and measure.
REASONS: tuple[tuple[str, str], ...] = ()


def run() -> None:
    """Simulate in processes of their own, and write the page."""
    told = json.loads(child("honesty.py", *[text for text in sys.argv[1:] if text.isdigit()]).splitlines()[-1])
    peers = json.loads(child("honesty_peers.py").splitlines()[-1])
    rows = told["rows"]
    missed = [row for row in rows if row["missed"]]
    text = [
        f"{told['data_sets']} simulated data sets per world, four equal systems, every verb's default call. Units are "
        "those that are dependent: items, judges, both, groups of six items; without dependence, 24 judgments each or "
        "single items. Shares are in per cent; ± is the Monte-Carlo standard error of the worst cell. An interval "
        "should hold the truth in 93 to 99 % (95 % is aimed at, and intervals are cautious where few units or "
        "saturated scores leave no choice), a false alarm should come in at most 6 %.\n",
        *(_matrix(rows, kind, measure) for kind, measure in _measures(rows)),
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
        Target(f"{kind}, {measure}: every cell within its band", _range(rows, kind, measure),
               not any(row["missed"] for row in rows if (row["kind"], row["measure"]) == (kind, measure)))
        for kind, measure in _measures(rows)
    ]  # fmt: skip
    targets += _contests(peers["rows"])
    write("honesty", "Honesty of default calls", text, targets, ("numpy", "scipy", "evalstats", "arena-rank"))


def _measures(rows: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((row["kind"], row["measure"]) for row in rows))


def _matrix(rows: list[dict[str, Any]], kind: str, measure: str) -> str:
    """Return worlds × units of one measure."""
    some = [row for row in rows if (row["kind"], row["measure"]) == (kind, measure)]
    units = list(dict.fromkeys(row["units"] for row in some))
    worlds = list(dict.fromkeys((row["dependence"], row["outcome"]) for row in some))
    cells = {(row["dependence"], row["outcome"], row["units"]): row for row in some}
    lines = [
        [world[0], world[1], *(f"{100 * cells[*world, unit]['share']:.1f}{'!' if cells[*world, unit]['missed'] else ''}" for unit in units)]
        for world in worlds
    ]  # fmt: skip
    worst = max(row["error"] for row in some)
    head = ["dependence", "outcomes", *(f"{unit} units" for unit in units)]
    return f"### {kind}: {measure} (± {100 * worst:.1f})\n\n{table(head, lines)}"


def _range(rows: list[dict[str, Any]], kind: str, measure: str) -> str:
    shares = [row["share"] for row in rows if (row["kind"], row["measure"]) == (kind, measure)]
    return f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %"


def _missed(rows: list[dict[str, Any]]) -> str:
    def reason(row: dict[str, Any]) -> str:
        found = [why for part, why in REASONS if part in f"{row['cell']} {row['measure']}"]
        return found[0] if found else "not explained"

    lines = [[row["cell"], row["measure"], f"{100 * row['share']:.1f} ± {100 * row['error']:.1f}", reason(row)] for row in rows]
    return table(["world", "measure", "share", "reason"], lines)


def _peers(rows: list[dict[str, Any]]) -> str:
    packages = list(dict.fromkeys(package for row in rows for package in row["shares"]))
    lines = [
        [row["case"], row["measure"], *(f"{100 * row['shares'][package]:.1f}" if package in row["shares"] else "" for package in packages)]
        for row in rows
    ]  # fmt: skip
    return table(["case", "measure", *packages], lines)


def _contests(rows: list[dict[str, Any]]) -> list[Target]:
    """Aim at being behind no peer by more than a point, and ahead in power on average."""
    behind = []
    for row in rows:
        ours, others = row["shares"]["betterthan"], [share for name, share in row["shares"].items() if name != "betterthan"]
        if row["measure"] == "coverage":  # too little is behind; too much is cautious, not wrong
            lack = max(0.0, min(max(others), 0.95) - ours)
        elif row["measure"] == "alarm":
            lack = max(0.0, ours - max(0.05, min(others)))
        else:
            continue
        behind.append((lack, row["case"]))
    worst = max(behind)
    power = [row["shares"] for row in rows if row["measure"] == "power"]
    mean = {name: sum(shares[name] for shares in power) / len(power) for name in power[0]}
    best = max(share for name, share in mean.items() if name != "betterthan")
    return [
        Target("behind no peer by more than one point (to 95 % coverage, 5 % false alarms)",
               f"{100 * worst[0]:.1f} ({worst[1]})", worst[0] <= 0.01),
        Target("power on average ahead of every peer", ", ".join(f"{name} {100 * share:.1f} %" for name, share in mean.items()),
               mean["betterthan"] >= best),
    ]  # fmt: skip
