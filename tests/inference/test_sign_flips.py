"""Random flips, signed ranks and posterior draws are those of NumPy and SciPy, bit by bit."""

import numpy as np
import pytest
from scipy import stats

from betterthan.inference import Differences, equivalence
from betterthan.inference.tests import sign_flips
from betterthan.inference.tests.paired_tests import signed_rank_ways, wilcoxon


@pytest.mark.parametrize("units", [21, 50, 1003])
def test_random_signs_are_numpys_draws_of_two_numbers(units: int) -> None:
    signs = np.concatenate(list(sign_flips._random_signs(units, np.random.default_rng(5))))
    batch = max(1, min(sign_flips.FLIPS, sign_flips._BATCH // units))
    rng = np.random.default_rng(5)
    for start in range(0, sign_flips.FLIPS, batch):
        rows = signs[start : start + batch]
        np.testing.assert_array_equal(rows, 2.0 * rng.integers(2, size=rows.shape, dtype=np.int8) - 1)


def test_ways_to_give_signs_are_counted_once_and_cannot_be_changed() -> None:
    assert signed_rank_ways(12) is signed_rank_ways(12)
    assert signed_rank_ways(12).sum() == 2.0**12
    with pytest.raises(ValueError, match="read-only"):
        signed_rank_ways(12)[0] = 2.0


def test_equal_differences_share_their_mean_rank() -> None:
    values = np.random.default_rng(6).integers(-4, 6, 60).astype(float)
    found = wilcoxon(Differences(values, np.zeros(60), np.arange(60)), np.random.default_rng(0))
    kept = values[values != 0]
    assert found.statistic == stats.rankdata(np.abs(kept))[kept > 0].sum()


@pytest.mark.parametrize("margin", [0.05, 0.3, 2.0])
def test_equivalence_is_students_and_the_posterior_counts_the_largest_share(margin: float) -> None:
    rng = np.random.default_rng(7)
    a, b = rng.normal(0.1, 1, 40), rng.normal(size=40)
    found = equivalence.equivalence(Differences(a, b, np.arange(40)), margin, np.random.default_rng(8))
    upper, lower = (stats.ttest_1samp(a - b, side, alternative=which).pvalue for side, which in _sides(margin))
    assert found.p == pytest.approx(max(upper, lower), rel=1e-9)
    gap = a - b
    counts = [np.sum(gap > margin), np.sum(np.abs(gap) <= margin), np.sum(gap < -margin)]
    drawn = np.random.default_rng(9).dirichlet(np.add(counts, (1e-9, 1.0, 1e-9)), 20_000)
    shares = np.bincount(np.argmax(drawn, axis=1), minlength=3) / 20_000
    np.testing.assert_allclose([found.better, found.equal, found.worse], shares, atol=0.02)
    assert found.better + found.equal + found.worse == pytest.approx(1.0)


def _sides(margin: float) -> tuple[tuple[float, str], tuple[float, str]]:
    return (margin, "less"), (-margin, "greater")
