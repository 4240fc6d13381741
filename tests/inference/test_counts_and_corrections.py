"""Corrections, exact tests and power against other implementations and closed forms."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from betterthan.inference.tests.multiplicity import adjusted
from betterthan.inference.tests.randomisation import PairedParts, randomisation
from betterthan.inference.tests.sequential import Record
from betterthan.metrics.base import build_metric
from betterthan.verbs.power.sample_size import sign_power


def test_benjamini_and_hochberg_are_those_of_scipy() -> None:
    p = np.array([0.02, 0.021, 0.5, 0.04, 0.039, 0.9, 0.001])
    assert adjusted(p, "benjamini-hochberg") == pytest.approx(stats.false_discovery_control(p))
    assert adjusted(p, "holm") == pytest.approx([0.12, 0.12, 1.0, 0.156, 0.156, 1.0, 0.007])


def test_a_randomisation_test_of_few_items_is_exact() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (7, 2)).astype(float), rng.integers(0, 2, (7, 2)).astype(float)
    metric = build_metric("f1")
    pair = PairedParts(metric, a, b, np.arange(7), lower_is_better=False)

    def gap(first: np.ndarray, second: np.ndarray) -> float:
        one = np.ones((7, 1))
        return abs(float(metric.whole(first, one)[0] - metric.whole(second, one)[0]))

    swaps = [np.array(swap)[:, None] for swap in product([False, True], repeat=7)]
    every = [gap(np.where(swap, b, a), np.where(swap, a, b)) for swap in swaps]
    test = randomisation(pair, np.random.default_rng(0))
    assert test.p == pytest.approx(np.mean(np.array(every) >= gap(a, b) - 1e-12))
    assert test.note == "all swaps"


def test_ties_are_half_a_win_for_each() -> None:
    record = Record.counted(np.array([[3.0, 0.0, 1.0], [2.0, 4.0, 0.0], [1.0, 0.0, 3.0]]))
    assert record.share.tolist() == pytest.approx([4 / 6, 0.5, 0.25])
    assert record.units.tolist() == [6.0, 4.0, 4.0]


@pytest.mark.parametrize("mid", [False, True])
def test_the_power_of_many_comparisons_is_that_of_the_exact_test(mid: bool) -> None:
    """Just beyond the number from which it is approximated, it is what it was just before."""
    share = 0.5062
    before, after = (sign_power(share, number, mid=mid) for number in (50_000, 50_001))
    assert after == pytest.approx(before, abs=2e-3)
    assert sign_power(share, 50_001, mid=True) > sign_power(share, 50_001, mid=False) + 5e-4
