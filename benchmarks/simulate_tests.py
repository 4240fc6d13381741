"""The simulation behind `tests`: pairs of systems of known difference, tested again and again; prints JSON."""

import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import get_context

# One thread per worker: there are as many workers as cores. It must be said before NumPy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from betterthan.inference import effect_sizes
from betterthan.inference import mcnemar as mcnemar_tests
from betterthan.inference.intervals.studentised import studentise
from betterthan.inference.tests import paired_tests as paired
from betterthan.inference.tests.equivalence import equivalence
from betterthan.inference.tests.paired_tests import Differences

LEVEL = 0.05
#: Data sets per world: for tests that cost next to nothing, for those of 9,999 draws, and for intervals.
CHEAP, DRAWN, INTERVALS = 4000, 1500, 2000
CHUNK = 25
#: Differences from which a world's truth is taken, where it has no formula.
TRUTH = 2_000_000

Array = NDArray[np.float64]
#: Scores of two systems: from a generator, a number of instances (all groups of a world) and how far apart they are.
Draw = Callable[[np.random.Generator, int, float], tuple[Array, Array]]

GROUP = 5


def _normal(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    a, b = rng.normal(size=(2, number))
    return a + gap, b


def _heavy(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    b = rng.normal(size=number)
    return b + rng.standard_t(3, number) + gap, b


def _skewed(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    b = rng.normal(size=number)
    return b + rng.exponential(size=number) - 1 + gap, b


def _binary(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    """Right with chance .45 + gap and .45; half of the instances are equally hard for both."""
    alone = rng.random(number) < 0.5
    common = rng.random(number)
    a = np.where(alone, rng.random(number), common) < 0.45 + gap
    b = np.where(alone, rng.random(number), common) < 0.45
    return a.astype(float), b.astype(float)


def _tied(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    b = np.round(rng.normal(size=number), 3)
    return b + np.where(rng.random(number) < 0.6, 0.0, rng.normal(gap, 1.0, number)), b


def _correlated(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    common = rng.normal(size=number)
    a, b = np.sqrt(0.95) * common + np.sqrt(0.05) * rng.normal(size=(2, number))
    return a + gap, b


def _clustered(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    b = rng.normal(size=number)
    return b + np.repeat(rng.normal(size=number // GROUP), GROUP) + rng.normal(size=number) + gap, b


def _clustered_binary(rng: np.random.Generator, number: int, gap: float) -> tuple[Array, Array]:
    """Right where a threshold is passed; what a system gains or loses on a group is shared by its instances."""
    seen = np.repeat(rng.normal(size=(2, number // GROUP)), GROUP, axis=1) + rng.normal(size=(2, number))
    a, b = seen > np.array([[-gap], [0.0]])
    return a.astype(float), b.astype(float)


@dataclass(frozen=True)
class World:
    """Where pairs come from, how many are seen, what is known of the differences, and which tests are out of place."""

    name: str
    what: str
    draw: Draw
    items: int
    gap: float
    spread: float | None = None  # standard deviation of the differences, where a sample's would not settle
    grouped: bool = False  # draws come in groups
    groups: bool = False  # ... and the analysis knows
    discrete: bool = False
    #: Tests and effects that are shown but not held to anything here, and why; "*" is all of them.
    apart: dict[str, str] = field(default_factory=dict)

    def differences(self, rng: np.random.Generator, gap: float) -> Differences:
        """Draw one data set."""
        a, b = self.draw(rng, self.items, gap)
        places = np.arange(self.items)
        return Differences(a, b, places // GROUP if self.groups else places)


_UNPAIRED = {"mood": "unpaired: the correlation of the scores makes it cautious"}
_MEDIAN = {"median_difference": "the median is 0, and so are both ends of the interval"}
_ANOTHER = "tests symmetry about 0, or the median, and neither is 0 here"
_SKEW = {"sign": _ANOTHER, "wilcoxon": _ANOTHER, "wilcoxon-pratt": _ANOTHER, "mood": _ANOTHER}

WORLDS = (
    *(
        World(f"normal, n = {number}", "independent normal scores", _normal, number, np.sqrt(0.5), np.sqrt(2.0))
        for number in (20, 50, 200)
    ),
    World(
        "heavy tails, n = 50",
        "differences from Student's t with 3 degrees of freedom",
        _heavy,
        50,
        0.75,
        np.sqrt(3.0),
        apart=_UNPAIRED,
    ),
    *(
        World(
            f"skew, n = {number}",
            "exponential differences of mean 0 (skewness 2, median −.31)",
            _skewed,
            number,
            0.5,
            1.0,
            apart=_SKEW,
        )
        for number in (50, 200)
    ),
    World(
        "right or wrong, n = 100",
        "two systems right in 45 % of cases, half of which are equally hard for both",
        _binary,
        100,
        0.2,
        discrete=True,
        apart={**_UNPAIRED, **_MEDIAN},
    ),
    World(
        "many ties, n = 100",
        "60 % of the differences are 0, the others normal",
        _tied,
        100,
        0.6,
        apart={**_UNPAIRED, **_MEDIAN},
    ),
    World(
        "correlated, n = 50",
        "normal scores that correlate by .95",
        _correlated,
        50,
        np.sqrt(0.025),
        np.sqrt(0.1),
        apart=_UNPAIRED,
    ),
    World(
        "30 groups of 5",
        "normal differences, half of whose variance is shared within a group; groups given",
        _clustered,
        150,
        np.sqrt(0.5),
        np.sqrt(2.0),
        grouped=True,
        groups=True,
    ),
    World(
        "right or wrong, 30 groups of 5",
        "half of the variance behind right and wrong is shared within a group; groups given",
        _clustered_binary,
        150,
        1.2,
        grouped=True,
        groups=True,
        discrete=True,
        apart={**_MEDIAN},
    ),
    World(
        "30 groups of 5, not told",
        "the same as two rows above, analysed without groups: a warning",
        _clustered,
        150,
        np.sqrt(0.5),
        np.sqrt(2.0),
        grouped=True,
        apart={"*": "the groups were not given"},
    ),
)


def truth(world: World) -> dict[str, float]:
    """Return what every effect would be with unlimited evidence."""
    rng = np.random.default_rng(99)
    a, b = world.draw(rng, TRUTH, world.gap)
    values = a - b
    kept = values[values != 0]
    # Instances next to each other may share a group, so partners are taken from elsewhere.
    other = np.roll(kept, len(kept) // 2 + 1)
    mean = float(values.mean()) if world.draw in (_binary, _tied, _clustered_binary) else world.gap
    ordered = np.sort(b)
    below, upto = (np.searchsorted(ordered, a, side=side) for side in ("left", "right"))
    return {
        "mean_difference": mean,
        "median_difference": float(np.median(values)),
        # The median of means of two differences: partners from elsewhere, as below.
        "typical_difference": float(np.median(values + np.roll(values, len(values) // 2 + 1)) / 2),
        "cohens_dz": mean / (world.spread or float(values.std())),
        # Signed ranks count the pairs of differences whose sum is positive.
        "rank_biserial": float(np.mean(np.sign(kept + other))),
        "cliffs_delta": float(np.mean(below + upto) / TRUTH - 1),
        "superiority": float(np.mean(np.sign(values)) + 1) / 2,
        "odds": float(np.sum(values > 0) / np.sum(values < 0)),
    }


def tested(world: World, differences: Differences, rng: np.random.Generator, drawn: bool) -> dict[str, float]:
    """Return p of every test of a duel that applies."""
    values = differences.values
    wins, ties, losses = (int(np.sum(np.sign(values) == sign)) for sign in (1, 0, -1))
    sign = paired.sign_test_by_group(differences, rng) if world.groups else paired.sign_test(wins, ties, losses)
    tests = [paired.t_test(differences), sign, paired.wilcoxon(differences, rng), paired.mood(differences, rng)]
    tests.append(paired.wilcoxon(differences, rng, zeros="pratt"))
    if differences.binary and not world.groups:
        tests += mcnemar_tests.mcnemar(wins, losses)
    if drawn:
        tests += [*paired.permutation(differences, rng), studentise(differences, rng).test()]
    return {test.name: test.p for test in tests}


def some(task: tuple[int, int, dict[str, float]]) -> Counter[tuple[str, str]]:
    """Simulate a chunk of a world's data sets; count by (what happened, test or effect)."""
    place, start, true = task
    world, counts = WORLDS[place], Counter()
    for number in range(start, start + CHUNK):
        rng = np.random.default_rng([place, number])
        for name, p in tested(world, world.differences(rng, 0.0), rng, number < DRAWN).items():
            counts["tried", name] += 1
            counts["rejected", name] += int(p <= LEVEL)
        apart = world.differences(rng, world.gap)
        if number < DRAWN:
            shown = equivalence(apart, true["mean_difference"], rng)
            counts["tried", "tost"] += 1
            counts["rejected", "tost"] += int(max(shown.p, shown.p_bootstrap) <= LEVEL)
        if number < INTERVALS:
            for effect in effect_sizes.effects(apart, 1 - LEVEL, rng):
                low = -np.inf if effect.low is None else effect.low
                high = np.inf if effect.high is None else effect.high
                near = 1e-9 * abs(true[effect.name])
                counts["tried", effect.name] += 1
                counts["below", effect.name] += int(true[effect.name] < low - near)
                counts["above", effect.name] += int(true[effect.name] > high + near)
    return counts


def main() -> None:
    """Simulate all worlds with a process per core, and print the counts."""
    worlds = []
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for place, (world, true) in enumerate(zip(WORLDS, pool.imap(truth, WORLDS), strict=True)):
            tasks = [(place, start, true) for start in range(0, CHEAP, CHUNK)]
            counts = sum(pool.imap_unordered(some, tasks), Counter())
            cells = {
                name: {what: counts[what, name] for what in ("tried", "rejected", "below", "above")}
                for name in dict.fromkeys(name for _, name in counts)
            }
            worlds.append(
                {
                    "name": world.name,
                    "what": world.what,
                    "discrete": world.discrete,
                    "apart": world.apart,
                    "truth": true,
                    "cells": cells,
                }
            )
    print(json.dumps({"level": LEVEL, "cheap": CHEAP, "drawn": DRAWN, "intervals": INTERVALS, "worlds": worlds}))


if __name__ == "__main__":
    main()
