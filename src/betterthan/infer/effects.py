"""How large a paired difference is: estimates with intervals, by resampling instances or their groups."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from scipy import optimize, stats

from betterthan.arrays import FloatArray
from betterthan.infer.paired import Differences, standard_error
from betterthan.reduce.sorted_columns import SortedColumns
from betterthan.reduce.units import draw_weights

_RESAMPLES, _BATCH = 1000, 100


@dataclass(frozen=True)
class Effect:
    """An estimate and its interval; what cannot be said is None."""

    name: str
    value: float | None
    low: float | None
    high: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def effects(differences: Differences, level: float, rng: np.random.Generator) -> tuple[Effect, ...]:
    """Return all effect sizes, the differences themselves first."""
    values = differences.values
    line = SortedColumns(values[:, None])
    statistics: dict[str, Callable[[FloatArray], FloatArray]] = {
        "mean_difference": lambda times: values @ times / times.sum(axis=0),
        "median_difference": lambda times: line.median(times)[0],
        "cohens_dz": lambda times: _standardised(values, times),
        "rank_biserial": _RankBiserial(values),
        "cliffs_delta": _Cliff(differences.a, differences.b),
        "superiority": lambda times: ((np.sign(values) + 1) / 2) @ times / times.sum(axis=0),
        "odds": lambda times: _smoothed_odds(values, times),
    }
    draws = _resampled(differences, list(statistics.values()), rng)
    ends = _ends(len(np.unique(differences.group)), level)
    found = []
    for (name, statistic), drawn in zip(statistics.items(), draws, strict=True):
        value = float(statistic(np.ones((len(values), 1)))[0])
        known = drawn[np.isfinite(drawn)]
        low, high = np.quantile(known, ends) if len(known) > 1 else (np.nan, np.nan)
        found.append(Effect(name, _plain(value), _plain(low), _plain(high)))
    found[0] = _mean(differences, level)
    exact = odds(int(np.sum(values > 0)), int(np.sum(values < 0)), level)
    if differences.grouped and exact.value is not None:  # resampled by group: the exact interval knows no groups
        exact = replace(exact, low=found[-1].low, high=found[-1].high)
    won, lost = int(np.sum(values > 0)), int(np.sum(values < 0))
    if not differences.grouped and won + lost == len(values):  # without ties it is a share of wins
        low, high = _mid_p(won, len(values), level)
        found[-2] = replace(found[-2], low=low, high=high)
    return (*found[:-1], exact)


def _ends(units: int, level: float) -> tuple[float, float]:
    """Return the quantiles that are the ends of an interval, further out where units are few.

    Percentiles of resamples are too narrow, as if a normal distribution stood in for Student's: these are Hesterberg's
    (2015) expanded ones.
    """
    if units < 2:
        return (1 - level) / 2, (1 + level) / 2
    reach = np.sqrt(units / (units - 1)) * stats.t.ppf((1 + level) / 2, units - 1)
    return float(stats.norm.cdf(-reach)), float(stats.norm.cdf(reach))


def _smoothed_odds(values: FloatArray, times: FloatArray) -> FloatArray:
    """Return the odds of winning with half a win and half a loss more, so that none are infinite."""
    won, lost = (values > 0) @ times + 0.5, (values < 0) @ times + 0.5
    smoothed: FloatArray = won / lost
    return smoothed


def _mean(differences: Differences, level: float) -> Effect:
    """Return the mean difference with Student's interval, robust where instances come in groups."""
    mean = float(differences.values.mean())
    error, freedom = standard_error(differences)
    if freedom < 1:
        return Effect("mean_difference", mean, None, None)
    reach = float(stats.t.ppf((1 + level) / 2, freedom)) * error
    return Effect("mean_difference", mean, mean - reach, mean + reach)


def odds(wins: int, losses: int, level: float) -> Effect:
    """Return the odds of a win against a loss, with the mid-p interval: Clopper and Pearson's, less cautious."""
    if wins + losses == 0:
        return Effect("odds", None, None, None)
    ends = [end / (1 - end) if end < 1 else np.inf for end in _mid_p(wins, wins + losses, level)]
    return Effect("odds", _plain(wins / losses if losses else np.inf), _plain(ends[0]), _plain(ends[1]))


def _mid_p(wins: int, number: int, level: float) -> tuple[float, float]:
    """Return the chances of winning at which as many wins or more (fewer) are just not too rare, their own half."""

    def tail(chance: float) -> float:
        return float(stats.binom.sf(wins, number, chance) + stats.binom.pmf(wins, number, chance) / 2)

    rare = (1 - level) / 2
    low = 0.0 if wins == 0 else float(optimize.brentq(lambda chance: tail(chance) - rare, 0.0, 1.0))
    high = 1.0 if wins == number else float(optimize.brentq(lambda chance: tail(chance) - 1 + rare, 0.0, 1.0))
    return low, high


def _resampled(
    differences: Differences, statistics: list[Callable[[FloatArray], FloatArray]], rng: np.random.Generator
) -> FloatArray:
    """Return every statistic of every resample (statistics × resamples)."""
    _, unit = np.unique(differences.group, return_inverse=True)
    parts = []
    for _ in range(0, _RESAMPLES, _BATCH):
        times = draw_weights(rng, int(unit.max()) + 1, _BATCH)[unit]
        parts.append(np.stack([statistic(times) for statistic in statistics]))
    return np.concatenate(parts, axis=1)


def _standardised(values: FloatArray, times: FloatArray) -> FloatArray:
    total = times.sum(axis=0)
    mean = values @ times / total
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((values**2 @ times - total * mean**2) / (total - 1))
        return np.where(spread > 0, mean / spread, np.where(mean == 0, 0.0, np.nan))


class _RankBiserial:
    """The matched-pairs rank-biserial correlation: signed ranks of what differs, relative to all ranks."""

    def __init__(self, values: FloatArray) -> None:
        self.kept = np.flatnonzero(values)
        size = np.abs(values[self.kept])
        _, self.place = np.unique(size, return_inverse=True)
        self.sign = np.sign(values[self.kept])

    def __call__(self, times: FloatArray) -> FloatArray:
        if len(self.kept) == 0:
            return np.zeros(times.shape[1])
        repeated = times[self.kept]
        number = np.zeros((int(self.place.max()) + 1, times.shape[1]))
        np.add.at(number, self.place, repeated)
        rank = np.cumsum(number, axis=0) - (number - 1) / 2  # the mean rank of equal sizes
        weighted = rank[self.place] * repeated
        total = weighted.sum(axis=0)
        signed: FloatArray = np.divide(self.sign @ weighted, total, out=np.zeros(len(total)), where=total > 0)
        return signed


class _Cliff:
    """Cliff's delta: how much more often a score of one system exceeds a score of the other, on any instances."""

    def __init__(self, a: FloatArray, b: FloatArray) -> None:
        self.order = np.argsort(b, kind="stable")
        self.below = np.searchsorted(b[self.order], a, side="left")
        self.upto = np.searchsorted(b[self.order], a, side="right")

    def __call__(self, times: FloatArray) -> FloatArray:
        counted = np.vstack([np.zeros(times.shape[1]), np.cumsum(times[self.order], axis=0)])
        total = times.sum(axis=0)
        lead = counted[self.below] + counted[self.upto] - total  # wins less losses of every score of the first
        delta: FloatArray = np.sum(lead * times, axis=0) / total**2
        return delta


def _plain(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
