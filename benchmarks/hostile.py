"""The simulation behind `hostile`: default calls in hostile worlds, each until its rate is known; prints JSON.

A cell is a promise of a verb in a world. It is simulated until the 99 % interval of its rate lies inside or outside the
band, or until the limit of data sets or of time: then it stays undecided. There is no other allowance. All cells get
some data sets first; then those come first that can be decided soonest. With `--counts FILE` a run continues from the
counts of an earlier one and leaves its own there.
"""

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import stats

import betterthan as bt
from hostile_worlds import QUICK, Votes, World, worlds

#: From five units on an interval should hold the truth in 94 to 97 %; with fewer in 93 % or more. Most are cautious.
COVERAGE, FEW_COVERAGE, ALARMS = (0.94, 0.97), (0.93, 1.0), (0.0, 0.06)
#: Data sets after which rates are looked at, those that every cell gets first, and those in which verbs are compared.
STEP, FIRST_STEPS, COMPARED = 50, 200, 20
#: A difference of this many standard errors decides a cell.
FAR = float(stats.norm.ppf(0.995))


@dataclass(frozen=True)
class Cell:
    """A promise in a world: how often it held, in how many trials, and its band.

    `squares` is the sum over data sets of the squared share of trials in which it held. It tells how far the trials of
    one data set depend on each other.
    """

    world: str
    measure: str
    held: int
    trials: int
    data_sets: int
    squares: float
    band: tuple[float, float]

    @property
    def rate(self) -> float:
        """The share of trials in which it held."""
        return self.held / self.trials

    @property
    def size(self) -> float:
        """The number of independent trials that tell as much: at least the data sets, at most all trials."""
        spread = self.squares / self.data_sets - self.rate**2
        even = self.rate * (1 - self.rate) * self.data_sets / spread if spread > 0 else 0.0
        return min(max(even, self.data_sets), self.trials)

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % interval of the rate, Clopper and Pearson's of that many independent trials."""
        held, missed = self.rate * self.size, (1 - self.rate) * self.size
        low, high = stats.beta.ppf([0.005, 0.995], [held or 1e-9, held + 1], [missed + 1, missed or 1e-9])
        return float(low), float(high)

    @property
    def verdict(self) -> str:
        """Whether the rate is inside, below or above its band, or not decided yet."""
        (low, high), (least, most) = self.interval, self.band
        if low > most:
            return "above"
        if high < least:
            return "below"
        return "inside" if least <= low and high <= most else "open"

    @property
    def needed(self) -> float:
        """How many further data sets will probably decide it; none if it is decided."""
        if self.verdict != "open":
            return 0.0
        rate = (self.rate * self.size + 1) / (self.size + 2)
        gap = min((abs(rate - edge) for edge in self.band if 0 < edge < 1), default=1.0)
        size = rate * (1 - rate) * (FAR / max(gap, 1e-4)) ** 2
        return max(size * self.data_sets / self.size - self.data_sets, STEP)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        low, high = self.interval
        named = {"world": self.world, "measure": self.measure, "rate": self.rate, "low": low, "high": high}
        return {**named, "data_sets": self.data_sets, "band": self.band, "verdict": self.verdict}


Counts = dict[str, tuple[int, int]]


def of_board(world: Any, evidence: Any, seed: int, named: str = "rank") -> Counts:
    """Count intervals of `rank` that hold the truth, and false claims."""
    truth = world.truth()
    board = bt.rank(evidence, **({} if isinstance(world, Votes) or named != "rank" else {"model": "mean"})).board
    inside = [
        (row.low is None or row.low <= truth[row.system]) and (row.high is None or truth[row.system] <= row.high)
        for row in board
        if row.score is not None
    ]
    place = {name: at for at, name in enumerate(board.fit.systems)}
    above = board.decisions.above
    wrong = [(a, b) for a in truth for b in truth if truth[a] < truth[b] and above[place[a], place[b]]]
    alike = [(a, b) for a, b in world.equal() if above[place[a], place[b]] or above[place[b], place[a]]]
    best = max(truth.values())
    shared = sum(value == best for value in truth.values()) > 1
    claims = board.first is not None and board.first.shown and (shared or truth[board.first.system] < best)
    if seed < COMPARED and named == "rank" and bt.compare_all(evidence).separated() != int(above.sum()):
        raise AssertionError(f"{world.name}, seed {seed}: rank and compare --all disagree")
    return {
        f"{named}: interval": (sum(inside), len(inside)),
        f"{named}: any pair falsely decided": (int(bool(wrong or alike)), 1),
        f"{named}: first rank falsely claimed": (int(claims), 1),
    }


def of_pair(world: Any, evidence: Any, seed: int) -> Counts:
    """Count false alarms of `compare`."""
    del seed
    return {"compare: false alarm": (int(bt.compare(evidence, *world.equal()[0]).p <= 0.05), 1)}


def of_labels(world: Any, evidence: Any, seed: int) -> Counts:
    """Count intervals of agreement that hold the coefficient of the population."""
    del seed
    agreed = bt.agree(evidence)
    found = {each.name: each for each in agreed.measures} | {"alpha": agreed.alphas[0]}
    return {
        f"agree: interval of {name}": (int(_holds(found[name], true)), 1)
        for name, true in world.truth().items()
        if found[name].value is not None
    }


def of_metrics(world: Any, evidence: Any, seed: int) -> Counts:
    """Count intervals that hold the correlation of true qualities."""
    del seed
    found = bt.correlate(evidence, "human")["metric"].measures["pearson"]
    return {"correlate: interval of pearson": (int(_holds(found, world.truth()["pearson"])), 1)}


def of_answers(world: Any, evidence: Any, seed: int) -> Counts:
    """Count intervals that hold abilities."""
    del seed
    truth, found = world.truth(), bt.items(evidence).abilities
    return {
        "items: interval of abilities": (sum(_holds(each.ability, truth[each.system]) for each in found), len(found))
    }


def of_scored(world: Any, evidence: Any, seed: int) -> Counts:
    """Count what `rank` says of outputs that `score` scored."""
    return of_board(world, evidence, seed, "score, rank")


def of_replay(world: Any, evidence: Any, seed: int) -> Counts:
    """Count intervals over runs that hold the mean of many runs."""
    del evidence
    return {"replay: interval of tau": (int(_holds(world.tau(world.runs, seed), world.truth()["tau"])), 1)}


def _holds(found: Any, true: float) -> bool:
    return (found.low is None or found.low <= true) and (found.high is None or true <= found.high)


#: What a verb measures, by the beginning of the measure's name.
VERBS: dict[str, Callable[[Any, Any, int], Counts]] = {
    "rank": of_board,
    "compare": of_pair,
    "agree": of_labels,
    "correlate": of_metrics,
    "items": of_answers,
    "score, rank": of_scored,
    "replay": of_replay,
}


def simulate(world: World, verb: str, seed: int) -> Counts:
    """Call a verb on one data set."""
    evidence = world.draw(np.random.default_rng([seed, 7]))
    found = VERBS[verb](world, evidence, seed)
    return {measure: counts for measure, counts in found.items() if measure in world.watched}


def band_of(measure: str, units: int) -> tuple[float, float]:
    """Return the band of a measure."""
    if "interval" in measure:
        return COVERAGE if units >= 5 else FEW_COVERAGE
    return ALARMS


class Progress:
    """What was counted so far of one verb in one world."""

    def __init__(self, world: World, verb: str, counts: dict[str, list[float]] | None = None) -> None:
        self.world, self.verb = world, verb
        self.total: dict[str, list[float]] = counts or {}
        self.seconds, self.timed = 0.0, 0

    def add(self, found: Sequence[Counts], seconds: float = 0.0) -> None:
        """Add the counts of further data sets."""
        self.seconds, self.timed = self.seconds + seconds, self.timed + len(found)
        for counts in found:
            for measure, (held, trials) in counts.items():
                kept = self.total.setdefault(measure, [0, 0, 0, 0.0])
                more = (held, trials, 1, (held / trials) ** 2)
                kept[:] = [old + new for old, new in zip(kept, more, strict=True)]

    @property
    def cells(self) -> list[Cell]:
        """The cells of the world."""
        return [
            Cell(self.world.name, measure, held, trials, sets, squares, band_of(measure, self.world.units))
            for measure, (held, trials, sets, squares) in self.total.items()
        ]

    @property
    def data_sets(self) -> int:
        """How many data sets were drawn."""
        return int(max((kept[2] for kept in self.total.values()), default=0))

    @property
    def urgency(self) -> float:
        """The seconds that the next cell to be decided will probably take. It is infinite where all are decided."""
        if self.data_sets < FIRST_STEPS:
            return self.data_sets - FIRST_STEPS
        needed = min((cell.needed for cell in self.cells if cell.needed), default=np.inf)
        return needed * (self.seconds / self.timed if self.timed else 0.0)


def until_known(world: World, most: int) -> list[Cell]:
    """Simulate a world until every cell is decided, or the limit is reached."""
    cells = []
    for verb in verbs_of(world):
        progress = Progress(world, verb)
        while progress.data_sets < most and (not progress.total or any(cell.needed for cell in progress.cells)):
            begin = progress.data_sets
            progress.add([simulate(world, verb, seed) for seed in range(begin, min(begin + STEP, most))])
        cells += progress.cells
    return cells


def verbs_of(world: World) -> list[str]:
    """List the verbs whose promises are watched in a world."""
    return list(dict.fromkeys(measure.partition(":")[0] for measure in world.watched))


def work(task: tuple[str, str, int, int]) -> tuple[str, str, list[Counts], float]:
    """Simulate some data sets of one world."""
    name, verb, begin, end = task
    world, start = next(world for world in worlds() if world.name == name), time.monotonic()
    return name, verb, [simulate(world, verb, seed) for seed in range(begin, end)], time.monotonic() - start


Every = dict[tuple[str, str], Progress]


def allocate(every: Every, most: int, seconds: float, processes: int, after: Callable[[Every], None]) -> None:
    """Simulate until all cells are decided or time is over: first all, then those that are decided soonest."""
    start, drawn = time.monotonic(), {key: progress.data_sets for key, progress in every.items()}

    def following() -> tuple[str, str] | None:
        free = [key for key in every if drawn[key] == every[key].data_sets < most]
        best = min(free, key=lambda key: every[key].urgency, default=None)
        return best if best is not None and np.isfinite(every[best].urgency) else None

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running: set[Any] = set()
        while True:
            while len(running) < processes and time.monotonic() - start < seconds and (key := following()):
                end = min(drawn[key] + STEP, most)
                running.add(pool.submit(work, (*key, drawn[key], end)))
                drawn[key] = end
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                name, verb, found, spent = each.result()
                every[name, verb].add(found, spent)
            after(every)


def main() -> None:
    """Simulate worlds and print the cells."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("most", nargs="?", type=int, default=20_000, help="data sets per cell")
    parser.add_argument("--seconds", type=float, default=np.inf)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--counts", type=Path, help="counts of earlier runs, continued and kept here")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    chosen = [world for world in worlds() if not asked.quick or world.name in QUICK]
    kept = json.loads(asked.counts.read_text()) if asked.counts and asked.counts.exists() else {}
    every = {
        (world.name, verb): Progress(world, verb, kept.get(f"{world.name} | {verb}"))
        for world in chosen
        for verb in verbs_of(world)
    }

    def keep(every: Every) -> None:
        if asked.counts:
            lines = [f"{json.dumps(' | '.join(key))}: {json.dumps(each.total)}" for key, each in every.items()]
            new = asked.counts.with_suffix(".new")
            new.write_text("{\n" + ",\n".join(lines) + "\n}\n")
            new.replace(asked.counts)

    allocate(every, asked.most, asked.seconds, asked.processes, keep)
    cells = [cell.to_dict() for progress in every.values() for cell in progress.cells]
    print(json.dumps({"most": asked.most, "cells": cells}))


if __name__ == "__main__":
    main()
