"""Do default calls keep their promises in hostile worlds? Every cell is judged without an allowance."""

import json
from typing import Any

from process import HERE, child
from report import Target, table, write

#: The limits of data sets per cell, and of time.
DATA_SETS, SECONDS = 20_000, 6 * 3600
#: Counts of earlier runs, which a run continues. Delete the file after a change of intervals or tests.
COUNTS = HERE / "results" / "hostile.json"


def run() -> None:
    """Simulate in a process of its own, and write the page."""
    limits = (str(DATA_SETS), "--seconds", str(SECONDS), "--counts", str(COUNTS))
    page(json.loads(child("hostile.py", *limits).splitlines()[-1]))


def page(told: dict[str, Any]) -> None:
    """Write all cells."""
    cells = told["cells"]
    measures = list(dict.fromkeys(cell["measure"] for cell in cells))
    text = [
        f"Default calls in worlds of known truth, at most {told['most']:,} data sets each. A cell is simulated until "
        "the 99 % interval of its rate lies inside or outside its band; those that are decided soonest come first, so "
        "that cells have different numbers of data sets. *Open* cells are those for which they did not suffice. From "
        "five units on an interval should hold the truth in 94 to 97 %, with two to four units in 93 % or more; "
        "*above* means cautious. False alarms should be at most 6 %. How far trials of one data set depend on each "
        "other is estimated.\n"
    ]
    for measure in measures:
        some = [cell for cell in cells if cell["measure"] == measure]
        rows = [
            [
                cell["world"],
                f"{100 * cell['rate']:.1f}",
                f"{100 * cell['low']:.1f} to {100 * cell['high']:.1f}",
                f"{cell['data_sets']:,}",
                cell["verdict"],
            ]
            for cell in some
        ]
        text += [f"## {measure}\n", table(["world", "%", "99 % interval", "data sets", "verdict"], rows)]
    targets = [
        Target(f"{measure}: no cell on the wrong side", _wrong(cells, measure), not _missed(cells, measure))
        for measure in measures
    ]
    write("hostile", "Default calls in hostile worlds", text, targets, ["numpy", "scipy"])


def _missed(cells: list[dict[str, Any]], measure: str) -> list[dict[str, Any]]:
    """Return the cells that promise more than they keep."""
    wrong = "below" if "interval" in measure else "above"
    return [cell for cell in cells if cell["measure"] == measure and cell["verdict"] == wrong]


def _wrong(cells: list[dict[str, Any]], measure: str) -> str:
    missed, all_of = _missed(cells, measure), [cell for cell in cells if cell["measure"] == measure]
    names = f": {', '.join(cell['world'] for cell in missed)}" if missed else ""
    return f"{len(missed)} of {len(all_of)} cells miss{names}"
