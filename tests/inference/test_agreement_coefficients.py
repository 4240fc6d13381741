"""Kappas, AC1 and the intraclass correlation beside scikit-learn, statsmodels and Gwet, with intervals that hold."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from betterthan.inference import agreement_coefficients, rater_agreement
from betterthan.verbs.diagnose import rating_reliability

WEIGHTS: dict[Any, str | None] = {"equal": None, "linear": "linear", "quadratic": "quadratic"}


def _ratings(seed: int, items: int, raters: int, categories: int, accuracy: float) -> Any:
    rng = np.random.default_rng(seed)
    truth = rng.integers(categories, size=(items, 1))
    right = rng.random((items, raters)) < accuracy
    return np.where(right, truth, rng.integers(categories, size=(items, raters)))


some_ratings = st.builds(
    _ratings,
    seed=st.integers(0, 10_000),
    items=st.integers(8, 20),
    raters=st.integers(2, 4),
    categories=st.integers(2, 4),
    accuracy=st.sampled_from([0.0, 0.6, 0.9]),
)


@given(ratings=some_ratings)
def test_cohen_is_the_mean_of_scikit_learn_over_pairs(ratings: Any) -> None:
    labels = list(range(int(ratings.max()) + 1))
    for weights, theirs in WEIGHTS.items():
        pairs = [
            cohen_kappa_score(ratings[:, a], ratings[:, b], weights=theirs, labels=labels)
            for a, b in combinations(range(ratings.shape[1]), 2)
        ]
        found = agreement_coefficients.cohen_kappa(ratings, weights)
        assert found.value == pytest.approx(np.mean(pairs), abs=1e-12)


def test_cohen_leaves_out_pairs_without_common_items() -> None:
    ratings = np.array([[0, 0, -1], [1, 0, -1], [1, 1, -1], [0, -1, 1], [1, -1, 1], [0, -1, 0]])
    pairs = [cohen_kappa_score([0, 1, 1], [0, 0, 1]), cohen_kappa_score([0, 1, 0], [1, 1, 0])]
    assert agreement_coefficients.cohen_kappa(ratings).value == pytest.approx(np.mean(pairs), abs=1e-12)
    assert agreement_coefficients.cohen_kappa(np.array([[0, -1], [-1, 1]])).value is None


@given(ratings=some_ratings)
def test_fleiss_is_that_of_statsmodels(ratings: Any) -> None:
    counts = rater_agreement.counted(ratings)
    assert agreement_coefficients.fleiss_kappa(counts).value == pytest.approx(fleiss_kappa(counts), abs=1e-12)


@given(ratings=some_ratings)
def test_ac1_follows_its_definition(ratings: Any) -> None:
    rows = ratings.tolist()
    kept = sorted({value for row in rows for value in row})
    seen = np.mean([np.mean([a == b for a, b in combinations(row, 2)]) for row in rows])
    share = [np.mean([row.count(category) / len(row) for row in rows]) for category in kept]
    chance = sum(value * (1 - value) for value in share) / (len(kept) - 1)
    found = agreement_coefficients.gwet_ac1(rater_agreement.counted(ratings))
    assert found.value == pytest.approx((seen - chance) / (1 - chance), abs=1e-12)


def test_ac1_stays_high_where_one_category_is_frequent() -> None:
    """A table as in Gwet (2002): kappa is negative although judges agree on 118 of 125 items."""
    table = {(0, 0): 118, (0, 1): 5, (1, 0): 2}
    ratings = np.array([pair for pair, number in table.items() for _ in range(number)])
    found = agreement_coefficients.gwet_ac1(rater_agreement.counted(ratings))
    assert found.value == pytest.approx(0.9408, abs=5e-5)
    assert agreement_coefficients.cohen_kappa(ratings).value == pytest.approx(-0.0234, abs=5e-5)


@given(ratings=some_ratings)
def test_the_intraclass_correlation_is_that_of_the_analysis_of_variance(ratings: Any) -> None:
    target, rater = np.indices(ratings.shape).reshape(2, -1)
    expected = rating_reliability.intraclass(target, rater, ratings[target, rater].astype(float))
    found = agreement_coefficients.absolute_intraclass(ratings.astype(float))
    assert expected is not None
    assert found.value == pytest.approx(expected.icc2, abs=1e-9)


def test_shrout_and_fleiss() -> None:
    table = np.array([[9.0, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    assert agreement_coefficients.absolute_intraclass(table).value == pytest.approx(0.29, abs=0.005)
    moved = agreement_coefficients.absolute_intraclass(1000 + 7 * table)
    assert moved.low == pytest.approx(agreement_coefficients.absolute_intraclass(table).low, abs=1e-6)


def test_large_samples_have_the_intervals_of_statsmodels() -> None:
    """Fleiss, Cohen and Everitt (1969) give the variance of kappa in large samples."""
    from statsmodels.stats.inter_rater import cohens_kappa

    ratings = _ratings(3, 2000, 2, 3, 0.7)
    table = np.bincount(ratings[:, 0] * 3 + ratings[:, 1], minlength=9).reshape(3, 3)
    for weights, theirs in (("equal", None), ("linear", "linear"), ("quadratic", "quadratic")):
        expected = cohens_kappa(table, wt=theirs)
        found = agreement_coefficients.cohen_kappa(ratings, weights)  # type: ignore[arg-type]
        width = expected.kappa_upp - expected.kappa_low
        assert found.low == pytest.approx(expected.kappa_low, abs=0.05 * width)
        assert found.high == pytest.approx(expected.kappa_upp, abs=0.05 * width)


def test_the_share_of_equal_pairs_has_an_interval_of_shares() -> None:
    """Of two judges, equal pairs are a binomial share: ends near Jeffreys' interval."""
    from statsmodels.stats.proportion import proportion_confint

    ratings = np.array([[0, 0]] * 290 + [[0, 1]] * 10)
    found = agreement_coefficients.equal_pairs(rater_agreement.counted(ratings))
    low, high = proportion_confint(290, 300, method="jeffreys")
    assert found.value == pytest.approx(290 / 300)
    assert (found.low, found.high) == (pytest.approx(low, abs=0.003), pytest.approx(high, abs=0.003))


COEFFICIENTS: dict[str, Any] = {
    "alpha": lambda ratings: rater_agreement.interval(rater_agreement.counted(ratings, 3), level="interval"),
    "cohen": lambda ratings: _ends(agreement_coefficients.cohen_kappa(ratings)),
    "ac1": lambda ratings: _ends(agreement_coefficients.gwet_ac1(rater_agreement.counted(ratings, 3))),
    "icc": lambda ratings: _ends(agreement_coefficients.absolute_intraclass(ratings.astype(float))),
}
VALUES: dict[str, Any] = {
    "alpha": lambda ratings: rater_agreement.krippendorff(rater_agreement.counted(ratings, 3), "interval"),
    "cohen": lambda ratings: rater_agreement.cohen(ratings[:, 0], ratings[:, 1]),
    "ac1": lambda ratings: agreement_coefficients.gwet_ac1(rater_agreement.counted(ratings, 3)).value,
    "icc": lambda ratings: (
        rating_reliability.intraclass(*np.indices(ratings.shape).reshape(2, -1), ratings.ravel().astype(float)).icc2
    ),  # type: ignore[union-attr]
}


def _ends(found: Any) -> tuple[float, float] | None:
    return None if found.low is None else (found.low, found.high)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(("items", "accuracy"), [(6, 0.7), (12, 0.95)])
def test_intervals_hold_with_few_items(name: str, items: int, accuracy: float) -> None:
    truth = VALUES[name](_ratings(0, 100_000, 2, 3, accuracy))
    ends = [COEFFICIENTS[name](_ratings(seed, items, 2, 3, accuracy)) for seed in range(1, 101)]
    known = [each for each in ends if each is not None]
    assert len(known) >= 95
    assert np.mean([low <= truth <= high for low, high in known]) >= 0.93
