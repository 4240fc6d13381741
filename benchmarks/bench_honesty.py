"""Does every verb's default call promise what it keeps? Worlds with known truth."""

import json
from typing import Any

from process import child
from report import Target, table, write

#: Data sets per world: enough to see a point or two of coverage, in about half an hour on two cores.
DATA_SETS = 150

Row = dict[str, Any]


def run() -> None:
    """Simulate in processes of their own, and write the page."""
    page(json.loads(child("honesty.py", str(DATA_SETS)).splitlines()[-1]))


def page(told: Row) -> None:
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
    ]
    targets = [
        Target(
            f"{kind}, {measure}: every cell within its band, or with a reason",
            _range(some),
            not any(row["missed"] and row["why"] is None for row in some),
        )
        for (kind, measure), some in by_measure.items()
    ]
    write("honesty", "Honesty of default calls", text, targets, ("numpy", "scipy"))


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
