"""Reading other tools' results: a million lines of samples."""

import json

from process import child
from report import Target, table, write


def run() -> None:
    """Read in a process of its own, and write the page."""
    told = json.loads(child("time_tools.py").splitlines()[-1])
    size, memory = (f"{told[name] / 1e9:.2f}" for name in ("bytes", "memory"))
    text = [
        "`bt.read(folder)` of a million sample lines of twenty systems, with two metrics, in lm-evaluation-harness's "
        "layout: recognised, checked, arranged as two tables of 50,000 items.\n",
        table(
            ["GB of files", "seconds", "CPU seconds", "peak GB"],
            [[size, f"{told['seconds']:.1f}", f"{told['cpu']:.1f}", memory]],
        ),
    ]
    targets = [
        Target("under 20 s", f"{told['seconds']:.1f} s", told["seconds"] < 20),
        Target("under 2 GB", f"{memory} GB", told["memory"] < 2e9),
    ]
    write("tools", "Reading other tools' results", text, targets, ("duckdb", "numpy"))
