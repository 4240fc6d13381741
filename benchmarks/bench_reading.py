"""Reading wide tables of scores: how long it takes, beside pandas on the same file."""

import json

from process import child
from report import Target, table, write


def run() -> None:
    """Read in a process of its own, and write the page."""
    told = json.loads(child("time_reading.py").splitlines()[-1])
    rows = [
        [case["name"], f"{case['ours']:.3f}", f"{case['pandas']:.3f}", f"{case['ours'] / case['pandas']:.1f}"]
        for case in told
    ]
    text = [
        "`bt.read(path)` of a CSV file with a column per system: recognised, checked, every row accounted for. "
        "`pandas.read_csv(path)` parses the same file in the same process. The best of five runs each, in seconds.\n",
        table(["instances × systems", "betterthan", "pandas", "times"], rows),
    ]
    targets = [
        Target(
            f"{case['name']}: at most {case['limit']:g} × pandas",
            f"{case['ours'] / case['pandas']:.1f} ×",
            case["ours"] <= case["limit"] * case["pandas"],
        )
        for case in told
        if case["limit"]
    ]
    write("reading", "Reading scores", text, targets, ("duckdb", "numpy", "pandas"))
