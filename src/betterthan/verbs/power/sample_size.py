"""Sample sizes by formula: Student's t exactly, the sign test by enumeration.

Tests are two-sided at 1 − level. A difference's sign never matters, and what no number of units can detect needs None.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2, sqrt

import numpy as np

from betterthan.base import IntArray, scipy
from betterthan.inference import Differences, paired_tests

#: Larger samples are unrealistic; beyond that many units a normal distribution is exact enough.
_MOST, _NORMAL = 10**12, 50_000


def t_power(effect: float, n: int, level: float = 0.95) -> float:
    """Return the power of the paired t-test with n units, for a mean of `effect` standard deviations (d_z).

    >>> round(t_power(0.5, 34), 3)
    0.808
    """
    if n < 2:
        return 0.0
    shift = abs(effect) * sqrt(n)
    if n > _NORMAL:
        return _normal_power(shift, 1.0, level)
    limit = float(scipy.stats.t.ppf((1 + level) / 2, n - 1))
    # The far tail underflows to nothing, or to NaN in some versions of SciPy.
    far, near = scipy.stats.nct.cdf(-limit, n - 1, shift), scipy.stats.nct.sf(limit, n - 1, shift)
    return min(1.0, float(np.nan_to_num(far)) + float(np.nan_to_num(near, nan=1.0)))


def t_needed(effect: float, power: float = 0.8, level: float = 0.95) -> int | None:
    """Return the smallest number of units with which the paired t-test has this power.

    >>> t_needed(0.5), t_needed(0.0)
    (34, None)
    """
    return first(lambda n: t_power(effect, n, level) >= power, 2) if effect else None


def t_smallest(n: int, power: float = 0.8, level: float = 0.95) -> float | None:
    """Return the smallest d_z that the paired t-test detects with n units; None where they are fewer than two."""
    if n < 2:
        return None
    high = 1.0 / sqrt(n)
    while t_power(high, n, level) < power:
        high *= 2
    return _root(lambda effect: t_power(effect, n, level) - power, 0.0, high)


def sign_power(win_share: float, n: int, level: float = 0.95, tie_share: float = 0.0, *, mid: bool = False) -> float:
    """Return the power of the exact sign test (McNemar's, for right and wrong) with n comparisons.

    `win_share` is among those that are decided; how many of the n are ties varies by chance round `tie_share`. With
    `mid` it is the mid-p test.

    >>> round(sign_power(1.0, 6), 3), sign_power(1.0, 5)
    (1.0, 0.0)
    """
    if n > _NORMAL:
        decided = n * (1 - tie_share)
        spread = 2 * sqrt(win_share * (1 - win_share))
        step = 0 if mid else 1
        return _normal_power((abs(2 * win_share - 1) * decided - step) / sqrt(decided), spread, level)
    low, high = (int(scipy.stats.binom.ppf(chance, n, 1 - tie_share)) for chance in (1e-12, 1 - 1e-12))
    number = np.arange(max(0, low), high + 1)
    limit = _limit(number, level, mid=mid)
    found = scipy.stats.binom.cdf(limit, number, win_share) + scipy.stats.binom.sf(
        number - limit - 1, number, win_share
    )
    return float(found @ scipy.stats.binom.pmf(number, n, 1 - tie_share))


def sign_needed(
    win_share: float, power: float = 0.8, level: float = 0.95, tie_share: float = 0.0, *, mid: bool = False
) -> int | None:
    """Return the number of comparisons from which the sign test keeps this power.

    Its power goes up and down like a saw, because wins are counted in whole numbers: a number that is enough while the
    next one is not does not count.
    """
    if win_share == 0.5 or tie_share >= 1:
        return None
    window = min(400, ceil(6 / (1 - tie_share)))  # more than a tooth

    def enough(n: int) -> bool:
        steps = range(0, window if n <= _NORMAL else 1, ceil(window / 8))
        return all(sign_power(win_share, n + step, level, tie_share, mid=mid) >= power for step in steps)

    return first(enough, 1)


def sign_smallest(
    n: int, power: float = 0.8, level: float = 0.95, tie_share: float = 0.0, *, mid: bool = False
) -> float | None:
    """Return the smallest win share above one half that the sign test detects; None where n is too small for any."""
    if sign_power(1.0, n, level, tie_share, mid=mid) < power:
        return None
    return _root(lambda share: sign_power(share, n, level, tie_share, mid=mid) - power, 0.5, 1.0)


def _limit(number: IntArray, level: float, *, mid: bool) -> IntArray:
    """Return the most losses with which the sign test still rejects, −1 where it never does."""
    limit = np.asarray(scipy.stats.binom.ppf((1 - level) / 2, number, 0.5), dtype=np.int64)
    own = np.asarray(scipy.stats.binom.pmf(limit, number, 0.5)) if mid else 0.0
    too_likely = 2 * np.asarray(scipy.stats.binom.cdf(limit, number, 0.5)) - own > (1 - level) * (1 + 1e-9)
    return limit - too_likely


def _normal_power(shift: float, spread: float, level: float) -> float:
    limit = float(scipy.stats.norm.ppf((1 + level) / 2))
    if spread == 0.0:
        return float(shift > limit)
    return float(scipy.stats.norm.sf((limit - shift) / spread) + scipy.stats.norm.cdf((-limit - shift) / spread))


def first(enough: Callable[[int], bool], least: int) -> int | None:
    """Return the first number that is enough, given that all after it are."""
    low, high = least - 1, least
    while not enough(high):
        if high > _MOST:
            return None
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return low if function(low) >= 0 else float(scipy.optimize.brentq(function, low, high, xtol=1e-12))


@dataclass(frozen=True)
class MeanPlan:
    """A planned paired t-test: the `spread` of a unit's difference, the power and the level."""

    spread: float
    power: float
    level: float

    test = "t"

    def needed(self, difference: float) -> int | None:
        """Return the number of units needed to detect a mean difference."""
        return t_needed(difference / self.spread, self.power, self.level)

    def smallest(self, units: int) -> float | None:
        """Return the smallest mean difference that that many units detect."""
        effect = t_smallest(units, self.power, self.level)
        return None if effect is None else effect * self.spread

    def reached(self, difference: float, units: int) -> float:
        """Return the power that that many units have."""
        return t_power(difference / self.spread, units, self.level)


@dataclass(frozen=True)
class SharePlan:
    """A planned sign test: a unit counts as `worth` independent comparisons, of which this share is tied.

    `freedom` are degrees of freedom per unit where the error of the share is estimated from units. With few units
    Student's t replaces the normal distribution.
    """

    tie_share: float
    power: float
    level: float
    worth: float = 1.0
    freedom: float | None = None
    mid: bool = False

    test = "sign"

    def needed(self, win_share: float) -> int | None:
        """Return the number of units needed to detect a share of wins among decided comparisons."""
        found = sign_needed(win_share, self.power, self.level, self.tie_share, mid=self.mid)
        if found is None or self.freedom is None:
            return None if found is None else ceil(found / self.worth)
        # Fewer units than this have no assignment of signs rare enough to be significant.
        least = ceil(log2(2 / (1 - self.level)) - 1e-9)
        return first(lambda units: self._comparisons(units) >= found - 1e-9, least)

    def smallest(self, units: int) -> float | None:
        """Return the smallest win share above one half that that many units detect."""
        return sign_smallest(round(self._comparisons(units)), self.power, self.level, self.tie_share, mid=self.mid)

    def reached(self, win_share: float, units: int) -> float:
        """Return the power that that many units have."""
        return sign_power(win_share, round(self._comparisons(units)), self.level, self.tie_share, mid=self.mid)

    def _comparisons(self, units: float) -> float:
        """Return the effective number of independent comparisons of that many units."""
        number = units * self.worth
        if self.freedom is None:
            return number
        tail, wanted = (1 + self.level) / 2, float(scipy.stats.norm.ppf(self.power))
        student = float(scipy.stats.t.ppf(tail, max(1.0, units * self.freedom)))
        return number * ((float(scipy.stats.norm.ppf(tail)) + wanted) / (student + wanted)) ** 2


@dataclass(frozen=True)
class AnswerPlan:
    """A planned McNemar mid-p test of right and wrong answers; `step` is the score difference of a win."""

    step: float
    tie_share: float
    power: float
    level: float

    test = "mcnemar-mid-p"

    def needed(self, difference: float) -> int | None:
        """Return the number of items needed to detect a mean difference."""
        return self._plan(difference).needed(self.win_share(difference))

    def smallest(self, units: int) -> float | None:
        """Return the smallest mean difference that that many items detect."""
        share = SharePlan(self.tie_share, self.power, self.level, mid=True).smallest(units)
        return None if share is None else (2 * share - 1) * (1 - self.tie_share) * self.step

    def reached(self, difference: float, units: int) -> float:
        """Return the power that that many items have."""
        return self._plan(difference).reached(self.win_share(difference), units)

    def possible(self, difference: float) -> bool:
        """Whether the decided items can produce the difference."""
        return abs(difference) <= (1 - self.tie_share) * self.step

    def win_share(self, difference: float) -> float:
        """Return which share of the decided items is won at a mean difference."""
        decided = 1 - self._plan(difference).tie_share
        return min(1.0, max(0.0, (1 + difference / (self.step * decided)) / 2))

    def _plan(self, difference: float) -> SharePlan:
        # A larger difference than all decided items make needs more of them to be decided.
        return SharePlan(min(self.tie_share, 1 - abs(difference) / self.step), self.power, self.level, mid=True)


def spread_of(differences: Differences) -> tuple[float, float]:
    """Return a unit's standard deviation, and the design effect: the squared robust error over the naive one."""
    values = differences.values
    error, _ = paired_tests.standard_error(differences)
    naive = float(np.std(values, ddof=1)) / sqrt(len(values))
    effect = (error / naive) ** 2 if naive > 0 else 1.0
    # Few groups may vary less than chance would let them: nothing to plan with.
    return error * sqrt(len(differences.sums)) / min(1.0, sqrt(effect) or 1.0), max(1.0, effect)
