"""How long a full analysis of scores takes: a shared task's table, and one of the size of MSCOCO's captions.

Run as a script it is one measurement: `python bench_scores.py FILE WHERE` prints the seconds of every step.
"""

import json
import sys
from statistics import median
from time import perf_counter
from typing import Any

from data import FOLDER
from harness import _wait_for_quiet
from process import HERE, child
from report import Target, table, write

MODELS = ("mean", "median", "bradley-terry")
RUNS, MOST = 5, 5.0
#: Real scores, which are not ours to ship.
TAC = HERE.parent.parent / "shared" / "data" / "tac" / "scores.parquet"
ITEMS, SYSTEMS = 40_504, 12
LARGE = FOLDER / "scores-large.parquet"
STEPS = {
    "import": "`import betterthan`, with all that the steps below load",
    "read": "`bt.read_scores`",
    "rank": "`bt.rank`: mean, median and Bradley–Terry with 1,000 resamples each",
    **{
        f"pairs by {model}": f'`bt.compare_all(model="{model}")`: all pairs with their test, corrected; omnibus tests'
        for model in MODELS
    },
}
ANALYSIS = tuple(step for step in STEPS if step not in {"import", "read"})


def run() -> None:
    """Time every step in fresh processes, and write the page."""
    if not LARGE.exists():
        print(f"  making {LARGE.name}", flush=True)
        child("bench_scores.py", "make")
    tasks = {f"synthetic, {ITEMS:,} × {SYSTEMS}": (LARGE, {})}
    if TAC.exists():
        tasks = {"TAC-08 ROUGE-2, 48 × 58": (TAC, {"task": "TAC08", "metric": "ROUGE_2"}), **tasks}
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in tasks}
    for _ in range(RUNS):
        for name, (path, where) in tasks.items():
            _wait_for_quiet()
            runs[name].append(json.loads(child("bench_scores.py", str(path), json.dumps(where)).splitlines()[-1]))
            print(f"  {name}: {_analysis(runs[name][-1]):.2f} s", flush=True)
    rows = [
        [what, *(f"{median(seconds[step] for seconds in runs[name]):.2f}" for name in tasks)]
        for step, what in STEPS.items()
    ]
    whole = {name: median(map(_analysis, seconds)) for name, seconds in runs.items()}
    worst = {name: max(map(_analysis, seconds)) for name, seconds in runs.items()}
    rows += [
        ["the analysis: all but import and reading", *(f"{whole[name]:.2f}" for name in tasks)],
        ["its slowest run", *(f"{worst[name]:.2f}" for name in tasks)],
    ]
    text = [
        "Scores of one metric from Parquet (long: a row per instance and system) to everything that is known about the "
        f"systems. Every run is a process of its own, in which nothing was done before; seconds, medians of {RUNS} "
        "runs, taking turns.\n",
        table(["step", *tasks], rows),
    ]
    targets = [Target.below(f"{name}: analysis below {MOST:g} s", whole[name], MOST, "s") for name in tasks]
    write("scores", "Scores: a full analysis", text, targets, ("duckdb", "numpy", "scipy"))


def _analysis(seconds: dict[str, float]) -> float:
    return sum(seconds[step] for step in ANALYSIS)


def _measure(path: str, where: dict[str, str]) -> None:
    """Go through the steps once, and print their seconds."""
    seconds: dict[str, float] = {}
    start = perf_counter()

    def lap(step: str) -> None:
        nonlocal start
        seconds[step] = perf_counter() - start
        start = perf_counter()

    import betterthan as bt

    steps: tuple[Any, ...] = (bt.read_scores, bt.rank, bt.compare_all)
    read, rank, compare_all = steps
    lap("import")
    scores = read(path, where=where)
    lap("read")
    rank(scores, model=list(MODELS), resamples=1000)
    lap("rank")
    for model in MODELS:
        compare_all(scores, model=model)
        lap(f"pairs by {model}")
    print(json.dumps(seconds))


def _make() -> None:
    """Write scores between 0 and 1 with four digits, of which some instances are harder for all and some have a 0."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(20_240_601)
    shown = rng.normal(0.0, 1.0, (ITEMS, 1)) + rng.normal(0.0, 1.0, (ITEMS, SYSTEMS))
    scores = np.round(1 / (1 + np.exp(1.5 - shown - rng.normal(0.0, 0.1, SYSTEMS))), 4)
    scores[rng.random(scores.shape) < 0.05] = 0.0
    item, system = (places.ravel() for places in np.indices(scores.shape))
    columns = {
        "instance": pa.array(item),
        "system": pa.array(np.array([f"captioner-{number:02d}" for number in range(SYSTEMS)])[system]),
        "score": pa.array(scores.ravel()),
    }
    FOLDER.mkdir(exist_ok=True)
    part = LARGE.with_suffix(".part")  # a run that is broken off leaves nothing that looks complete
    pq.write_table(pa.table(columns), part)
    part.replace(LARGE)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        _make()
    else:
        _measure(sys.argv[1], json.loads(sys.argv[2]))
