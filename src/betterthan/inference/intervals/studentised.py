"""The studentised mean difference: Student's t, cluster-robust for grouped items, and its bootstrap."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, scipy
from betterthan.inference.tests.paired_tests import Differences, Test, robust_error, standard_error

RESAMPLES = 9_999
#: Resampled units held at once.
_BATCH = 2_000_000


@dataclass(frozen=True)
class Studentised:
    """A mean difference, its standard error, and degrees of freedom; `noise` is the bootstrap distribution of their
    ratio.

    A resample without any variation has infinite noise on either side: it says that anything may happen by chance.
    """

    mean: float
    error: float
    freedom: float
    grouped: bool
    upper: FloatArray  # from largest to smallest
    lower: FloatArray  # from smallest to largest

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
        ratio = (self.mean - difference) / self.error
        student = float(scipy.stats.t.sf(-ratio if above else ratio, self.freedom))
        noise = np.searchsorted(self.lower, ratio, "right") if above else _count(self.upper, ratio)
        return max(student, float(1 + noise) / (len(self.upper) + 1))

    def interval(self, level: float) -> tuple[float, float]:
        """Return the mean differences that `p` does not refuse; an end is infinite where resamples set none."""
        reach = float(scipy.stats.t.ppf((1 + level) / 2, self.freedom))
        rank = int((1 - level) / 2 * (len(self.upper) + 1) + 1e-9)
        most = max(float(self.upper[rank - 1]), reach) if rank else np.inf
        least = min(float(self.lower[rank - 1]), -reach) if rank else -np.inf
        return self.mean - most * self.error, self.mean - least * self.error


def _count(falling: FloatArray, ratio: float) -> int:
    """Count values that are at least as large."""
    return int(np.searchsorted(-falling, -ratio, "right"))


def studentise(differences: Differences, rng: np.random.Generator, resamples: int = RESAMPLES) -> Studentised:
    """Return the mean difference with its standard error, and the bootstrap distribution of their ratio."""
    mean = float(differences.values.mean())
    error, freedom = standard_error(differences)
    if error == 0.0 or resamples == 0:
        return Studentised(mean, error, freedom, differences.grouped, np.zeros(0), np.zeros(0))
    sums, sizes = differences.sums, differences.sizes
    batch = max(1, min(1000, _BATCH // len(sums)))
    noise = []
    for start in range(0, resamples, batch):
        drawn = rng.integers(len(sums), size=(min(batch, resamples - start), len(sums)))
        some, number = sums[drawn], sizes[drawn]
        noise.append((some.sum(axis=1) / number.sum(axis=1) - mean) / robust_error(some, number))
    found = np.concatenate(noise)
    upper, lower = (np.sort(np.where(np.isnan(found), end, found)) for end in (np.inf, -np.inf))
    return Studentised(mean, error, freedom, differences.grouped, upper[::-1], lower)


def skewness(differences: Differences) -> float:
    """Return the skewness of units' sums about the mean."""
    gaps = differences.sums - differences.values.mean() * differences.sizes
    spread = float(np.mean(gaps**2))
    return float(np.mean(gaps**3)) / spread**1.5 if spread > 0 else 0.0
