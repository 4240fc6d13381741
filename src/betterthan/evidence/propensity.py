"""Weights from the chance with which each pair was drawn."""

import numpy as np

from betterthan.arrays import FloatArray, IntArray

#: An inverse chance counts at most this many times the mean.
LARGEST_INVERSE = 10.0


def inverse(chance: FloatArray, times: IntArray) -> FloatArray:
    """Return inverse chances with a mean of 1; the largest are clipped, because single rows must not decide."""
    weight = np.divide(1.0, chance, out=np.zeros_like(chance), where=chance > 0)
    mean = float(weight @ times) / max(float(times[chance > 0].sum()), 1.0) or 1.0
    clipped: FloatArray = np.minimum(weight / mean, LARGEST_INVERSE)
    return clipped
