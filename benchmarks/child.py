"""One run of one contestant: warm up on a small file, then time the work alone; the last line printed is JSON."""

import json
import resource
import sys
from importlib import import_module
from time import perf_counter
from typing import Any


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that it started and has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def peak_gigabytes() -> float:
    """Return the largest resident size that this process, or one of its workers, ever had."""
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return most * (1 if sys.platform == "darwin" else 1024) / 1e9


def open_source(path: str, kind: str) -> Any:
    """Return the path itself, or the frame that holds its rows."""
    return path if kind == "path" else getattr(import_module("contestants.frames"), kind)(path)


def main(task: dict[str, Any]) -> None:
    """Do the work once on the small file, then, timed, a few times on the large one; keep the best time."""
    module, function = task["call"].split(":")
    work = getattr(import_module(f"contestants.{module}"), function)
    # Imports, compilers and thread pools start here; with the clock running they would weigh on fast contestants most.
    work(open_source(task["warm"], task["as"]), **task["options"])
    source = open_source(task["source"], task["as"])
    runs: list[tuple[float, float]] = []
    peak = 0.0
    # A virtual machine gets its memory from the host when it is first touched, which can treble the time of work that
    # needs gigabytes. That is not the work's fault, so it is done again at once, before the memory is given back.
    while len(runs) < task["repeats"] and (not runs or min(runs)[0] < task["long"]):
        cpu, start = cpu_seconds(), perf_counter()
        answer = work(source, **task["options"])
        runs.append((perf_counter() - start, cpu_seconds() - cpu))
        peak = peak or peak_gigabytes()  # of one run: leftovers of earlier ones would add to later ones
    seconds, cpu = min(runs)
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak, "answer": answer}))


if __name__ == "__main__":  # worker processes that a contestant starts may import this file again
    main(json.loads(sys.argv[1]))
