"""Effect sizes of paired differences, with intervals from resampling items or their groups."""

from collections.abc import Callable, Sequence

import numpy as np

from betterthan.base import FloatArray, arrays, scipy
from betterthan.datasets import SortedColumns, unit_draws
from betterthan.inference.intervals.effect import Effect, effect_of
from betterthan.inference.intervals.questions import answered
from betterthan.inference.intervals.share_intervals import effective_number, mid_p
from betterthan.inference.tests.paired_tests import Differences

#: Resamples, and resampled items held at once.
_RESAMPLES, _BATCH = 1000, 100_000


def effects(
    differences: Differences, level: float, rng: np.random.Generator, known: Sequence[Effect] | None = None
) -> tuple[Effect, ...]:
    """Return all effect sizes, the differences themselves first.

    `known` are those with known intervals, where they were computed already (see `questions`).
    """
    values = differences.values
    line = SortedColumns(values[:, None])
    statistics: dict[str, Callable[[FloatArray], FloatArray]] = {
        "median_difference": lambda times: line.median(times)[0],
        "cohens_dz": lambda times: _standardised(values, times),
        "rank_biserial": _RankBiserial(values),
        "cliffs_delta": _Cliff(differences.a, differences.b),
    }
    draws = _resampled(differences, list(statistics.values()), rng)
    ends = _ends(len(np.unique(differences.group)), level)
    mean, typical, won = answered(differences, level, 0) if known is None else known
    found = []
    for (name, statistic), drawn in zip(statistics.items(), draws, strict=True):
        value = float(statistic(np.ones((len(values), 1)))[0])
        finite = drawn[np.isfinite(drawn)]
        low, high = np.quantile(finite, ends) if len(finite) > 1 else (np.nan, np.nan)
        # Resamples repeat items, which may move an effect to one side of its estimate.
        found.append(effect_of(name, value, min(low, value), max(high, value)))
    wins, losses = int(np.sum(values > 0)), int(np.sum(values < 0))
    return (mean, found[0], typical, *found[1:], won, odds(wins, losses, level, effective_decided(differences, level)))


def effective_decided(differences: Differences, level: float) -> float:
    """Return the effective number of decided items for their share of wins."""
    signs = np.sign(differences.values)
    decided = float(np.sum(signs != 0))
    if not differences.grouped or decided == 0:
        return decided
    share = float(np.sum(signs > 0)) / decided
    gaps = differences.per_group((signs > 0) - share * (signs != 0))[differences.per_group(np.abs(signs)) > 0]
    variance = float(np.sum(gaps**2)) * len(gaps) / max(len(gaps) - 1, 1) / decided**2
    return float(effective_number(share, variance, decided, len(gaps), level))


def _ends(units: int, level: float) -> tuple[float, float]:
    """Return the quantiles that are the ends of an interval, further out where units are few.

    Percentiles of resamples are too narrow, as if a normal distribution stood in for Student's: these are Hesterberg's
    (2015) expanded ones.
    """
    if units < 2:
        return (1 - level) / 2, (1 + level) / 2
    reach = np.sqrt(units / (units - 1)) * scipy.special.stdtrit(units - 1, (1 + level) / 2)
    return float(scipy.special.ndtr(-reach)), float(scipy.special.ndtr(reach))


def odds(wins: int, losses: int, level: float, number: float | None = None) -> Effect:
    """Return the odds of a win against a loss, with the mid-p interval: Clopper and Pearson's, less cautious.

    `number` is the effective number of decided items, where they are not independent.
    """
    if wins + losses == 0:
        return Effect("odds", None, None, None)
    ends = mid_p(wins / (wins + losses), number or wins + losses, level)
    low, high = (end / (1 - end) if end < 1 else np.inf for end in ends)
    return effect_of("odds", wins / losses if losses else np.inf, low, high)


def _resampled(
    differences: Differences, statistics: list[Callable[[FloatArray], FloatArray]], rng: np.random.Generator
) -> FloatArray:
    """Return every statistic of every resample (statistics × resamples)."""
    _, unit = np.unique(differences.group, return_inverse=True)
    parts = []
    batch = max(100, _BATCH // len(unit))
    for start in range(0, _RESAMPLES, batch):
        times = unit_draws.draw_weights(rng, int(unit.max()) + 1, min(batch, _RESAMPLES - start))[unit]
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
        kept = np.flatnonzero(values)
        self.kept = kept[np.argsort(np.abs(values[kept]), kind="stable")]
        _, self.start, self.place = np.unique(np.abs(values[self.kept]), return_index=True, return_inverse=True)
        self.sign = np.sign(values[self.kept])

    def __call__(self, times: FloatArray) -> FloatArray:
        if len(self.kept) == 0:
            return np.zeros(times.shape[1])
        repeated = times[self.kept]
        number = np.add.reduceat(repeated, self.start, axis=0)
        rank = arrays.running_sums(number) - (number - 1) / 2  # the mean rank of equal sizes
        weighted = rank[self.place] * repeated
        total = weighted.sum(axis=0)
        signed: FloatArray = np.divide(self.sign @ weighted, total, out=np.zeros(len(total)), where=total > 0)
        return signed


class _Cliff:
    """Cliff's delta: how much more often a score of one system exceeds a score of the other, on any items."""

    def __init__(self, a: FloatArray, b: FloatArray) -> None:
        self.order = np.argsort(b, kind="stable")
        self.below = np.searchsorted(b[self.order], a, side="left")
        self.upto = np.searchsorted(b[self.order], a, side="right")

    def __call__(self, times: FloatArray) -> FloatArray:
        counted = np.vstack([np.zeros(times.shape[1]), arrays.running_sums(times[self.order])])
        total = times.sum(axis=0)
        lead = counted[self.below] + counted[self.upto] - total  # wins less losses of every score of the first
        delta: FloatArray = np.sum(lead * times, axis=0) / total**2
        return delta
