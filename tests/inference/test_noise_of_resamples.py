"""Moments of true qualities in resamples, by listing all resamples there are."""

from itertools import product

import numpy as np
import pytest

from betterthan.verbs.correlate.metric_correlation import TwoMetrics
from betterthan.verbs.correlate.true_qualities import NoisyMeans


def test_resamples_have_the_moments_of_the_scores_on_average() -> None:
    """A resample adds noise of its own to that of the scores; both are subtracted."""
    rng, items = np.random.default_rng(0), 4
    hard = rng.normal(size=(items, 1))
    two = TwoMetrics.of(hard + rng.normal(size=(items, 3)), hard + rng.normal(size=(items, 3)))
    drawn = np.array([np.bincount(each, minlength=items) for each in product(range(items), repeat=items)], dtype=float)
    moments = NoisyMeans.of(two).resampled(np.concatenate([np.ones((1, items)), drawn]).T)[-3:]
    assert moments[:, 1:].mean(axis=1) == pytest.approx(moments[:, 0], rel=1e-9)
