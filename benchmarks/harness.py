"""Measure contestants: each run is a process of its own, and the runs of all contestants take turns."""

import json
import os
import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

import psutil

from data import made
from process import child

#: Work that takes longer than this is not repeated, because noise is small against it.
LONG_SECONDS = 20.0
#: Processes per contestant, and how often each does the work, one right after the other.
ROUNDS, REPEATS = 3, 3
#: A run while others take more than this share of the machine does not count, unless none of so many tries was quieter.
DISTURBED, TRIES = 0.05, 12
#: How runs are repeated, for the reader of a table.
REPEATED = f"best of {ROUNDS} processes with {REPEATS} repeats each, of one run above {LONG_SECONDS:.0f} s"


@dataclass(frozen=True)
class Contestant:
    """`call` is module:function in `contestants`, called with the source and `options`; `what` says what it does."""

    name: str
    call: str
    what: str
    options: Mapping[str, Any] = field(default_factory=dict)
    layout: str = "parquet"
    #: What the file is turned into before the clock starts: `path`, or a frame of `contestants.frames`.
    source: str = "path"


@dataclass(frozen=True)
class Measured:
    """The best run of a contestant: wall and CPU seconds of the work alone, peak memory of the whole process."""

    seconds: float
    cpu: float
    peak: float
    answer: Any
    #: The share of the machine's CPU time that other processes took meanwhile.
    others: float


def contest(contestants: Sequence[Contestant], size: str) -> dict[str, Measured]:
    """Run everyone once, then everyone again: a slow minute of the machine then hits all of them alike."""
    best: dict[str, Measured] = {}
    for number in range(ROUNDS):
        for contestant in contestants:
            before = best.get(contestant.name)
            if number and before and before.seconds > LONG_SECONDS:
                continue
            new = _undisturbed(contestant, size)
            faster = new if before is None or new.seconds < before.seconds else before
            # The time is the best run's, because noise only adds to it; the peak is the worst one's, to be safe.
            peak = max(new.peak, before.peak if before else 0.0)
            best[contestant.name] = replace(faster, peak=peak)
    return best


def _undisturbed(contestant: Contestant, size: str) -> Measured:
    """Run until the machine did nothing else meanwhile: others' work would make a ratio of two runs mean nothing."""
    tried: list[Measured] = []
    while len(tried) < TRIES and (not tried or tried[-1].others > DISTURBED):
        _wait_for_quiet()
        new = _once(contestant, size)
        print(
            f"  {contestant.name}: {new.seconds:.3f} s, CPU {new.cpu:.3f} s, peak {new.peak:.2f} GB,"
            f" others {new.others:.0%}",
            flush=True,
        )
        tried.append(new)
    return min(tried, key=lambda run: run.others)


def _wait_for_quiet(patience: float = 60.0) -> None:
    """Wait until the machine does (almost) nothing else, but not for ever."""
    end = monotonic() + patience
    while psutil.cpu_percent(interval=0.5) > 100 * DISTURBED and monotonic() < end:
        pass


def _cpu() -> tuple[float, float]:
    """Return the CPU seconds spent so far by the whole machine, and by the processes that this one has waited for."""
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    # Guests' time is within the user's already.
    busy = sum(times) - idle - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
    mine = resource.getrusage(resource.RUSAGE_CHILDREN)
    return busy, mine.ru_utime + mine.ru_stime


def _once(contestant: Contestant, size: str) -> Measured:
    task = {
        "call": contestant.call,
        "options": dict(contestant.options),
        "source": str(made(size, contestant.layout)),
        "warm": str(made("warm", contestant.layout)),
        "as": contestant.source,
        "repeats": REPEATS,
        "long": LONG_SECONDS,
    }
    start, before = monotonic(), _cpu()
    told = json.loads(child("child.py", json.dumps(task)).splitlines()[-1])
    busy, mine = (after - earlier for after, earlier in zip(_cpu(), before, strict=True))
    others = max(busy - mine, 0.0) / ((monotonic() - start) * (os.cpu_count() or 1))
    return Measured(told["seconds"], told["cpu"], told["peak"], told["answer"], others)
