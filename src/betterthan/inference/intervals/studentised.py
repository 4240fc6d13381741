"""The studentised mean: Student's t, cluster-robust for grouped items, and its bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from betterthan.base import FloatArray, scipy
from betterthan.datasets import unit_draws
from betterthan.inference.intervals.estimate_errors import EstimateErrors
from betterthan.inference.tests.paired_tests import Differences, Test, standard_error

RESAMPLES = 9_999
#: Resampled units held at once.
_BATCH = 1_000_000
#: A variance that is smaller than this, relative to the squares it is the rest of, is rounding.
_ROUNDING = 1e-12
#: Ratios that differ by less, relatively, are the same: rounding must not decide a tie.
_SAME = 1e-9
#: Three limits of skewness, of which the largest decides. The first is the limit of near symmetry. The second is
#: relative to the root of the number of units, where Student's tails are wrong by half a percentage point. The third is
#: in standard errors of symmetric units. A lower one costs more than two points of power on ten normal differences. A
#: higher one gives more false alarms on 20 skewed ones.
_SKEWED, _SKEWED_PER_ROOT, _SKEWED_BY_CHANCE = 0.5, 0.06, 1.5


@dataclass(frozen=True)
class Studentised:
    """A mean difference, its standard error, and degrees of freedom, with the bootstrap distribution of its ratio.

    `own` is the error as resamples compute it. A resample without any variation has an infinite ratio on either side:
    it says that anything may happen by chance.
    """

    mean: float
    error: float
    freedom: float
    grouped: bool
    own: float
    upper: FloatArray  # from largest to smallest
    lower: FloatArray  # from smallest to largest
    crossed: EstimateErrors | None = None  # by items and judges, where both are units

    @property
    def known(self) -> bool:
        """Whether there is any variation to compare the mean with."""
        return self.error > 0

    def test(self) -> Test:
        """Return the bootstrap's test of no difference."""
        how = f"studentised, {len(self.upper):,} resamples{' of groups' if self.grouped else ''}"
        return (
            Test("bootstrap", self.mean, self.p(), how) if self.known else Test("bootstrap", None, 1.0, "no variation")
        )

    def p(self) -> float:
        """Return p of no difference: that of the resamples, or Student's where it is larger.

        Both tails are split, because skewness moves them apart. Heavy tails look skewed in one sample and not in the
        next; there Student's p is the larger one, and holds its level.
        """
        return min(1.0, 2 * self.tail(0.0, above=self.mean < 0))

    def tail(self, difference: float, *, above: bool) -> float:
        """Return p of a mean difference at least as large as this (`above`), or at most as large."""
        gap = self.mean - difference
        student = self.student_tail(gap if above else -gap)
        ratio = gap / self.own
        near = _SAME * abs(ratio)
        noise = np.searchsorted(self.lower, ratio + near, "right") if above else _count(self.upper, ratio - near)
        return max(student, float(1 + noise) / (len(self.upper) + 1))

    def student_tail(self, gap: float) -> float:
        """Return Student's chance of a mean at least as far below its expectation as `gap` (negative) is below 0."""
        if self.crossed is None:
            return float(scipy.special.stdtr(self.freedom, gap / self.error))
        half = float(self.crossed.p(np.array([gap]))[0]) / 2
        return half if gap < 0 else 1 - half

    def half_width(self, level: float) -> float:
        """Return how far Student's interval reaches to each side."""
        if self.crossed is not None:
            return float(self.crossed.reach(level)[0])
        return float(scipy.special.stdtrit(self.freedom, (1 + level) / 2)) * self.error

    def interval(self, level: float) -> tuple[float, float]:
        """Return the mean differences that `p` does not refuse; an end is infinite where resamples set none."""
        reach = self.half_width(level)
        rank = int((1 - level) / 2 * (len(self.upper) + 1) + 1e-9)
        most = max(float(self.upper[rank - 1]) * self.own, reach) if rank else np.inf
        least = min(float(self.lower[rank - 1]) * self.own, -reach) if rank else -np.inf
        return self.mean - most, self.mean - least


def _count(falling: FloatArray, ratio: float) -> int:
    """Count values that are at least as large."""
    return int(np.searchsorted(-falling, -ratio, "right"))


def studentise(differences: Differences, rng: np.random.Generator, resamples: int = RESAMPLES) -> Studentised:
    """Return the mean difference with its standard error, and the bootstrap distribution of their ratio."""
    return studentise_together([differences], rng, resamples)[0]


def studentise_together(
    every: Sequence[Differences], rng: np.random.Generator, resamples: int = RESAMPLES
) -> list[Studentised]:
    """Return the same for several pairs of systems on the same items, in the same resamples."""
    errors = [standard_error(each) for each in every]
    varied = [place for place, (error, _) in enumerate(errors) if error > 0 and resamples]
    ratios: dict[int, FloatArray] = {}
    if varied:
        sizes = every[varied[0]].sizes[:, None]
        gaps = np.stack([every[place].sums - every[place].values.mean() * sizes[:, 0] for place in varied], axis=1)
        ratios = dict(zip(varied, resampled_ratios(gaps, sizes, rng, resamples).T, strict=True))
        own = dict(zip(varied, plain_error(gaps, sizes).tolist(), strict=True))
    found = []
    for place, (each, (error, freedom)) in enumerate(zip(every, errors, strict=True)):
        ratio = ratios.get(place, np.zeros(0))
        upper, lower = (np.sort(np.where(np.isnan(ratio), end, ratio)) for end in (np.inf, -np.inf))
        plain = own[place] if place in ratios and each.by_judge is None else error
        crossed = None if each.by_judge is None else each.by_judge.errors()
        mean = float(each.values.mean())
        found.append(Studentised(mean, error, freedom, each.grouped, plain, upper[::-1], lower, crossed))
    return found


def plain_error(gaps: FloatArray, sizes: FloatArray) -> FloatArray:
    """Return the error of means as resamples compute it, from what units add to them (units × systems)."""
    units = len(gaps)
    error: FloatArray = np.sqrt(np.sum(gaps**2, axis=0) * units / (units - 1)) / sizes.sum(axis=0)
    return error


def resampled_ratios(gaps: FloatArray, sizes: FloatArray, rng: np.random.Generator, resamples: int) -> FloatArray:
    """Return means over their errors in resamples of the units, all systems in the same resamples.

    `gaps` are units × systems and add up to 0. `sizes` are units × systems, or × 1 where all systems have the same. A
    ratio (resamples × systems) is NaN where a resample has no variation.
    """
    units, systems = gaps.shape
    equal = bool(np.all(sizes == sizes[:1]))
    parts = [gaps, gaps**2] if equal else [gaps, gaps**2, gaps * sizes, sizes, sizes**2]
    columns = np.concatenate(parts, axis=1)
    ends = np.cumsum([part.shape[1] for part in parts])[:-1]
    found = np.empty((resamples, systems))
    batch = max(1, _BATCH // units)
    for start in range(0, resamples, batch):
        number = min(batch, resamples - start)
        total, squares, *rest = np.split(unit_draws.draw_weights(rng, units, number).T @ columns, ends, axis=1)
        if equal:
            left = squares - total**2 / units
        else:
            crossed, weight, squared = rest
            mean = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
            left = squares - 2 * mean * crossed + mean**2 * squared
            squares = squares + mean**2 * squared
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = total / np.sqrt(left * units / (units - 1))
        found[start : start + number] = np.where(left > _ROUNDING * squares, ratio, np.nan)
    return found


def skewness(gaps: FloatArray) -> FloatArray:
    """Return the skewness of what units add to the means (units first; it adds up to 0)."""
    spread = np.mean(gaps**2, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, np.mean(gaps**3, axis=0) / spread**1.5, 0.0)


def skewness_limit(units: int) -> float:
    """Return the skewness above which Student's t is not trusted."""
    chance = sqrt(6 * units * (units - 1) / ((units - 2) * (units + 1) * (units + 3))) if units > 2 else 0.0
    return max(_SKEWED, _SKEWED_PER_ROOT * sqrt(units), _SKEWED_BY_CHANCE * chance)
