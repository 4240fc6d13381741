"""The simulation behind `hostile`: default calls in hostile worlds, each until its rate is known; prints JSON.

A cell is a promise of a verb in a world. It is simulated until the 99 % interval of its rate lies inside or outside the
band, or until the limit of data sets or of time: then it stays undecided. There is no other allowance. All worlds get
some data sets first; the others go to worlds with cells near the edge of their band.
"""

import json
import os
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import stats

import betterthan as bt
from hostile_worlds import QUICK, Labels, Scores, Votes, World, worlds

#: From five units on an interval should hold the truth in 94 to 97 %; with fewer in 93 % or more. Most are cautious.
COVERAGE, FEW_COVERAGE, ALARMS = (0.94, 0.97), (0.93, 1.0), (0.0, 0.06)
#: Data sets after which rates are looked at.
STEP = 50


@dataclass(frozen=True)
class Cell:
    """A promise in a world: how often it held, in how many trials, and its band."""

    world: str
    measure: str
    held: int
    trials: int
    data_sets: int
    band: tuple[float, float]

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % interval of the rate; trials of one data set are taken as dependent."""
        share = self.held / self.trials
        found = stats.beta.ppf(
            [0.005, 0.995],
            [share * self.data_sets or 1e-9, share * self.data_sets + 1],
            [self.data_sets * (1 - share) + 1, self.data_sets * (1 - share) or 1e-9],
        )
        return float(found[0]), float(found[1])

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
    def distance(self) -> float:
        """How many standard errors the rate keeps its promise by; less than 0 where it seems not to."""
        share, edge = self.held / self.trials, self.band[0] if "interval" in self.measure else self.band[1]
        kept = share - edge if "interval" in self.measure else edge - share
        return kept / float(np.sqrt(edge * (1 - edge) / self.data_sets))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        low, high = self.interval
        rate = self.held / self.trials
        named = {"world": self.world, "measure": self.measure, "rate": rate, "low": low, "high": high}
        return {**named, "data_sets": self.data_sets, "band": self.band, "verdict": self.verdict}


Counts = dict[str, tuple[int, int]]


def of_board(board: Any, truth: dict[str, float], equal: Sequence[tuple[str, str]], named: str) -> Counts:
    """Count intervals that hold the truth, and false claims."""
    inside = [
        (row.low is None or row.low <= truth[row.system]) and (row.high is None or truth[row.system] <= row.high)
        for row in board
        if row.score is not None
    ]
    place = {name: at for at, name in enumerate(board.fit.systems)}
    above = board.decisions.above
    wrong = [(a, b) for a in truth for b in truth if truth[a] < truth[b] and above[place[a], place[b]]]
    alike = [(a, b) for a, b in equal if above[place[a], place[b]] or above[place[b], place[a]]]
    best = max(truth.values())
    shared = sum(value == best for value in truth.values()) > 1
    claims = board.first is not None and board.first.shown and (shared or truth[board.first.system] < best)
    return {
        f"{named}: interval": (sum(inside), len(inside)),
        f"{named}: any pair falsely decided": (int(bool(wrong or alike)), 1),
        f"{named}: first rank falsely claimed": (int(claims), 1),
    }


def of_pair(evidence: Any, world: Votes | Scores) -> Counts:
    """Count false alarms of `compare`, and intervals that hold the difference."""
    equal = world.equal()
    if not equal:
        return {}
    duel = bt.compare(evidence, *equal[0])
    name, null = ("mean_difference", 0.0) if isinstance(world, Scores) else ("superiority", 0.5)
    effect = duel.effect(name)
    low, high = (None, None) if effect is None else (effect.low, effect.high)
    held = (low is None or low <= null) and (high is None or null <= high)
    return {"compare: false alarm": (int(duel.p <= 0.05), 1), "compare: interval": (int(held), 1)}


def of_labels(evidence: Any, world: Labels) -> Counts:
    """Count intervals of agreement that hold the coefficient of the population."""
    agreed = bt.agree(evidence)
    found = {each.name: each for each in agreed.measures} | {"alpha": agreed.alphas[0]}
    known = {name: found[name] for name in world.truth() if name in found and found[name].value is not None}
    return {
        f"agree: interval of {name}": (
            int(
                (each.low is None or each.low <= world.truth()[name])
                and (each.high is None or world.truth()[name] <= each.high)
            ),
            1,
        )
        for name, each in known.items()
    }


def simulate(world: World, seed: int) -> Counts:
    """Call every verb on one data set."""
    evidence = world.draw(np.random.default_rng([seed, 7]))
    if isinstance(world, Labels):
        return of_labels(evidence, world)
    options = {} if isinstance(world, Votes) else {"model": "mean"}
    board = bt.rank(evidence, **options).board
    counts = of_board(board, world.truth(), world.equal(), "rank")
    pairs = bt.compare_all(evidence)
    if pairs.separated() != int(board.decisions.above.sum()):
        raise AssertionError(f"{world.name}, seed {seed}: rank and compare --all disagree")
    return {**counts, **of_pair(evidence, world)}


def band_of(measure: str, units: int) -> tuple[float, float]:
    """Return the band of a measure."""
    if "interval" in measure:
        return COVERAGE if units >= 5 else FEW_COVERAGE
    return ALARMS


class Progress:
    """What was counted in one world so far."""

    def __init__(self, world: World) -> None:
        self.world, self.data_sets, self.seconds = world, 0, 0.0
        self.total: dict[str, list[int]] = {}

    def add(self, found: Sequence[Counts], seconds: float = 0.0) -> None:
        """Add the counts of further data sets."""
        self.data_sets += len(found)
        self.seconds += seconds
        for counts in found:
            for measure, (held, trials) in counts.items():
                kept = self.total.setdefault(measure, [0, 0, 0])
                kept[0], kept[1], kept[2] = kept[0] + held, kept[1] + trials, kept[2] + 1

    @property
    def cells(self) -> list[Cell]:
        """The cells of the world."""
        return [
            Cell(self.world.name, measure, held, trials, sets, band_of(measure, self.world.units))
            for measure, (held, trials, sets) in self.total.items()
        ]

    @property
    def urgency(self) -> float:
        """How many standard errors the nearest open cell lies from breaking its promise, plus a bit per data set.

        The smallest is simulated next. It is infinite where all cells are decided.
        """
        far = [cell.distance for cell in self.cells if cell.verdict == "open"]
        return min(far) + self.data_sets / 500 if far else np.inf


def until_known(world: World, most: int) -> list[Cell]:
    """Simulate a world until every cell is decided, or the limit is reached."""
    progress = Progress(world)
    while progress.data_sets < most and np.isfinite(progress.urgency if progress.total else 0.0):
        begin = progress.data_sets
        progress.add([simulate(world, seed) for seed in range(begin, min(begin + STEP, most))])
    return progress.cells


def work(task: tuple[str, int, int]) -> tuple[str, list[Counts], float]:
    """Simulate some data sets of one world."""
    name, begin, end = task
    world, start = next(world for world in worlds() if world.name == name), time.monotonic()
    return name, [simulate(world, seed) for seed in range(begin, end)], time.monotonic() - start


def allocate(all_worlds: Sequence[World], most: int, seconds: float, processes: int) -> list[Cell]:
    """Simulate worlds until all cells are decided or time is over: first all, then those near the edge of a band."""
    start = time.monotonic()
    every = {world.name: Progress(world) for world in all_worlds}
    drawn = dict.fromkeys(every, 0)
    waiting = list(every)

    def following() -> str | None:
        if waiting:
            return waiting.pop(0)
        free = [name for name in every if drawn[name] == every[name].data_sets < most]
        best = min(free, key=lambda name: every[name].urgency, default=None)
        return best if best is not None and np.isfinite(every[best].urgency) else None

    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running: set[Any] = set()
        while True:
            while len(running) < processes and time.monotonic() - start < seconds and (name := following()):
                end = min(drawn[name] + STEP, most)
                running.add(pool.submit(work, (name, drawn[name], end)))
                drawn[name] = end
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                name, found, spent = each.result()
                every[name].add(found, spent)
    return [cell for progress in every.values() for cell in progress.cells]


def main() -> None:
    """Simulate all worlds and print the cells: `hostile.py [MOST] [--seconds N] [--processes N] [--quick]`."""
    parser = ArgumentParser()
    parser.add_argument("most", nargs="?", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=np.inf)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    chosen = [world for world in worlds() if not asked.quick or world.name in QUICK]
    cells = allocate(chosen, asked.most, asked.seconds, asked.processes)
    print(json.dumps({"most": asked.most, "cells": [cell.to_dict() for cell in cells]}))


if __name__ == "__main__":
    main()
