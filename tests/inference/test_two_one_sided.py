"""Equivalence is shown by the larger p of two one-sided tests."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

import betterthan as bt
from betterthan.inference.tests.equivalence import equivalence
from betterthan.inference.tests.paired_tests import Differences
from betterthan.present.table import chance


def _differences(a: np.ndarray, b: np.ndarray) -> Differences:
    return Differences(a, b, np.arange(len(a)))


@pytest.mark.parametrize("shift", [-0.3, 0.0, 0.05, 0.3])
def test_p_is_that_of_statsmodels(shift: float) -> None:
    rng = np.random.default_rng(0)
    b = rng.normal(size=60)
    a = b + shift + 0.4 * rng.normal(size=60)
    expected, lower, upper = ttost_paired(a, b, -0.1, 0.1)
    found = equivalence(_differences(a, b), 0.1, np.random.default_rng(1))
    assert found.p == pytest.approx(expected)
    assert found.p == pytest.approx(max(lower[1], upper[1]))
    # Studentised resamples of near-normal differences say much the same, and never what the other side says.
    assert found.p_bootstrap == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("shift", [-0.5, 0.5])
def test_a_difference_beyond_the_margin_is_not_equivalence(shift: float) -> None:
    rng = np.random.default_rng(2)
    b = rng.normal(size=40)
    found = equivalence(_differences(b + shift + 0.1 * rng.normal(size=40), b), 0.2, np.random.default_rng(0))
    assert found.p > 0.99
    assert found.p_bootstrap > 0.99


@pytest.mark.parametrize(("won", "lost"), [(12, 2), (2, 12), (2, 1), (1, 2)])
def test_right_and_wrong_answers_take_the_larger_tail_too(won: int, lost: int) -> None:
    """Bonett and Price (2012): one win and one loss are added, and the error is that of the adjusted shares."""
    items = 80
    a, b = np.ones(items), np.ones(items)
    b[:won], a[won : won + lost] = 0, 0
    up, down = (won + 1) / (items + 2), (lost + 1) / (items + 2)
    error = np.sqrt((up + down - (up - down) ** 2) / (items + 2))
    tails = [stats.norm.sf((up - down + 0.1) / error), stats.norm.cdf((up - down - 0.1) / error)]
    student = ttost_paired(a, b, -0.1, 0.1)[0]
    assert (max(tails) > student > min(tails)) == (won + lost == 3)  # of few answers that differ, t is too certain
    found = equivalence(_differences(a, b), 0.1, np.random.default_rng(0))
    assert found.p == pytest.approx(max(*tails, student))


def test_the_sentence_says_the_larger_of_both_ps() -> None:
    rng = np.random.default_rng(5)
    b = rng.normal(size=50)
    scores = {"owl": (b + 0.09 + 0.05 * rng.normal(size=50)).tolist(), "yak": b.tolist()}
    duel = bt.compare(scores, "owl", "yak", margin=0.1)
    found = duel.equivalence
    assert found is not None
    larger = max(found.p, found.p_bootstrap)
    assert chance(min(found.p, found.p_bootstrap)) != chance(larger)
    verdict = "are equivalent" if larger <= 0.05 else "are not shown to be equivalent"
    expected = f"The two {verdict} within ±0.1, as given (two one-sided tests, p = {chance(larger)})."
    assert expected in " ".join(str(duel).split())
