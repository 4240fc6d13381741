"""What the difference of two systems varies by where runs are repeated: items, runs, and the rest."""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

from betterthan.base import FloatArray, scipy
from betterthan.evidence import Repeats
from betterthan.inference.intervals.estimate import Estimate

_DRAWS = 20_000


@dataclass(frozen=True)
class RunVariance:
    """Standard deviations of a difference between items, between runs (of both systems), and of single answers.

    `items` and `runs` are those that it was estimated from: of runs, the mean of both systems' numbers.
    """

    item: Estimate
    run: Estimate
    rest: Estimate
    items: int
    runs: float

    @classmethod
    def of(cls, repeats: Repeats, one: int, two: int, level: float, seed: int) -> "RunVariance | None":
        """Return how two systems' difference varies, by items that all runs have; None where nothing repeats.

        By mean squares of items × runs. Intervals are generalised ones (Weerahandi 1993): mean squares are drawn from
        their distribution given those observed. They are never below 0.
        """
        tables = [_by_run(repeats, system) for system in (one, two)]
        common = np.intersect1d(tables[0][0], tables[1][0])
        scores = [values[np.isin(items, common)] for items, values in tables]
        items, numbers = len(common), [each.shape[1] for each in scores]
        if items < 2 or max(numbers) < 2:
            return None
        squares = [_mean_squares(each) if each.shape[1] > 1 else None for each in scores]
        known = [each for each in squares if each is not None]
        found = [each or known[0] for each in squares]  # a single run varies as those of the other system
        between = float(np.var(scores[0].mean(axis=1) - scores[1].mean(axis=1), ddof=1))
        rng = np.random.default_rng(seed)

        def draws(square: float, freedom: float) -> FloatArray:
            drawn: FloatArray = square * freedom / rng.chisquare(freedom, _DRAWS)
            return drawn

        runs, rests = np.array([[run, rest] for run, rest, _ in found]).T
        runs_drawn = np.array([draws(run, freedom[0]) for run, _, freedom in found])
        rests_drawn = np.array([draws(rest, freedom[1]) for _, rest, freedom in found])
        per_run = np.array(numbers, dtype=float)
        return cls(
            item=_sd(
                between - float(np.sum(rests / per_run)),
                draws(between, items - 1) - np.sum(rests_drawn / per_run[:, None], axis=0),
                level,
            ),
            run=_sd(float(np.sum(runs - rests)) / items, np.sum(runs_drawn - rests_drawn, axis=0) / items, level),
            rest=_sd(float(rests.sum()), rests_drawn.sum(axis=0), level),
            items=items,
            runs=float(per_run.mean()),
        )

    def error(self, items: int, runs: int) -> tuple[float, float]:
        """Return the standard error of the mean difference with that number of items and runs, and its freedom."""
        parts = np.array([self.item.known**2 / items, self.run.known**2 / runs, self.rest.known**2 / (items * runs)])
        freedom = np.array([items - 1, 2 * (runs - 1), 2 * (items - 1) * (runs - 1)], dtype=float)
        total = float(parts.sum())
        squares = float(np.sum(parts**2 / np.maximum(freedom, 1)))
        return sqrt(total), total**2 / squares if squares > 0 else float(freedom.min())

    def smallest(self, items: int, runs: int, level: float, power: float) -> float:
        """Return the smallest difference that this number of items and runs detects with a power.

        >>> one = Estimate(1.0, None, None)
        >>> none = Estimate(0.0, None, None)
        >>> round(RunVariance(one, none, none, 9, 2).smallest(100, 5, 0.95, 0.8), 2)
        0.28
        """
        error, freedom = self.error(items, runs)
        return error * float(scipy.special.stdtrit(freedom, (1 + level) / 2) + scipy.special.stdtrit(freedom, power))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def _by_run(repeats: Repeats, system: int) -> tuple[Any, FloatArray]:
    """Return the items that all runs of a system have, and their scores (items × runs)."""
    rows = np.flatnonzero((repeats.system == system) & ~np.isnan(repeats.value))
    items, item = np.unique(repeats.item[rows], return_inverse=True)
    labels, run = np.unique(repeats.repeat.codes[rows], return_inverse=True)
    table = np.full((len(items), len(labels)), np.nan)
    table[item.ravel(), run.ravel()] = repeats.value[rows]
    whole = ~np.isnan(table).any(axis=1)
    return items[whole], table[whole]


def _mean_squares(scores: FloatArray) -> tuple[float, float, tuple[int, int]]:
    """Return the mean squares between runs and of the rest (items × runs), and their degrees of freedom."""
    items, runs = scores.shape
    of_run = scores.mean(axis=0)
    rest = scores - scores.mean(axis=1, keepdims=True) - of_run + scores.mean()
    between, within = runs - 1, (items - 1) * (runs - 1)
    return (
        items * float(np.sum((of_run - scores.mean()) ** 2)) / between,
        float(np.sum(rest**2)) / within,
        (between, within),
    )


def _sd(variance: float, drawn: FloatArray, level: float) -> Estimate:
    """Return a standard deviation with its interval."""
    low, high = np.sqrt(np.maximum(np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]), 0.0))
    return Estimate(sqrt(max(variance, 0.0)), float(low), float(high))
