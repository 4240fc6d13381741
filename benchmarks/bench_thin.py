"""Thin evidence and many systems: what the default call costs, and whether quicker resamples are as wide as refits."""

import json
import sys
from pathlib import Path

from data import FOLDER
from process import child
from report import Target, table, write

#: What is ranked, by which further options.
SIZES = {
    "systems": ("1,000 systems, a million judgments, one by one", ()),
    "pairs": ("3,000 systems, one judgment of every pair", ()),
    "players": ("100,000 systems, a million judgments of random pairs", ()),
    "rankings": ("10,000 rankings of 20 systems with ties, Plackett–Luce", ("--model", "plackett-luce")),
}
#: Comparisons small enough to be refitted here; what is known about every system is less than at full size.
SMALLER = {
    "votes": ("a million judgments of 100 systems, one by one", 1000, (0, 1, 2)),
    "systems": ("a million judgments of 1,000 systems, one by one; 25 of them have few", 200, (0, 1, 2)),
    "hundreds": ("200,000 judgments of 200 systems, random pairs", 1000, (0, 1, 2)),
    "pairs": ("700 systems, one judgment of every pair", 100, (0, 1, 2)),
    "rankings": ("1,000 rankings of 20 systems with ties, Plackett–Luce", 100, (0, 1, 2)),
}


def run() -> None:
    """Time whole processes, and compare the widths of intervals."""
    script = str(Path(sys.executable).with_name("betterthan"))
    rows, targets = [], []
    FOLDER.mkdir(exist_ok=True)
    for name, (what, options) in SIZES.items():
        path = str(FOLDER / f"thin-{name}.parquet")
        child("time_thin.py", "make", name, path)
        used = json.loads(child("time_arena.py", "run", script, "rank", path, *options).splitlines()[-1])
        print(f"  {what}: {used}", flush=True)
        rows.append([what, f"{used['cpu']:.0f}", f"{used['peak']:.2f}"])
        targets.append(Target.below(f"{what}: below 2 GB", used["peak"], 2, "GB"))
    widths = []
    for name, (what, resamples, seeds) in SMALLER.items():
        found = json.loads(child("time_thin.py", "widths", name, str(resamples), *map(str, seeds)).splitlines()[-1])
        refit, step = (sum(each) / len(each) for each in (found["refit"], found["step"]))
        print(f"  {what}: {found}", flush=True)
        widths.append(
            [what, f"{len(seeds)} × {resamples}", f"{refit:.3f}", f"{step:.3f}", f"{100 * (step / refit - 1):+.1f} %"]
        )
        targets.append(Target.below(f"{what}: mean width within 2 % of refits", 100 * abs(step / refit - 1), 2, "%"))
    text = [
        "The default call, `betterthan rank FILE`, with its intervals: whole processes.\n",
        table(["evidence", "CPU s", "peak GB"], rows),
        "Where much is known about every system, one Newton step from the estimate replaces the refit of a bootstrap "
        "sample. A few systems of which less is known are refitted alone. Mean width of the 95 % intervals on the Elo "
        "scale:\n",
        table(["evidence", "seeds × samples", "refits", "one step", "difference"], widths),
        "Where many systems have few judgments, samples are always refitted, by 200 to 1,000 samples.\n",
    ]
    write("thin", "Thin evidence and many systems", text, targets, ("numpy", "scipy"))
