"""The simulation behind `gate`: versions that lie exactly at the margin, and others that lie above it; prints JSON.

A version at the margin must not pass, and must not fail, more often than the level says. Where nothing is dependent,
the gate passes about as often as the test that is made for such scores.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy import stats

import betterthan as bt

Columns = dict[str, Any]


@dataclass(frozen=True)
class GateWorld:
    """Scores or votes of two versions whose true difference is known; `at` is that difference in margins.

    At −1 the new version is worse by exactly the margin.
    """

    name: str
    units: int
    make: Callable[[int, float, np.random.Generator], Columns]
    options: dict[str, Any]
    rival: Callable[[Columns], bool] | None = None  # whether the usual test passes

    def evidence(self, at: float, rng: np.random.Generator) -> Columns:
        """Draw the evidence."""
        return self.make(self.units, at, rng)

    def gated(self, columns: Columns) -> bt.Gate:
        """Gate the new version."""
        reading = {name: self.options[name] for name in _READING & self.options.keys()}
        asked = {name: value for name, value in self.options.items() if name not in _READING}
        return bt.gate(bt.read(columns, **reading), "new", "old", **asked)


_READING = {"dataset", "group", "repeat", "judge", "lower_is_better", "score"}


def _two(old: np.ndarray, new: np.ndarray, **more: np.ndarray) -> Columns:
    """Return both versions' scores, item by item, as a long table."""
    items = np.arange(len(old)) if "item" not in more else more.pop("item")
    return {
        "item": np.tile(items, 2).tolist(),
        "system": ["old"] * len(old) + ["new"] * len(old),
        "score": [*old.tolist(), *new.tolist()],
        **{name: np.tile(values, 2).tolist() for name, values in more.items()},
    }


def _normal(n: int, at: float, rng: np.random.Generator) -> Columns:
    old = rng.normal(5, 1, n)
    return _two(old, old + 0.3 * at + rng.normal(0, 1, n))


def _answers(share: float, margin: float) -> Callable[[int, float, np.random.Generator], Columns]:
    """Return a world of right and wrong answers, where two in three mistakes are of both versions."""

    def make(n: int, at: float, rng: np.random.Generator) -> Columns:
        new_share = min(share + at * margin, 1.0)
        both_wrong = 2 / 3 * (1 - max(share, new_share))
        hard = rng.random(n)
        only_old, only_new = 1 - new_share - both_wrong, 1 - share - both_wrong
        old = (hard >= both_wrong) & ~((hard >= both_wrong + only_old) & (hard < both_wrong + only_old + only_new))
        new = (hard >= both_wrong) & ~(hard < both_wrong + only_old)
        return _two(old.astype(float), new.astype(float))

    return make


def _latency(n: int, at: float, rng: np.random.Generator) -> Columns:
    """Skewed times, of which the new ones may be longer by a percentage."""
    prompt = rng.lognormal(0, 0.5, n)
    old, new = (100 * prompt * rng.lognormal(-0.045, 0.3, n) for _ in range(2))
    return _two(old, new * (1 - 0.05 * at))


def _ratings(n: int, at: float, rng: np.random.Generator) -> Columns:
    """Ratings from 1 to 5, most of them 5: the new version loses a point on some items."""
    old = rng.choice([2.0, 3.0, 4.0, 5.0], n, p=[0.03, 0.07, 0.2, 0.7])
    wobble = rng.choice([-1.0, 0.0, 1.0], n, p=[0.1, 0.8, 0.1])
    new = np.clip(old + wobble, 1, 5)
    # What clipping takes away at 5, on average: .1 of seven tenths of the items.
    drop = rng.random(n) < np.clip(-0.1 * at, 0, 1) - 0.07
    return _two(old, np.where(drop, new - 1, new))


def _documents(n: int, at: float, rng: np.random.Generator) -> Columns:
    """Items of documents of unequal size, which the versions are good at or not as a whole."""
    sizes = 1 + rng.geometric(0.2, n)
    group = np.repeat(np.arange(n), sizes)
    old = rng.normal(5, 1, len(group))
    gain = rng.normal(0, 0.7, n)[group] + rng.normal(0, 0.7, len(group))
    return _two(old, old + 0.3 * at + gain, document=group)


def _runs(n: int, at: float, rng: np.random.Generator) -> Columns:
    """Right and wrong answers of three runs each; some runs are luckier than others."""
    ability = np.clip(rng.beta(4, 2, n), 0.1, 0.95)
    rows: dict[str, list[Any]] = {"item": [], "system": [], "score": [], "seed": []}
    for system, shift in (("old", 0.0), ("new", 0.05 * at)):
        for run in range(3):
            right = rng.random(n) < ability + shift
            rows["item"] += range(n)
            rows["system"] += [system] * n
            rows["score"] += right.astype(float).tolist()
            rows["seed"] += [run] * n
    return rows


def _lucky_runs(numbers: tuple[int, int]) -> Callable[[int, float, np.random.Generator], Columns]:
    """Return a world of scores in which whole runs are luckier than others, with so many runs of both versions."""

    def make(n: int, at: float, rng: np.random.Generator) -> Columns:
        ability = rng.normal(5, 1, n)
        rows: dict[str, list[Any]] = {"item": [], "system": [], "score": [], "seed": []}
        for system, shift, runs in (("new", 0.3 * at, numbers[0]), ("old", 0.0, numbers[1])):
            for run in range(runs):
                scores = ability + shift + rng.normal(0, 0.15) + rng.normal(0, 0.7, n)
                rows["item"] += range(n)
                rows["system"] += [system] * n
                rows["score"] += scores.tolist()
                rows["seed"] += [run] * n
        return rows

    return make


def _slices(n: int, at: float, rng: np.random.Generator) -> Columns:
    """Three languages, one of which lies at the margin; the others are far better."""
    part = np.arange(3 * n) % 3
    old = rng.normal(5, 1, 3 * n)
    shift = np.where(part == 0, 0.3 * at, 1.0)
    return _two(old, old + shift + rng.normal(0, 1, 3 * n), lang=np.array(["de", "en", "fr"])[part])


def _votes(n: int, at: float, rng: np.random.Generator) -> Columns:
    """Votes of judges on items with tastes of their own, ties included."""
    items = np.repeat(np.arange(n), 4)
    taste = rng.uniform(-0.2, 0.2, n)[items]
    draw = rng.random(len(items))
    share = 0.5 + 0.05 * at + taste
    winner = np.where(draw < 0.8 * share, "new", np.where(draw < 0.8 * share + 0.2, "tie", "old"))
    # A tie is half a win: 0.8 · share + 0.2 / 2 = 0.5 + 0.8 · (share − 0.5).
    return {"a": ["new"] * len(items), "b": ["old"] * len(items), "winner": winner.tolist(), "item": items.tolist()}


def _t_test(columns: Columns) -> bool:
    """Whether the paired t-test passes."""
    scores, half = np.array(columns["score"]), len(columns["score"]) // 2
    gain = scores[half:] - scores[:half] + 0.3
    return bool(stats.ttest_1samp(gain, 0.0, alternative="greater").pvalue <= 0.05)


def _tango(margin: float) -> Callable[[Columns], bool]:
    """Return whether Tango's score test of paired shares passes (Tango 1998), which is McNemar's at a margin of 0."""

    def passes(columns: Columns) -> bool:
        scores, half = np.array(columns["score"]), len(columns["score"]) // 2
        gain = scores[half:] - scores[:half]
        n, won, lost = half, int(np.sum(gain > 0)), int(np.sum(gain < 0))
        a, b = 2 * n, -won - lost + (2 * n - won + lost) * -margin
        c = -lost * -margin * (1 + margin)
        share = (np.sqrt(b**2 - 4 * a * c) - b) / (2 * a)
        variance = n * (2 * share + -margin * (1 + margin))
        if variance <= 0:
            return won - lost > -n * margin
        return bool((won - lost + n * margin) / np.sqrt(variance) >= stats.norm.ppf(0.95))

    return passes


def worlds() -> Iterator[GateWorld]:
    """List all worlds."""
    for n in (10, 20, 50, 200):
        yield GateWorld("normal", n, _normal, {"not_worse_than": 0.3}, _t_test)
    for share, margin, numbers in ((0.5, 0.1, (50, 200)), (0.8, 0.05, (50, 200, 1000)), (0.95, 0.03, (100, 300, 1000))):
        for n in numbers:
            yield GateWorld(
                f"answers {share:g}", n, _answers(share, margin), {"not_worse_than": margin}, _tango(margin)
            )
    for share, margin, n in ((0.8, 0.05, 200), (0.95, 0.03, 300)):
        yield GateWorld(
            f"answers {share:g}, percent",
            n,
            _answers(share, margin),
            {"not_worse_than": f"{100 * margin / share:.10f}%"},
        )
    for n in (20, 50, 200):
        yield GateWorld("latency, percent", n, _latency, {"not_worse_than": "5%", "lower_is_better": True})
    for n in (30, 100, 300):
        yield GateWorld("ratings", n, _ratings, {"not_worse_than": 0.1})
    for n in (8, 20, 60):
        yield GateWorld("documents", n, _documents, {"not_worse_than": 0.3, "group": "document"})
    for n in (20, 60):
        yield GateWorld("three runs", n, _runs, {"not_worse_than": 0.05})
    for numbers in ((3, 3), (5, 2), (4, 1)):
        yield GateWorld(f"lucky runs, {numbers[0]} + {numbers[1]}", 60, _lucky_runs(numbers), {"not_worse_than": 0.3})
    yield GateWorld("three slices", 30, _slices, {"not_worse_than": 0.3, "dataset": "lang", "slices": "lang"})
    for n in (20, 60):
        yield GateWorld("votes", n, _votes, {"not_worse_than": 0.04})


#: Some of them, for every run of the tests.
QUICK = ("normal 20", "answers 0.8 200", "latency, percent 50", "documents 8", "three runs 20", "three slices 30")


def simulated(world: GateWorld, seed: int, data_sets: int, *, equal_too: bool = True) -> dict[str, Any]:
    """Count decisions at the margin, and of an equal version."""
    rng = np.random.default_rng([seed, world.units, *world.name.encode()])
    counts = {"data_sets": data_sets, "false passes": 0, "false fails": 0, "passes": 0, "rival false": 0, "rival": 0}
    for _ in range(data_sets):
        columns = world.evidence(-1.0, rng)
        decision = world.gated(columns).decision
        counts["false passes"] += decision == "pass"
        counts["false fails"] += decision == "fail"
        if not equal_too:
            continue
        equal = world.evidence(0.0, rng)
        counts["passes"] += world.gated(equal).decision == "pass"
        if world.rival is not None:
            counts["rival false"] += world.rival(columns)
            counts["rival"] += world.rival(equal)
    return {"name": world.name, "units": world.units, "rival known": world.rival is not None, **counts}


def _job(task: tuple[str, int, int]) -> dict[str, Any]:
    name, seed, data_sets = task
    return simulated(next(world for world in worlds() if f"{world.name} {world.units}" == name), seed, data_sets)


def main() -> None:
    """Simulate with a process per core, and print the rows."""
    data_sets = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    parts = 10
    names = [f"{world.name} {world.units}" for world in worlds()]
    tasks = [(name, seed, data_sets // parts) for name in names for seed in range(parts)]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        found = pool.map(_job, tasks, 1)
    rows: dict[str, dict[str, Any]] = {}
    for (name, _, _), part in zip(tasks, found, strict=True):
        row = rows.setdefault(
            name, {**part, **{key: 0 for key in part if isinstance(part[key], int) and key != "units"}}
        )
        for key, value in part.items():
            if key not in {"name", "units", "rival known"}:
                row[key] += value
        row["rival known"] = part["rival known"]
    print(json.dumps(list(rows.values())))


if __name__ == "__main__":
    main()
