"""Do 95 % intervals hold the truth in 95 % of cases? Simulated judgments whose truth is known."""

import json

from process import child
from report import Target, table, write

LOW, HIGH = 0.93, 0.97


def run() -> None:
    """Simulate in a process of its own, and write the table."""
    told = json.loads(child("simulate.py").splitlines()[-1])
    rows = [
        [
            case["world"],
            case["unit"],
            case["ci"],
            f"{100 * case['coverage']:.1f} %",
            f"{100 * case['error']:.1f} %",
            f"{case['width']:.3f}",
        ]
        for case in told["cases"]
    ]
    targets = [
        Target(
            f"{case['ci']} by {case['unit']}, {case['world']}: 93–97 %",
            f"{100 * case['coverage']:.1f} % ± {100 * case['error']:.1f} %",
            LOW <= case["coverage"] <= HIGH,
        )
        for case in told["cases"]
        if case["right"]
    ]
    text = [
        f"{told['data_sets']} simulated data sets per world, {told['systems']} systems, intervals of all systems "
        f"pooled; {told['resamples']} resamples each. The error is the Monte-Carlo standard error over data sets. The "
        "truth is what Bradley–Terry finds in infinitely many judgments of the world.\n",
        "".join(f"- *{world['name']}*: {world['what']}\n" for world in told["worlds"]),
        table(["world", "unit resampled", "interval", "coverage", "error", "mean width"], rows),
        "Rows that resample single judgments of a world whose judgments hang together are a warning, not a target: "
        "intervals that look sharp because they are wrong.\n",
    ]
    write("coverage", "Coverage of 95 % intervals", text, targets, ("numpy", "scipy"))
