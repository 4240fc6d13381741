"""McNemar's test: right and wrong answers of two systems on the same items."""

from math import sqrt

import numpy as np

from betterthan.base import scipy
from betterthan.inference.intervals.share_intervals import binomial_mid_p, binomial_p
from betterthan.inference.tests.paired_tests import Test


def mcnemar(wins: int, losses: int) -> tuple[Test, Test, Test]:
    """McNemar's test: mid-p, exact, and with the continuity correction.

    The exact test gives fewer false alarms than its level says, down to none with few items. Mid-p comes close to the
    level and hardly ever exceeds it (Fagerland et al. 2013).
    """
    number = wins + losses
    exact = binomial_p(wins, losses)
    statistic = max(abs(wins - losses) - 1, 0) ** 2 / number if number else 0.0
    fewer = float(min(wins, losses))
    return (
        Test("mcnemar-mid-p", fewer, binomial_mid_p(wins, losses), "mid-p"),
        Test("mcnemar", fewer, exact, "exact"),
        Test("mcnemar-corrected", statistic, float(scipy.special.chdtrc(1, statistic)), "with continuity correction"),
    )


def bonett_price(wins: float, losses: float, number: float) -> tuple[float, float]:
    """Return centre and standard error of Bonett and Price's (2012) interval of the share of wins less losses.

    It adds one win and one loss. The interval is the centre ± z standard errors; numbers may be effective ones.
    """
    won, lost = (wins + 1) / (number + 2), (losses + 1) / (number + 2)
    return won - lost, sqrt((won + lost - (won - lost) ** 2) / (number + 2))


def bonett_price_interval(wins: float, losses: float, number: float, level: float) -> tuple[float, float]:
    """Return the interval of the share of wins less losses.

    >>> [round(end, 3) for end in bonett_price_interval(5, 1, 30, 0.95)]
    [-0.043, 0.293]
    """
    centre, error = bonett_price(wins, losses, number)
    low, high = np.clip(centre + np.array([-1, 1]) * scipy.special.ndtri((1 + level) / 2) * error, -1.0, 1.0)
    return float(low), float(high)


def score_lower_end(wins: float, losses: float, number: float, level: float) -> float:
    """Return the one-sided lower end of the share of wins less losses, by the score test (Tango 1998).

    The error is that under the hypothesis, so that few losses are not taken for few possible ones.

    >>> round(score_lower_end(0, 9, 1000, 0.99), 4)
    -0.0191
    """
    limit = float(scipy.special.ndtri(level))
    low, high = -1.0, (wins - losses) / number
    for _ in range(60):  # halvings: to the last digit
        middle = (low + high) / 2
        low, high = (middle, high) if _score(wins, losses, number, middle) > limit else (low, middle)
    return low


def _score(wins: float, losses: float, number: float, gap: float) -> float:
    """Return how many errors the observed difference is above a hypothetical one."""
    linear = (2 * number - wins + losses) * gap - wins - losses
    lost = (sqrt(max(linear**2 + 8 * number * losses * gap * (1 - gap), 0.0)) - linear) / (4 * number)
    variance = number * (2 * lost + gap * (1 - gap))
    excess = wins - losses - number * gap
    return excess / sqrt(variance) if variance > 0 else (np.inf if excess > 0 else 0.0)
