"""The same few, saturated, tied or skewed scores for betterthan, evalstats and SciPy, and judgments for arena-rank.

Everybody's default call on the same data sets; prints JSON. A case says how often an interval holds the truth, how
often equal systems are told apart, or how often a true difference is found.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from time import perf_counter
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import numpy as np
from scipy import stats

import betterthan as bt

LEVEL = 0.05
#: Items of one group.
GROUP = 6
Found = dict[str, tuple[float | None, float | None, float | None]]  # per package: low, high, p


@dataclass(frozen=True)
class Case:
    """A case: what is measured, the truth, and how one data set is made (systems × items) or judged."""

    name: str
    measure: str  # coverage, alarm or power
    truth: float
    draw: Callable[[np.random.Generator], Any]
    ask: Callable[[Any], Found]
    equal: str = ""  # of power: the case that says how often equal systems are told apart in the same world


def accuracy(values: np.ndarray) -> Found:
    """The interval of one accuracy."""
    board = bt.rank(bt.read_scores({"a": values[0], "b": values[1]}), model="mean").board
    theirs = _compared(values).entity_stats["a"]
    exact = stats.binomtest(int(values[0].sum()), len(values[0])).proportion_ci()
    return {
        "betterthan": (board["a"].low, board["a"].high, None),
        "evalstats": (*_ends(theirs), None),
        "SciPy": (exact.low, exact.high, None),
    }


def paired(values: np.ndarray) -> Found:
    """The interval of a mean difference, and its test."""
    duel = bt.compare(bt.read_scores({"a": values[0], "b": values[1]}), "a", "b")
    mean = duel.effect("mean_difference")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = _difference(values)
        plain = stats.ttest_rel(values[0], values[1])
        reach = plain.confidence_interval()
    return {
        "betterthan": (mean.low, mean.high, duel.p),
        **_evalstats(theirs),
        "SciPy": (_finite(reach.low), _finite(reach.high), _finite(plain.pvalue)),
    }


def grouped(values: np.ndarray) -> Found:
    """The mean difference of items in groups: evalstats knows no groups, SciPy tests the means of groups."""
    names = [f"d{place // GROUP}" for place in range(values.shape[1])]
    duel = bt.compare(bt.read_scores({"a": values[0], "b": values[1], "document": names}, group="document"), "a", "b")
    mean = duel.effect("mean_difference")
    by_group = (values[0] - values[1]).reshape(-1, GROUP).mean(axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = _difference(values)
        plain = stats.ttest_1samp(by_group, 0.0)
        reach = plain.confidence_interval()
    return {
        "betterthan": (mean.low, mean.high, duel.p),
        **_evalstats(theirs),
        "SciPy": (_finite(reach.low), _finite(reach.high), _finite(plain.pvalue)),
    }


def judged(columns: dict[str, Any]) -> Found:
    """The interval of one system's strength against the mean of all."""
    import pandas as pd
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    board = bt.rank(bt.read_judgments(columns), scale="elo").board
    frame = pd.DataFrame(
        {
            "model_a": columns["left"],
            "model_b": columns["right"],
            "winner": np.where(columns["winner"] == "a", "model_a", "model_b"),
        }
    )
    data = PairDataset.from_pandas(frame)
    told = BradleyTerry(n_competitors=len(data.competitors)).compute_ratings_and_cis(data, significance_level=LEVEL)
    place = list(data.competitors).index("a")
    return {
        "betterthan": (board["a"].low, board["a"].high, None),
        "arena-rank": (float(told["rating_lower"][place]), float(told["rating_upper"][place]), None),
    }


def _compared(values: np.ndarray) -> Any:
    """Compare two systems as evalstats' README does first."""
    import evalstats

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return evalstats.compare_models({"a": values[0], "b": values[1]})


def _difference(values: np.ndarray) -> Any:
    """Return evalstats' comparison of a pair, None where it declines to compare so few items."""
    import evalstats

    try:
        return _compared(values).pairwise.get("a", "b")
    except evalstats.InsufficientItemsError:
        return None


def _evalstats(theirs: Any) -> Found:
    return {} if theirs is None else {"evalstats": (*_ends(theirs), _of(theirs, "p_value"))}


def seconds() -> dict[str, float]:
    """Time a comparison of two systems on 50 items, taking turns."""
    values = np.random.default_rng(0).normal(size=(2, 50))
    best = {"betterthan": float("inf"), "evalstats": float("inf")}
    for _ in range(31):  # the first call of each imports what it needs
        for name, ask in (
            ("betterthan", lambda: bt.compare({"a": values[0], "b": values[1]}, "a", "b")),
            ("evalstats", lambda: _compared(values)),
        ):
            start = perf_counter()
            ask()
            best[name] = min(best[name], perf_counter() - start)
    return best


def _of(result: Any, *names: str) -> float | None:
    for name in names:
        if hasattr(result, name):
            return _finite(getattr(result, name))
    raise AttributeError(f"none of {names} in {dir(result)}")


def _ends(result: Any) -> tuple[float | None, float | None]:
    return _of(result, "ci_low", "low", "lower"), _of(result, "ci_high", "high", "upper")


def _finite(value: Any) -> float | None:
    return float(value) if value is not None and np.isfinite(value) else None


def binary(*chances: float, items: int, hard: float = 1.0) -> Callable[[np.random.Generator], np.ndarray]:
    """Right and wrong answers on the same items, some of them hard for both."""
    cuts = [stats.norm.ppf(chance) for chance in chances]

    def draw(rng: np.random.Generator) -> np.ndarray:
        shared = hard * rng.normal(size=items)
        latent = (shared + rng.normal(size=(len(cuts), items))) / np.hypot(1, hard)
        return (latent < np.array(cuts)[:, None]).astype(float)

    return draw


def documents(*chances: float, groups: int) -> Callable[[np.random.Generator], np.ndarray]:
    """Right and wrong answers on items in groups, with tastes of their own."""
    cuts = np.array([stats.norm.ppf(chance) for chance in chances])

    def draw(rng: np.random.Generator) -> np.ndarray:
        taste = np.repeat(0.7 * rng.normal(size=(2, groups)), GROUP, axis=1)
        latent = (rng.normal(size=groups * GROUP) + taste + rng.normal(size=taste.shape)) / np.sqrt(2.49)
        return (latent < cuts[:, None]).astype(float)

    return draw


def likert(items: int, shift: float = 0.0) -> Callable[[np.random.Generator], np.ndarray]:
    """Ratings from 1 to 5."""
    cuts = stats.norm.ppf([0.1, 0.3, 0.6, 0.85])

    def draw(rng: np.random.Generator) -> np.ndarray:
        latent = (rng.normal(size=items) + rng.normal(size=(2, items))) / np.sqrt(2) + np.array([[shift], [0.0]])
        return 1.0 + np.searchsorted(cuts, latent)

    return draw


def skewed(items: int, shift: float = 0.0) -> Callable[[np.random.Generator], np.ndarray]:
    """Scores whose differences are skewed, of equal means or shifted."""

    def draw(rng: np.random.Generator) -> np.ndarray:
        gap = rng.exponential(size=items) - 1.0 + shift
        base = rng.normal(size=items)
        return np.stack([base + gap, base])

    return draw


def normal(items: int, shift: float = 0.0) -> Callable[[np.random.Generator], np.ndarray]:
    """Continuous scores."""
    return lambda rng: rng.normal(size=items) + rng.normal(size=(2, items)) + np.array([[shift], [0.0]])


def votes(units: int, spread: float) -> Callable[[np.random.Generator], dict[str, Any]]:
    """Judgments of four equal systems on items of their own tastes."""

    def draw(rng: np.random.Generator) -> dict[str, Any]:
        number = 20 * units
        item, left = rng.integers(units, size=number), rng.integers(4, size=number)
        right = (left + rng.integers(1, 4, size=number)) % 4
        taste = rng.normal(0, spread, (units, 4)) if spread else np.zeros((units, 4))
        win = 1 / (1 + np.exp(taste[item, right] - taste[item, left]))
        names = np.array(list("abcd"))
        columns = {"left": names[left], "right": names[right], "winner": np.where(rng.random(number) < win, "a", "b")}
        return {**columns, "item": item.astype(str)} if spread else columns

    return draw


def cases() -> list[Case]:
    """List the cases."""
    told = [
        Case(f"accuracy, {items} items, {chance}", "coverage", chance, binary(chance, chance, items=items), accuracy)
        for items, chance in ((15, 0.95), (30, 0.98), (50, 0.98))
    ]
    for items in (15, 30, 50):
        unequal, equal = binary(0.9, 0.95, items=items), binary(0.9, 0.9, items=items)
        told.append(Case(f"right/wrong .9 and .95, {items} items", "coverage", -0.05, unequal, paired))
        told.append(Case(f"right/wrong .9 twice, {items} items", "alarm", 0.0, equal, paired))
    for items in (2, 3, 5, 10, 20):
        told.append(Case(f"ratings 1–5, {items} items", "alarm", 0.0, likert(items), paired))
        told.append(Case(f"ratings 1–5, {items} items", "coverage", 0.0, likert(items), paired))
    for items in (30, 50, 100):
        told.append(Case(f"skewed differences, {items} items", "alarm", 0.0, skewed(items), paired))
        told.append(Case(f"skewed differences, {items} items", "coverage", 0.0, skewed(items), paired))
    for items in (10, 30):
        told.append(Case(f"continuous, {items} items", "alarm", 0.0, normal(items), paired))
        told.append(Case(f"continuous, {items} items", "coverage", 0.0, normal(items), paired))
    for groups in (6, 12):
        told.append(
            Case(f"right/wrong .8 twice, {groups} groups", "alarm", 0.0, documents(0.8, 0.8, groups=groups), grouped)
        )
        told.append(
            Case(
                f"right/wrong .9 and .7, {groups} groups", "coverage", 0.2, documents(0.9, 0.7, groups=groups), grouped
            )
        )
    for chance, items in ((0.8, 50), (0.72, 30)):
        told.append(
            Case(
                f"right/wrong {chance:.2g} twice, {items} items",
                "alarm",
                0.0,
                binary(chance, chance, items=items),
                paired,
            )
        )
    told += [
        Case(
            "right/wrong .7 and .9, 50 items",
            "power",
            0.0,
            binary(0.9, 0.7, items=50),
            paired,
            "right/wrong 0.8 twice, 50 items",
        ),
        Case(
            "right/wrong .6 and .85, 30 items",
            "power",
            0.0,
            binary(0.85, 0.6, items=30),
            paired,
            "right/wrong 0.72 twice, 30 items",
        ),
        Case("ratings 1–5, shifted, 10 items", "power", 0.0, likert(10, 0.8), paired, "ratings 1–5, 10 items"),
        Case("ratings 1–5, shifted, 20 items", "power", 0.0, likert(20, 0.6), paired, "ratings 1–5, 20 items"),
        Case("continuous, shifted, 10 items", "power", 0.0, normal(10, 1.2), paired, "continuous, 10 items"),
        Case("continuous, shifted, 30 items", "power", 0.0, normal(30, 0.7), paired, "continuous, 30 items"),
        Case("skewed, shifted up, 50 items", "power", 0.0, skewed(50, 0.3), paired, "skewed differences, 50 items"),
        Case("skewed, shifted down, 50 items", "power", 0.0, skewed(50, -0.4), paired, "skewed differences, 50 items"),
        Case(
            "right/wrong .9 and .6, 6 groups",
            "power",
            0.0,
            documents(0.9, 0.6, groups=6),
            grouped,
            "right/wrong .8 twice, 6 groups",
        ),
        Case(
            "right/wrong .9 and .7, 12 groups",
            "power",
            0.0,
            documents(0.9, 0.7, groups=12),
            grouped,
            "right/wrong .8 twice, 12 groups",
        ),
        Case("judgments, independent", "coverage", 1000.0, votes(30, 0.0), judged),
        Case("judgments, 30 items with effects", "coverage", 1000.0, votes(30, 0.8), judged),
        Case("judgments, 10 items with effects", "coverage", 1000.0, votes(10, 0.8), judged),
    ]
    return told


def one(task: tuple[int, int]) -> dict[str, float]:
    """Return for every package whether it was right, or told apart, on one data set."""
    place, number = task
    case = cases()[place]
    found = case.ask(case.draw(np.random.default_rng([place, number])))
    answers = {}
    for package, (low, high, p) in found.items():
        if case.measure == "coverage":
            answers[package] = float((low is None or low <= case.truth) and (high is None or case.truth <= high))
        else:
            answers[package] = float(p is not None and p <= LEVEL)
    return answers


def main() -> None:
    """Simulate with a process per core, and print what came out."""
    data_sets = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rows, timed = [], seconds()
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        for place, case in enumerate(cases()):
            told = pool.map(one, [(place, number) for number in range(data_sets)], 20)
            found = {package: np.array([each[package] for each in told]) for package in told[0]}
            # Everybody has the same data, so that differences are known better than shares.
            errors = {
                package: float(np.std(answers - found["betterthan"]) / np.sqrt(data_sets))
                for package, answers in found.items()
            }
            shares = {package: float(np.mean(answers)) for package, answers in found.items()}
            rows.append(
                {"case": case.name, "measure": case.measure, "equal": case.equal, "shares": shares, "errors": errors}
            )
    print(json.dumps({"data_sets": data_sets, "rows": rows, "seconds": timed}))


if __name__ == "__main__":
    main()
