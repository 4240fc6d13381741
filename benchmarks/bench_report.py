"""The report: how long it takes from a file to a page, and how large the page is."""

import json
from pathlib import Path

from process import child
from report import Target, table, write

WMT13 = Path(__file__).parent.parent.parent / "shared" / "data" / "wmt13-fr-en" / "rankings.csv.gz"


def run() -> None:
    """Make the reports in a process of their own, and write the page."""
    told = json.loads(child("time_report.py", str(WMT13)).splitlines()[-1])
    rows = [[case["name"], f"{case['seconds']:.1f}", f"{case['megabytes']:.2f}"] for case in told]
    text = [
        "`bt.report(path)` with every default (1,000 resamples), reading included, imports not; the best of three.\n",
        table(["evidence", "seconds", "page in MB"], rows),
    ]
    targets = []
    for case in told:
        name, seconds, size = case["name"], case["seconds"], case["megabytes"]
        if case["limit"]:
            targets.append(Target(f"{name}: under {case['limit']} s", f"{seconds:.1f} s", seconds < case["limit"]))
        targets.append(Target(f"{name}: under {case['most']} MB", f"{size:.2f} MB", size < case["most"]))
    write("report", "The report", text, targets, ("altair", "duckdb", "jinja2", "numpy", "vl-convert-python"))
