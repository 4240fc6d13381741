"""PERM-BOTH swaps cell by cell: with few cells, all swaps can be counted."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from betterthan.verbs.correlate.perm_both import perm_both

ITEMS, SYSTEMS = 3, 3


def _kendall_of_means(values: np.ndarray, human: np.ndarray) -> float:
    return float(stats.kendalltau(values.mean(axis=0), human.mean(axis=0)).statistic)


def _pearson_of_means(values: np.ndarray, human: np.ndarray) -> float:
    return float(stats.pearsonr(values.mean(axis=0), human.mean(axis=0)).statistic)


def _kendall_of_items(values: np.ndarray, human: np.ndarray) -> float:
    first, second = np.triu_indices(SYSTEMS, 1)  # no ties here: the mean product of signs is Kendall's tau
    return float(np.mean(np.sign(values[:, first] - values[:, second]) * np.sign(human[:, first] - human[:, second])))


MEASURES = {"kendall": _kendall_of_means, "pearson": _pearson_of_means, "item-kendall": _kendall_of_items}


@pytest.mark.parametrize("measure", MEASURES)
def test_p_is_that_of_all_swaps_of_single_cells(measure: str) -> None:
    """Whole rows, or whole systems, have 8 swaps instead of 512, and p would be another."""
    agreement = MEASURES[measure]
    human = np.array([[1.0, 2.0, 4.0], [2.0, 3.0, 7.0], [1.0, 5.0, 6.0]])
    one = human + np.array([[0.1, -0.2, 0.3], [0.2, 0.1, -0.1], [-0.3, 0.2, 0.1]])
    two = np.array([[4.0, 2.0, 1.5], [3.0, 6.0, 2.0], [4.0, 2.0, 3.5]])
    z = [(values - values.mean()) / values.std() for values in (one, two)]

    def gap(swap: np.ndarray) -> float:
        mixed = np.where(swap, z[1], z[0]), np.where(swap, z[0], z[1])
        return agreement(mixed[0], human) - agreement(mixed[1], human)

    observed = gap(np.zeros((ITEMS, SYSTEMS), dtype=bool))
    swaps = product([False, True], repeat=ITEMS * SYSTEMS)
    every = [abs(gap(np.array(swap).reshape(ITEMS, SYSTEMS))) for swap in swaps]
    expected = float(np.mean(np.array(every) >= abs(observed) - 1e-9))

    permutations = 600 if measure.startswith("item") else 4000
    found, test = perm_both(one, two, human, measure, permutations, np.random.default_rng(0))
    assert found == pytest.approx(observed)
    assert test.statistic == pytest.approx(observed)
    assert test.p == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / permutations) + 1e-3)
    assert test.p * (permutations + 1) == pytest.approx(round(test.p * (permutations + 1)))  # of so many, and one more
    assert test.note == f"two-sided, {permutations:,} permutations"


def test_the_same_metric_twice_never_differs() -> None:
    values = np.random.default_rng(3).normal(size=(6, 4))
    found, test = perm_both(values, values, values + 1, "pearson", 50, np.random.default_rng(0))
    assert (found, test.p) == (0.0, 1.0)


def test_which_metric_is_named_first_only_turns_the_sign() -> None:
    rng = np.random.default_rng(4)
    human = rng.normal(size=(8, 5))
    one, two = human + 0.3 * rng.normal(size=(8, 5)), rng.normal(size=(8, 5))
    forth = perm_both(one, two, human, "spearman", 500, np.random.default_rng(1))
    back = perm_both(two, one, human, "spearman", 500, np.random.default_rng(1))
    assert forth[0] == pytest.approx(-back[0])
    assert forth[1].p == back[1].p
