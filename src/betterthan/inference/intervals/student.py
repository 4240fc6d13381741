"""Student's t and normal deviates of a few numbers, without loading SciPy; of many numbers with it.

`rank` of a small file takes a tenth of a second less without SciPy. Both ways agree to nine digits or more.
"""

from functools import lru_cache
from math import erfc, exp, isinf, isnan, lgamma, log, log1p, pi, sqrt

import numpy as np

from betterthan.base import FloatArray, scipy

#: More numbers than this are worth loading SciPy for.
_FEW = 2_000
#: Steps of continued fractions, and of the search for quantiles.
_STEPS, _HALVINGS = 400, 200
#: Quantiles are found to this share of their size.
_CLOSE = 1e-14
_TINY = 1e-300


def two_sided(ratio: FloatArray, freedom: FloatArray) -> FloatArray:
    """Return the chance that Student's t is at least as far from 0 as `ratio`.

    >>> two_sided(np.array([0.0, 2.0, 4.302652729911275]), np.array([3.0, np.inf, 2.0])).round(6).tolist()
    [1.0, 0.0455, 0.05]
    """
    if len(ratio) > _FEW:
        found: FloatArray = 2 * scipy.special.stdtr(freedom, -np.abs(ratio))
        return found
    return np.array([_two_sided(abs(float(t)), float(f)) for t, f in zip(ratio, freedom, strict=True)], dtype=float)


def normal_deviate(p: FloatArray) -> FloatArray:
    """Return the positive normal deviate that is exceeded on both sides together with probability p.

    >>> normal_deviate(np.array([1.0, 0.05])).round(6).tolist()
    [0.0, 1.959964]
    """
    if len(p) > _FEW:
        found: FloatArray = -scipy.special.ndtri(p / 2)
        return found
    return np.array([np.inf if each <= _TINY else _quantile(np.inf, float(each)) for each in p], dtype=float)


def quantile(freedom: FloatArray, chance: float) -> FloatArray:
    """Return the quantile of Student's t for a probability above one half.

    >>> quantile(np.array([2.0, np.inf]), 0.975).round(6).tolist()
    [4.302653, 1.959964]
    """
    if len(freedom) > _FEW:
        found: FloatArray = scipy.special.stdtrit(freedom, chance)
        return found
    return np.array([_quantile(float(each), 2 * (1 - chance)) for each in freedom], dtype=float)


def _two_sided(ratio: float, freedom: float) -> float:
    if isnan(ratio):
        return ratio
    if isinf(freedom):
        return erfc(ratio / sqrt(2))
    if isinf(ratio):
        return 0.0
    square = ratio * ratio
    return _tails(freedom / 2, freedom / (freedom + square), square / (freedom + square))


def _tails(half: float, x: float, y: float) -> float:
    """Return the regularised incomplete beta function of half the degrees of freedom and ½ at x = 1 − y.

    By its continued fraction (Lentz).
    """
    if x <= 0.0 or y <= 0.0:
        return float(y <= 0.0)
    power = half * (log1p(-y) if y < 0.5 else log(x))
    front = exp(_gamma_ratio(half) - lgamma(0.5) + power + 0.5 * log(y))
    if x > (half + 1) / (half + 2.5):
        return 1.0 - front * _fraction(0.5, half, y) * 2
    return front * _fraction(half, 0.5, x) / half


def _gamma_ratio(half: float) -> float:
    """Return log Γ(half + ½) − log Γ(half); by its series where the difference of two large numbers has few digits."""
    if half < 1000:
        return lgamma(half + 0.5) - lgamma(half)
    return 0.5 * log(half) - 1 / (8 * half) + 1 / (192 * half**3)


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, _STEPS):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1.0 / _away(1.0 + part * d), _away(1.0 + part / c)
            found *= d * c
        if abs(d * c - 1.0) < 1e-16:
            break
    return found


def _away(value: float) -> float:
    """Return the value, or a tiny one instead of 0."""
    return value if abs(value) > _TINY else _TINY


@lru_cache(maxsize=1024)  # crossed units ask for the same few degrees of freedom again and again
def _quantile(freedom: float, p: float) -> float:
    """Return where both tails together have probability p: Newton's method on the logarithm, within a bracket."""
    if p >= 1.0:
        return 0.0
    low, high, target = 0.0, 2.0, log(p)
    while (found := _two_sided(high, freedom)) > p:
        low, high = high, 2 * high
    at = high
    for _ in range(_HALVINGS):
        low, high = (at, high) if found > p else (low, at)
        density = _density(at, freedom)
        newton = at + (log(found) - target) * found / density if found > 0 and density > 0 else low
        following = newton if low < newton < high else (low + high) / 2
        if abs(following - at) <= _CLOSE * at or following in {low, high}:
            return following
        at, found = following, _two_sided(following, freedom)
    return at


def _density(ratio: float, freedom: float) -> float:
    """Return twice the density of Student's t."""
    if isinf(freedom):
        return sqrt(2 / pi) * exp(-ratio * ratio / 2)
    front = _gamma_ratio(freedom / 2) - 0.5 * log(pi * freedom)
    return 2 * exp(front - (freedom + 1) / 2 * log1p(ratio * ratio / freedom))
