"""Reading: wide tables of scores beside pandas, and nested votes of JSON lines beside a bare group-by."""

import json

from process import child
from report import Target, table, write

#: What `rank --ci none` of nested votes may take, in CPU time of the bare group-by: every line is parsed twice.
LINES_LIMIT = 3.0


def run() -> None:
    """Read in processes of their own, and write the page."""
    lines = json.loads(child("time_lines.py").splitlines()[-1])
    (base, base_clock), *others = lines["seconds"].values()
    told = json.loads(child("time_reading.py").splitlines()[-1])
    rows = [
        [case["name"], f"{case['ours']:.3f}", f"{case['pandas']:.3f}", f"{case['ours'] / case['pandas']:.1f}"]
        for case in told
    ]
    text = [
        "`bt.read(path)` of a CSV file with a column per system: recognised, checked, every row accounted for. "
        "`pandas.read_csv(path)` parses the same file in the same process. The best of five runs each, in seconds.\n",
        table(["instances × systems", "betterthan", "pandas", "times"], rows),
        "## JSON lines\n",
        f"{lines['rows']:,} votes with nested conversations and metadata, {lines['gigabytes']:.1f} GB. Whole "
        "processes, imports included; the least of three runs, taking turns. The group-by is told its three columns. "
        "`rank` parses every line twice: once for its keys, because one that comes late must not be lost, and once "
        "for its columns.\n",
        table(
            ["process", "CPU s", "times", "seconds", "times"],
            [
                [name, f"{cpu:.1f}", f"{cpu / base:.1f}", f"{clock:.1f}", f"{clock / base_clock:.1f}"]
                for name, (cpu, clock) in lines["seconds"].items()
            ],
        ),
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
    targets.append(
        Target.below(
            f"`rank --ci none` of nested JSON lines: at most {LINES_LIMIT} × the group-by, by CPU time",
            others[0][0] / base,
            LINES_LIMIT,
            "×",
        )
    )
    write("reading", "Reading", text, targets, ("duckdb", "numpy", "pandas"))
