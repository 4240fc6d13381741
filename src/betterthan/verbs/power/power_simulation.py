"""Power by simulation: samples of the planned size are drawn from the data and tested."""

from dataclasses import dataclass
from math import log2, sqrt

import numpy as np

from betterthan.base import BoolArray, FloatArray, IntArray, scipy
from betterthan.inference import Differences

#: Draws held at once, and made altogether: large evidence is simulated less often, and varies less.
_BATCH, _BUDGET = 2_000_000, 20_000_000


@dataclass(frozen=True)
class PlannedUnits:
    """Differences, their unit codes, and the sampling probabilities of units (None: equal)."""

    values: FloatArray
    unit: IntArray
    chances: FloatArray | None = None

    @property
    def number(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1

    @property
    def grouped(self) -> bool:
        """Whether some differences share a unit."""
        return self.number < len(self.values)

    def merged(self) -> "PlannedUnits":
        """Merge identical units, by size, with their total chance: there is less to draw and to sort."""
        if self.grouped:
            return self
        chances = np.full(self.number, 1 / self.number) if self.chances is None else self.chances[self.unit]
        values, place = np.unique(self.values, return_inverse=True)
        order = np.argsort(np.abs(values), kind="stable")
        together: FloatArray = np.bincount(place, weights=chances).astype(np.float64)[order]
        even = len(values) == self.number and self.chances is None
        return PlannedUnits(values[order], np.arange(len(values)), None if even else together / together.sum())

    def sums(self, values: FloatArray | BoolArray) -> FloatArray:
        """Add up something by unit."""
        return np.bincount(self.unit, weights=values, minlength=self.number).astype(np.float64)


def shifted(differences: Differences, difference: float) -> PlannedUnits:
    """Return units shifted to the given mean difference; zero differences stay zero."""
    values = differences.values
    differs = values != 0
    moved = values + differs * (difference - values.mean()) / differs.mean()
    return PlannedUnits(moved, np.unique(differences.group, return_inverse=True)[1])


def tilted(differences: Differences, win_share: float) -> PlannedUnits | None:
    """Return units drawn so that decided comparisons are won by the given share, and as many are tied as before.

    Chances are the nearest to equal ones that do so (exponential tilting); None where the data allow none.
    """
    values = differences.values
    units = PlannedUnits(values, np.unique(differences.group, return_inverse=True)[1])
    decided = float(np.mean(values != 0))
    aim = np.array([win_share, 1 - win_share]) * decided
    parts = np.stack([units.sums(values > 0), units.sums(values < 0)], axis=1)
    gaps = parts - aim * units.sums(np.ones(len(values)))[:, None]
    slope = np.zeros(2)
    for _ in range(100):
        weight = np.exp(gaps @ slope - np.max(gaps @ slope))
        chances = weight / weight.sum()
        miss = chances @ gaps
        if np.max(np.abs(miss)) < 1e-9 * max(1.0, float(np.abs(gaps).max())):
            return PlannedUnits(values, units.unit, chances)
        curve = (gaps * chances[:, None]).T @ gaps - np.outer(miss, miss)
        step = np.linalg.lstsq(curve, miss, rcond=1e-12)[0]
        slope = slope - step * min(1.0, 5.0 / max(1e-300, float(np.max(np.abs(gaps @ step)))))
    return None


def simulate(
    units: PlannedUnits, number: int, level: float, simulations: int, rng: np.random.Generator
) -> tuple[dict[str, float], int]:
    """Return the share of simulations in which tests reject, and how many there were.

    Tests are t, sign, its mid-p, Wilcoxon, and the share of wins by its robust error. They are as in `compare`; flips
    of groups and Wilcoxon's test by the normal approximation.
    """
    units = units.merged()
    cost = max(len(units.values), min(number, 4 * units.number))
    simulations = min(simulations, max(200, _BUDGET // cost))
    rejected = {"t": 0, "sign": 0, "sign-mid-p": 0, "wilcoxon": 0, "share": 0}
    batch = max(1, _BATCH // cost)
    for start in range(0, simulations, batch):
        times = _draw(units, number, min(batch, simulations - start), rng)
        rejected["t"] += int(np.sum(_t(units, times, number, level)))
        rejected["sign"] += int(np.sum(_sign(units, times, level, mid=False)))
        rejected["sign-mid-p"] += int(np.sum(_sign(units, times, level, mid=True)))
        rejected["share"] += int(np.sum(_t(units, times, number, level, decided=True)))
        rejected["wilcoxon"] += int(np.sum(_wilcoxon(units, times, level)))
    return {test: count / simulations for test, count in rejected.items()}, simulations


def simulation_error(power: float, simulations: int) -> float:
    """Return the standard error of a simulated power; Laplace's, so that 0 and 1 have one too."""
    likely = (power * simulations + 1) / (simulations + 2)
    return sqrt(likely * (1 - likely) / simulations)


def _draw(units: PlannedUnits, number: int, simulations: int, rng: np.random.Generator) -> FloatArray:
    """Return the weight of each unit (simulations × units)."""
    size = units.number
    if number > 4 * size:
        chances = np.full(size, 1 / size) if units.chances is None else units.chances
        return rng.multinomial(number, chances, size=simulations).astype(np.float64)
    if units.chances is None:
        drawn = rng.integers(size, size=(simulations, number))
    else:
        steps = np.cumsum(units.chances)
        drawn = np.searchsorted(steps / steps[-1], rng.random((simulations, number)), side="right")
    drawn += np.arange(simulations)[:, None] * size
    times = np.bincount(drawn.ravel(), minlength=size * simulations).reshape(simulations, size)
    return times.astype(np.float64)


def _t(units: PlannedUnits, times: FloatArray, number: int, level: float, *, decided: bool = False) -> BoolArray:
    """Test the mean, or that of the signs of `decided` comparisons, by its robust error."""
    values, counted = units.values, np.ones(len(units.values))
    if decided:
        values, counted = np.sign(values), (values != 0).astype(np.float64)
    # The middle is taken out first: squares of large numbers would swallow small differences.
    middle = float(np.average(values, weights=counted))
    sums, sizes = units.sums((values - middle) * counted), units.sums(counted)
    total, summed, squared, mixed, sized = (times @ np.stack([sizes, sums, sums**2, sums * sizes, sizes**2], axis=1)).T
    mean = summed / total
    squares = squared - 2 * mean * mixed + mean**2 * sized
    error = np.sqrt(np.maximum(squares, 0.0) * number / (number - 1)) / total
    limit = float(scipy.stats.t.ppf((1 + level) / 2, number - 1))
    rejected: BoolArray = np.abs(mean + middle) > limit * error
    return rejected


def _sign(units: PlannedUnits, times: FloatArray, level: float, *, mid: bool) -> BoolArray:
    won, lost = units.sums(units.values > 0), units.sums(units.values < 0)
    if units.grouped:
        return _flipped(times, np.broadcast_to(won - lost, times.shape), level)
    wins, losses = (times @ np.stack([won, lost], axis=1)).T
    fewer, decided = np.minimum(wins, losses), wins + losses
    own = np.asarray(scipy.stats.binom.pmf(fewer, decided, 0.5)) if mid else 0.0
    return 2 * np.asarray(scipy.stats.binom.cdf(fewer, decided, 0.5)) - own <= 1 - level


def _wilcoxon(units: PlannedUnits, times: FloatArray, level: float) -> BoolArray:
    kept = np.flatnonzero(units.values)
    kept = kept[np.argsort(np.abs(units.values[kept]), kind="stable")]
    size, of = np.abs(units.values[kept]), units.unit[kept]
    starts = np.flatnonzero(np.diff(size, prepend=-1.0))
    drawn = times[:, of]
    repeated = drawn if len(starts) == len(kept) else np.add.reduceat(drawn, starts, axis=1)
    rank = np.cumsum(repeated, axis=1) - (repeated - 1) / 2  # the mean rank of equal sizes
    if len(starts) < len(kept):
        rank = np.repeat(rank, np.diff(starts, append=len(kept)), axis=1)
    signed = np.sign(units.values[kept]) * rank
    if not units.grouped:
        return _flipped(drawn, signed, level)
    by_unit = np.argsort(of, kind="stable")
    first = np.flatnonzero(np.diff(of[by_unit], prepend=-1))
    sums = np.add.reduceat(signed[:, by_unit], first, axis=1)
    return _flipped(times[:, of[by_unit][first]], sums, level)


def _flipped(times: FloatArray, sums: FloatArray, level: float) -> BoolArray:
    """Test sums of units by flipping their signs, approximately; too few units have no rare assignment of signs."""
    total, squares = np.sum(times * sums, axis=1), np.sum(times * sums**2, axis=1)
    enough = np.sum(times * (sums != 0), axis=1) >= log2(2 / (1 - level)) - 1e-9
    rejected: BoolArray = enough & (np.abs(total) > scipy.stats.norm.ppf((1 + level) / 2) * np.sqrt(squares))
    return rejected
