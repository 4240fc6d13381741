"""Intraclass correlations and Kendall's W: printed figures, brute force, and an interval that covers."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from betterthan.verbs.diagnose import rating_reliability

# Shrout and Fleiss (1979), Table 2: six targets, four judges.
SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)


def _found(table: Any) -> rating_reliability.Intraclass:
    target, rater = np.nonzero(np.isfinite(table))
    found = rating_reliability.intraclass(target, rater, table[target, rater])
    assert found is not None
    return found


def test_what_shrout_and_fleiss_print() -> None:
    found = _found(SHROUT_FLEISS)
    assert (found.raters, found.targets, found.complete) == (4, 6, 6)
    assert [found.icc1, found.icc2, found.icc3] == pytest.approx([0.17, 0.29, 0.71], abs=0.005)
    # The interval that R's psych 2.4 prints for ICC2 of this table: 0.019 to 0.76.
    assert found.low == pytest.approx(0.019, abs=0.0005)
    assert found.high == pytest.approx(0.76, abs=0.005)


def test_order_of_rows_does_not_matter() -> None:
    target, rater = np.nonzero(np.isfinite(SHROUT_FLEISS))
    order = np.random.default_rng(0).permutation(len(target))
    again = rating_reliability.intraclass(target[order] + 3, rater[order], SHROUT_FLEISS[target, rater][order])
    assert again is not None
    assert again.to_dict() == pytest.approx(_found(SHROUT_FLEISS).to_dict())


def test_ratings_that_are_missing_leave_the_complete_targets() -> None:
    table = np.vstack([SHROUT_FLEISS, [[5, np.nan, 4, np.nan], [np.nan, 3, np.nan, np.nan]]])
    found, complete = _found(table), _found(SHROUT_FLEISS)
    assert (found.targets, found.complete) == (7, 6)
    assert (found.icc2, found.icc3, found.w) == (complete.icc2, complete.icc3, complete.w)
    # One-way with different numbers of ratings, term by term.
    rows = [row[np.isfinite(row)] for row in table[:7]]
    values = np.concatenate(rows)
    between = sum(len(row) * (row.mean() - values.mean()) ** 2 for row in rows) / 6
    within = sum(((row - row.mean()) ** 2).sum() for row in rows) / (len(values) - 7)
    each = (len(values) - sum(len(row) ** 2 for row in rows) / len(values)) / 6
    assert found.icc1 == pytest.approx((between - within) / (between + (each - 1) * within))


def test_nothing_to_compare_is_none() -> None:
    assert rating_reliability.intraclass(np.array([0, 1, 2]), np.array([0, 0, 1]), np.ones(3)) is None
    same = _found(np.ones((4, 3)))
    assert (same.icc1, same.icc2, same.icc3, same.w) == (None, None, None, None)
    exact = _found(np.array([[1.0, 1], [2, 2], [5, 5]]))
    assert (exact.icc1, exact.icc2, exact.icc3, exact.low, exact.w) == (1.0, 1.0, 1.0, None, 1.0)


def test_the_interval_of_icc_2_1_covers() -> None:
    rng = np.random.default_rng(3)
    held = []
    for _ in range(400):
        table = rng.normal(size=(30, 1)) + rng.normal(scale=0.5, size=5) + rng.normal(scale=0.8, size=(30, 5))
        found = _found(table)
        assert found.low is not None
        assert found.high is not None
        held.append(found.low <= 1 / (1 + 0.25 + 0.64) <= found.high)
    assert 0.92 <= np.mean(held) <= 0.98


@given(
    ratings=st.integers(2, 6).flatmap(
        lambda size: st.lists(st.lists(st.integers(1, 4), min_size=size, max_size=size), min_size=2, max_size=5)
    )
)
def test_w_is_one_by_one(ratings: list[list[int]]) -> None:
    table = np.array(ratings, float)
    ranks = np.stack([stats.rankdata(row) for row in table])
    raters, targets = ranks.shape
    far = np.sum((ranks.sum(axis=0) - raters * (targets + 1) / 2) ** 2)
    ties = sum(number**3 - number for row in table for number in np.unique(row, return_counts=True)[1])
    most = raters**2 * (targets**3 - targets) - raters * ties
    expected = 12 * far / most if most else None
    assert rating_reliability.kendall_w(table) == (None if expected is None else pytest.approx(expected))


def test_the_correlation_is_the_mean_spearman_without_ties() -> None:
    rng = np.random.default_rng(1)
    ranks = np.stack([rng.permutation(6) for _ in range(8)]).astype(float)
    entries = np.repeat(np.arange(8), 6), np.tile(np.arange(6), 8), ranks.ravel()
    w, spearman, raters = rating_reliability.concordance(np.repeat([0, 1], 4), *entries)
    for group, rows in enumerate((ranks[:4], ranks[4:])):
        pairs = [stats.spearmanr(one, two).statistic for one, two in combinations(rows, 2)]
        assert spearman[group] == pytest.approx(np.mean(pairs))
        assert w[group] == pytest.approx(stats.friedmanchisquare(*rows.T).statistic / (4 * 5))
    assert raters.tolist() == [4, 4]
    # A ranking that counts twice is two rankings.
    twice, _, number = rating_reliability.concordance(
        np.zeros(4, int), *(e[:24] for e in entries), weight=np.array([2.0, 1, 1, 1])
    )
    listed = np.vstack([ranks[:1], ranks[:4]])
    assert (twice[0], number[0]) == (pytest.approx(rating_reliability.kendall_w(listed)), 5)
