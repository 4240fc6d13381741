"""Nadeau and Bengio's correction: by hand, and in simulations of models that are equally good."""

from math import sqrt

import numpy as np
import pytest
from joblib import parallel_config
from scipy import stats

from betterthan.verbs.select import corrected_intervals, unit_splits
from betterthan.verbs.select.select_model import select
from tests.verbs.select.worlds import votes


def test_interval_and_test_by_hand() -> None:
    a, b = np.array([0.5, 0.7, 0.6, 0.6]), np.array([0.4, 0.5, 0.6, 0.5])
    found = corrected_intervals.estimate(a, 0.25, 0.95)
    error = sqrt((0.01 + 0.01 + 0 + 0) / 3 * (1 / 4 + 1 / 4))
    assert found.value == pytest.approx(0.6)
    assert found.high - found.value == pytest.approx(3.182446 * error, rel=1e-6)  # t of three degrees of freedom
    assert found.value - found.low == pytest.approx(found.high - found.value)
    gap, p = corrected_intervals.difference(a, b, 0.25, 0.95)
    error = sqrt((0.0 + 0.01 + 0.01 + 0.0) / 3 * (1 / 4 + 1 / 4))
    assert gap.value == pytest.approx(0.1)
    assert p == pytest.approx(2 * stats.t.sf(0.1 / error, 3))


def test_without_correction_it_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 12))
    assert corrected_intervals.difference(a, b, 0.0, 0.95)[1] == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-6)


def test_models_that_never_differ() -> None:
    a = np.array([0.5, 0.7, 0.6])
    assert corrected_intervals.difference(a, a, 0.25, 0.95)[1] == 1.0
    assert (
        corrected_intervals.difference(a, a + 1e-12 * np.array([1, 1.1, 1.2]), 0.25, 0.95)[1] == 1.0
    )  # a solver's last digits
    constant, p = corrected_intervals.difference(a + 1, a, 0.25, 0.95)  # without variation nothing is known of chance
    assert (constant.value, constant.low, constant.high, p) == (1.0, None, None, 1.0)


def _losses(values: np.ndarray, train: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Predict by the mean in training: squared loss of two models that look at numbers of their own."""
    means = values[:, train].mean(axis=1, keepdims=True)
    return np.asarray(((values[:, test] - means) ** 2).mean(axis=1))


@pytest.mark.parametrize("how", ["folds", "amounts", "small parts"])
def test_models_that_are_equally_good_are_seldom_told_apart(how: str) -> None:
    """Two models that are alike by construction: rejections at 5 % are at most about so many, without correction more."""
    rng = np.random.default_rng(0)
    units, simulations, rejected = 200, 400, np.zeros(2)
    for simulation in range(simulations):
        values = rng.normal(size=(2, units))
        if how == "folds":
            splits = unit_splits.by_folds(units, 5, 4, simulation)
        else:
            splits = unit_splits.by_amounts(np.ones(units), 20, 20, 20, simulation)
        few = 15 if how == "small parts" else units
        a, b = np.array([_losses(values, split.train[:few], split.test) for split in splits]).T
        ratio = len(splits[0].test) / len(splits[0].train)
        rejected += [
            corrected_intervals.difference(a, b, ratio, 0.95)[1] <= 0.05,
            corrected_intervals.difference(a, b, 0.0, 0.95)[1] <= 0.05,
        ]
    corrected, naive = rejected / simulations
    assert corrected <= 0.07
    assert naive > 0.15


def test_a_sampler_is_seldom_told_apart_from_itself() -> None:
    """The same sampler with two seeds, from judgments to the test."""
    models = "hopkins-may(sweeps=10,burn_in=5,seed=1),hopkins-may(sweeps=10,burn_in=5,seed=2)"
    with parallel_config(backend="sequential"):
        found = [select(votes(200, seed), models, repeats=2).versus for seed in range(30)]
    for measure in (0, 1):
        assert sum(versus[measure].p <= 0.05 for versus in found) <= 3
