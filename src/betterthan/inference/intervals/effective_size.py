"""Intervals of scores of a whole test set, and of their differences, from the influence of every item."""

from dataclasses import dataclass

import numpy as np

from betterthan.base import FloatArray, IntArray, scipy
from betterthan.metrics import Influence

#: Halvings of the range of a share: its ends are then exact to twelve digits.
_HALVINGS = 40


@dataclass(frozen=True)
class Uncertainty:
    """The variance of a score or of a difference, and the degrees of freedom of that variance."""

    variance: float
    freedom: float

    @classmethod
    def of(cls, items: FloatArray, added: FloatArray, kind: IntArray, unit: IntArray) -> "Uncertainty":
        """Add up squares over units, and over the items added to every kind; freedom by Satterthwaite over kinds."""
        number = np.bincount(kind, minlength=len(added))
        by_kind = np.bincount(kind, items**2, len(added)) + added**2
        total, units = float(by_kind.sum()), int(unit.max()) + 1
        if total <= 0:
            return cls(0.0, 1.0)
        freedom = total**2 / float(np.sum(by_kind**2 / np.maximum(number - 1, 1)))
        if 1 < units < len(items):  # dependent items vary together (Obuchowski 1997)
            total = float(np.sum(np.bincount(unit, items) ** 2)) * units / (units - 1) + float(np.sum(added**2))
            freedom = min(freedom, units - 1)
        return cls(total, max(freedom, 1.0))

    def quantile(self, level: float) -> float:
        """Return how many standard errors a two-sided interval reaches."""
        return float(scipy.special.stdtrit(self.freedom, (1 + level) / 2))


def score_interval(
    score: float, influence: Influence, unit: IntArray, bounds: tuple[float, float], level: float
) -> tuple[float, float] | None:
    """Return an interval within the bounds: that of a share, with the number of items that has the same variance.

    It is the union of the mid-p intervals around the score and around the smoothed score: the one is too short near a
    bound, the other is biased. None where the score does not vary at all.

    Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data.
    """
    found = Uncertainty.of(influence.items, influence.added, influence.kind, unit)
    low, width = bounds[0], bounds[1] - bounds[0]
    smoothed = (influence.smoothed - low) / width
    if found.variance <= 0 or not 0 < smoothed < 1:
        return None
    normal = float(scipy.special.ndtri((1 + level) / 2))
    size = smoothed * (1 - smoothed) * width**2 / found.variance * (normal / found.quantile(level)) ** 2
    shares = np.clip([(score - low) / width, smoothed], 0, 1)
    lower, upper = (_mid_p(shares, size, tail) for tail in ((1 - level) / 2, (1 + level) / 2))
    return float(low + width * min(lower.min(), shares[0])), float(low + width * max(upper.max(), shares[0]))


def _mid_p(share: FloatArray, size: float, tail: float) -> FloatArray:
    """Return the probability at which a share of `size` items, not always a whole number, has this mid-p value.

    A lower end counts the observed number half: between the ends of Clopper and Pearson, and those without it.
    """
    right, wrong = share * size, (1 - share) * size
    some_right, some_wrong = (np.where(number > 0, number, 1.0) for number in (right, wrong))
    beta = scipy.special.betainc
    low, high = np.zeros_like(share), np.ones_like(share)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        with_it = np.where(right > 0, beta(some_right, wrong + 1, middle), 1.0)
        without = np.where(wrong > 0, beta(right + 1, some_wrong, middle), 0.0)
        below = (with_it + without) / 2 < tail
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2


def difference_of(a: Influence, b: Influence, unit: IntArray) -> Uncertainty:
    """Return the uncertainty of a difference of two systems on the same items, by DeLong's covariance for areas."""
    kinds = np.union1d(a.kinds, b.kinds)
    chance = np.zeros((2, len(kinds)))
    for row, each in zip(chance, (a, b), strict=True):
        row[np.searchsorted(kinds, each.kinds)] = each.chance
    return Uncertainty.of(a.items - b.items, chance.max(axis=0), np.searchsorted(kinds, a.kinds[a.kind]), unit)
