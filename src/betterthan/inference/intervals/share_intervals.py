"""Intervals of a proportion, such as an accuracy, valid for few items, near 0 or 1, and for grouped items.

Groups enter by the effective number of items: how many independent items would know the share as well.
"""

import numpy as np
from numpy.typing import ArrayLike

from betterthan.base import FloatArray, scipy


def wilson(
    share: ArrayLike, number: ArrayLike, level: float, freedom: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's score interval of shares; `number` may be an effective one.

    With `freedom`, Student's quantile with that many degrees of freedom takes the place of the normal one. Do not give
    it with a number from `effective_number`, which allows for few groups already.

    >>> low, high = wilson(1.0, 20, 0.95)
    >>> round(float(low), 3), float(high)
    (0.839, 1.0)
    """
    share, number = np.asarray(share, dtype=np.float64), np.asarray(number, dtype=np.float64)
    tail = (1 + level) / 2
    z = (
        scipy.special.ndtri(tail)
        if freedom is None
        else scipy.special.stdtrit(np.asarray(freedom, dtype=np.float64), tail)
    )
    middle = (share + z**2 / (2 * number)) / (1 + z**2 / number)
    reach = z * np.sqrt(share * (1 - share) / number + z**2 / (4 * number**2)) / (1 + z**2 / number)
    # Rounding must not leave an end next to a share of 0 or 1.
    low = np.where(share == 0, 0.0, np.clip(middle - reach, 0.0, 1.0))
    return low, np.where(share == 1, 1.0, np.clip(middle + reach, 0.0, 1.0))


def mid_p(share: float, number: float, level: float) -> tuple[float, float]:
    """Return the chances at which as many wins or more (fewer) are just not too rare, their own chance counted half.

    It is Clopper and Pearson's interval, less cautious. `number` may be an effective one that is not whole.

    >>> [round(end, 4) for end in mid_p(0.9, 10, 0.95)]
    [0.5965, 0.995]
    """
    wins, losses = share * number, (1 - share) * number
    betainc = scipy.special.betainc  # once: it is looked up late

    def as_many(chance: float) -> float:
        more = betainc(wins + 1, losses, chance) if losses > 0 else 0.0
        return float((more + betainc(wins, losses + 1, chance)) / 2) if wins > 0 else float(1 + more) / 2

    rare = (1 - level) / 2
    low = 0.0 if share <= 0 else float(scipy.optimize.brentq(lambda chance: as_many(chance) - rare, 0.0, 1.0))
    high = 1.0 if share >= 1 else float(scipy.optimize.brentq(lambda chance: as_many(chance) - 1 + rare, 0.0, 1.0))
    return low, high


def binomial_p(wins: int, losses: int) -> float:
    """Return two-sided p of wins and losses that are equally likely.

    >>> binomial_p(5, 0), binomial_p(0, 0)
    (0.0625, 1.0)
    """
    return min(1.0, 2 * float(scipy.special.bdtr(min(wins, losses), wins + losses, 0.5)))


def binomial_mid_p(wins: int, losses: int) -> float:
    """Return two-sided mid-p of wins and losses that are equally likely: their own chance counts half.

    >>> binomial_mid_p(5, 0), binomial_mid_p(0, 0)
    (0.03125, 1.0)
    """
    fewer, number = min(wins, losses), wins + losses
    own = float(np.exp(_log_choose(number, fewer) - number * np.log(2)))
    return min(1.0, 2 * float(scipy.special.bdtr(fewer, number, 0.5)) - own) if number else 1.0


def _log_choose(number: int, some: int) -> float:
    return float(-scipy.special.betaln(number - some + 1, some + 1) - np.log1p(number))


def effective_number(
    share: ArrayLike, variance: ArrayLike, number: ArrayLike, units: ArrayLike, level: float = 0.95
) -> FloatArray:
    """Return the effective number of items for a share of `number` items in `units` groups.

    `variance` is the share's cluster-robust variance. Few groups estimate it badly, for which Korn and Graubard (1998)
    multiply with the squared ratio of Student's quantiles. Where all items are right, or all wrong, the variance is 0
    and says nothing: every group then counts as one item.

    >>> float(effective_number(0.5, 0.005, 200, 200)), float(effective_number(1.0, 0.0, 200, 40))
    (50.0, 40.0)
    """
    share = np.asarray(share, dtype=np.float64)
    return effective_of_mean(share * (1 - share), variance, number, units, level)


def effective_of_mean(
    spread: ArrayLike, variance: ArrayLike, number: ArrayLike, units: ArrayLike, level: float = 0.95
) -> FloatArray:
    """Return the same for a mean of items whose variance is `spread`."""
    spread, variance, number, units = (np.asarray(each, dtype=np.float64) for each in (spread, variance, number, units))
    tail = (1 + level) / 2
    items, groups = (scipy.special.stdtrit(np.maximum(each - 1, 1), tail) for each in (number, units))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = spread / variance * (items / groups) ** 2
    known: FloatArray = np.where(variance > 0, np.minimum(found, number), units)
    return np.maximum(known, 1.0)
