"""The simulation behind `hostile`: default calls in hostile worlds, each until its rate is known; prints JSON.

A cell is a promise of a verb in a world. It is simulated until the 99 % interval of its rate lies inside or outside the
band, or until the limit of data sets: then it stays undecided. There is no other allowance.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import stats

import betterthan as bt
from hostile_worlds import QUICK, Scores, Votes, worlds

#: From five units on an interval should hold the truth in 94 to 97 %; with fewer in 93 % or more. Most are cautious.
COVERAGE, FEW_COVERAGE, ALARMS = (0.94, 0.97), (0.93, 1.0), (0.0, 0.06)
#: Data sets after which rates are looked at.
STEP = 100


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
    first = board.rows[0]
    shared = sum(value == best for value in truth.values()) > 1
    claims = first.rank_high == 1 and (shared or truth[first.system] < best)
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


def simulate(world: Votes | Scores, seed: int) -> Counts:
    """Call every verb on one data set."""
    evidence = world.draw(np.random.default_rng([seed, 7]))
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


def until_known(world: Votes | Scores, most: int, done: Callable[[Sequence[Cell]], bool] | None = None) -> list[Cell]:
    """Simulate a world until every cell is decided, or the limit is reached."""
    total: dict[str, list[int]] = {}
    cells: list[Cell] = []
    for seed in range(most):
        for measure, (held, trials) in simulate(world, seed).items():
            kept = total.setdefault(measure, [0, 0])
            kept[0] += held
            kept[1] += trials
        if (seed + 1) % STEP == 0 or seed + 1 == most:
            cells = [
                Cell(world.name, measure, held, trials, seed + 1, band_of(measure, world.units))
                for measure, (held, trials) in total.items()
            ]
            if (done or _decided)(cells):
                break
    return cells


def _decided(cells: Sequence[Cell]) -> bool:
    return all(cell.verdict != "open" for cell in cells)


def work(task: tuple[str, int]) -> list[dict[str, Any]]:
    """Simulate one world by its name."""
    name, most = task
    world = next(world for world in worlds() if world.name == name)
    return [cell.to_dict() for cell in until_known(world, most)]


def main() -> None:
    """Simulate all worlds with a process per core, and print the cells."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    names = QUICK if "--quick" in sys.argv else [world.name for world in worlds()]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        found = pool.map(work, [(name, most) for name in names], chunksize=1)
    print(json.dumps({"most": most, "cells": [cell for cells in found for cell in cells]}))


if __name__ == "__main__":
    main()
