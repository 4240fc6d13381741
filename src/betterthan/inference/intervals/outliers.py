"""Detection of outliers."""

import numpy as np

from betterthan.base import BoolArray, FloatArray


def far_from_the_rest(values: FloatArray, times: float = 1.5) -> BoolArray:
    """Mark values beyond 1.5 interquartile ranges of their column's quartiles; missing ones are not."""
    low, high = np.nanquantile(values, [0.25, 0.75], axis=0)
    reach = times * (high - low)
    beyond: BoolArray = (values < low - reach) | (values > high + reach)
    return beyond
