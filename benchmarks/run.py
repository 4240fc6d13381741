"""Run the benchmarks: `python benchmarks/run.py [name ...]`, all of them without names.

Each writes `benchmarks/results/<name>.md`. This process imports nothing heavy, because the memory peak that the system
reports for a process starts from what its parent held when it was started.
"""

import sys
from collections.abc import Callable
from time import perf_counter

import bench_arena
import bench_bootstrap
import bench_campaign_load
import bench_campaign_replay
import bench_cluster
import bench_control
import bench_coverage
import bench_coverage_models
import bench_engines
import bench_factors
import bench_fit
import bench_gate
import bench_honesty
import bench_hostile
import bench_models
import bench_next
import bench_order
import bench_peers
import bench_reading
import bench_reduce
import bench_replay
import bench_replay_exact
import bench_report
import bench_scores
import bench_sequential
import bench_short_forms
import bench_side_by_side
import bench_startup
import bench_suites
import bench_tests
import bench_thin
import bench_tools
import bench_update
import bench_workbench

BENCHMARKS: dict[str, Callable[[], None]] = {
    "startup": bench_startup.run,
    "reading": bench_reading.run,
    "tools": bench_tools.run,
    "engines": bench_engines.run,
    "reduce": bench_reduce.run,
    "arena": bench_arena.run,
    "peers": bench_peers.run,
    "cluster": bench_cluster.run,
    "thin": bench_thin.run,
    "bootstrap": bench_bootstrap.run,
    "models": bench_models.run,
    "order": bench_order.run,
    "scores": bench_scores.run,
    "fit": bench_fit.run,
    "report": bench_report.run,
    "update": bench_update.run,
    "workbench": bench_workbench.run,
    "coverage": bench_coverage.run,
    "coverage-models": bench_coverage_models.run,
    "tests": bench_tests.run,
    "honesty": bench_honesty.run,
    "side-by-side": bench_side_by_side.run,
    "hostile": bench_hostile.run,
    "gate": bench_gate.run,
    "control": bench_control.run,
    "suites": bench_suites.run,
    "short-forms": bench_short_forms.run,
    "factors": bench_factors.run,
    "sequential": bench_sequential.run,
    "replay": bench_replay.run,
    "replay-exact": bench_replay_exact.run,
    "next": bench_next.run,
    "campaign-replay": bench_campaign_replay.run,
    "campaign-load": bench_campaign_load.run,
}


def main(names: list[str]) -> int:
    """Run the named benchmarks in turn."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"unknown benchmark {', '.join(unknown)}; known: {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    for name in names or BENCHMARKS:
        print(f"== {name}")
        start = perf_counter()
        BENCHMARKS[name]()
        print(f"== {name} took {perf_counter() - start:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
