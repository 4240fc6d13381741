"""Amounts as whole numbers: what one side gains the other loses, to the last step."""

import numpy as np

from betterthan.engine.buckets.bucket_sums import Amounts


def test_rounding_takes_no_side() -> None:
    value = np.array([0.3, -0.3, 1 / 3, -1 / 3, 0.7, -0.7]) + 1e-12 * np.array([1, -1, 1, -1, 1, -1])
    first, second, ones = np.zeros(6, dtype=np.int64), np.ones(6, dtype=np.int64), np.ones(6)
    found = Amounts.of(first, second, value, None, weight=ones, times=ones)
    assert found.value.sum() == 0
    assert found.value[::2].tolist() == (-found.value[1::2]).tolist()
    assert np.abs(found.value / found.steps - value).max() <= 0.5 / found.steps
