"""How long `betterthan next` takes on a million judgments of 200 systems."""

import json

from process import child
from report import Target, table, write

MOST = 2.0


def run() -> None:
    """Time it in a process of its own, and write the page."""
    told = json.loads(child("time_next.py").splitlines()[-1])
    rows = [[each["policy"], each["file"], f"{each['seconds']:.2f}"] for each in told]
    text = [
        "`betterthan next FILE -n 100` on a million judgments of 200 systems, from the start of the process to its "
        "end; the best of three.\n",
        table(["policy", "file", "seconds"], rows),
    ]
    targets = [
        Target(
            f"{each['policy']}, {each['file']}: under {MOST:g} s", f"{each['seconds']:.2f} s", each["seconds"] < MOST
        )
        for each in told
    ]
    write("next", "The next comparison", text, targets, ("duckdb", "numpy", "scipy"))
