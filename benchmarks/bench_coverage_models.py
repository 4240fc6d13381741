"""Do every model's 95 % bootstrap intervals hold what the model would find with unlimited evidence?"""

import json

from process import child
from report import Target, table, write

LOW, HIGH = 0.93, 0.97


def run() -> None:
    """Simulate in a process of its own, and write the table."""
    told = json.loads(child("simulate_models.py").splitlines()[-1])
    rows = [
        [case["kind"], case["model"], f"{100 * case['coverage']:.1f} %", f"{100 * case['error']:.1f} %"]
        for case in told["cases"]
    ]
    targets = [
        Target(
            f"{case['model']} from {case['kind']}: 93–97 %",
            f"{100 * case['coverage']:.1f} % ± {100 * case['error']:.1f} %",
            LOW <= case["coverage"] <= HIGH,
        )
        for case in told["cases"]
    ]
    text = [
        f"{told['data_sets']} simulated data sets per row, {told['resamples']} resamples of items each, intervals of "
        "all systems pooled. Judgments: 3,000 of 10 systems on 200 items whose judgments hang together, with ties. "
        "Scores: 8 systems on 200 instances of two types, with outliers; rankings: the same, ranked on every instance. "
        "The truth is what the model finds in the expected outcomes, or in very many instances; for models in order it "
        "is the mean of their own estimates over all data sets. The error is the Monte-Carlo standard error over data "
        "sets.\n",
        table(["evidence", "model", "coverage", "error"], rows),
    ]
    write("coverage-models", "Coverage of 95 % intervals, model by model", text, targets, ("numba", "numpy", "scipy"))
