"""Agreement of raters: counted pair by pair, by the books, and intervals that cover."""

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from betterthan.base.errors import PlanError
from betterthan.inference import rater_agreement

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: four observers, twelve units, gaps.
BOOK = (
    np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ]
    ).T
    - 1
)


def _ratings(seed: int, items: int, raters: int, categories: int, missing: float, accuracy: float = 0.6) -> Any:
    rng = np.random.default_rng(seed)
    truth = rng.integers(categories, size=(items, 1))
    right = rng.random((items, raters)) < accuracy
    ratings = np.where(right, truth, rng.integers(categories, size=(items, raters)))
    return np.where(rng.random((items, raters)) < missing, -1, ratings)


some_ratings = st.builds(
    _ratings,
    seed=st.integers(0, 10_000),
    items=st.integers(1, 12),
    raters=st.integers(1, 5),
    categories=st.integers(1, 4),
    missing=st.sampled_from([0.0, 0.3, 0.7]),
)


def _alpha(ratings: Any, level: str) -> float | None:
    """Follow the definition: every ordered pair of ratings of an item, against every ordered pair of ratings at all."""
    units = [[int(value) for value in row if value >= 0] for row in ratings]
    units = [unit for unit in units if len(unit) > 1]
    every = [value for unit in units for value in unit]

    def far(a: int, b: int) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return float((a - b) ** 2)
        between = sum(min(a, b) <= value <= max(a, b) for value in every)
        return (between - (every.count(a) + every.count(b)) / 2) ** 2 if a != b else 0.0

    seen = sum(far(a, b) / (len(unit) - 1) for unit in units for a, b in permutations(unit, 2))
    chance = sum(far(a, b) for a, b in permutations(every, 2))
    return 1 - (len(every) - 1) * seen / chance if chance else None


def _assert_same(one: rater_agreement.Agreement | None, other: rater_agreement.Agreement | None) -> None:
    assert one is not None
    assert other is not None
    assert None not in one.to_dict().values()
    assert list(one.to_dict().values())[:-1] == pytest.approx(list(other.to_dict().values())[:-1], abs=1e-12)


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_what_krippendorff_prints(level: Any, expected: float) -> None:
    assert rater_agreement.krippendorff(rater_agreement.counted(BOOK), level) == pytest.approx(expected, abs=0.0005)


@given(ratings=some_ratings, level=st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_follows_its_definition(ratings: Any, level: Any) -> None:
    expected = _alpha(ratings, level)
    found = rater_agreement.krippendorff(rater_agreement.counted(ratings), level)
    assert found is None if expected is None else found == pytest.approx(expected, abs=1e-9)


@given(ratings=some_ratings)
def test_share_counts_pairs(ratings: Any) -> None:
    pairs = [a == b for row in ratings for a, b in combinations([value for value in row if value >= 0], 2)]
    assert rater_agreement.agreement_share(rater_agreement.counted(ratings)) == (
        pytest.approx(np.mean(pairs)) if pairs else None
    )


@given(ratings=some_ratings)
def test_fleiss_takes_items_alike_whatever_their_number_of_raters(ratings: Any) -> None:
    rows = [[value for value in row if value >= 0] for row in ratings]
    rows = [row for row in rows if len(row) > 1]
    found = rater_agreement.fleiss(rater_agreement.counted(ratings))
    if len({value for row in rows for value in row}) < 2:
        assert found is None
        return
    seen = np.mean([np.mean([a == b for a, b in combinations(row, 2)]) for row in rows])
    share = [np.mean([row.count(category) / len(row) for row in rows]) for category in range(ratings.max() + 1)]
    chance = sum(value**2 for value in share)
    assert found == pytest.approx((seen - chance) / (1 - chance), abs=1e-9)


def test_cohen_leaves_out_what_one_did_not_rate() -> None:
    first, second = np.array([0, 0, 1, 1, 2, -1, 0]), np.array([0, 1, 1, 1, 0, 2, -1])
    # Of five, three equal; by chance 2/5·2/5 + 2/5·3/5.
    assert rater_agreement.cohen(first, second) == pytest.approx((3 / 5 - 10 / 25) / (1 - 10 / 25))
    assert rater_agreement.cohen(first, second) == rater_agreement.cohen(second, first)
    assert rater_agreement.cohen(np.array([0, -1]), np.array([-1, 0])) is None


@given(table=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_weighted_kappa_is_that_of_statsmodels(table: list[list[int]]) -> None:
    first, second = np.repeat(np.indices((3, 3)).reshape(2, 9), np.ravel(table), axis=1)
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    names: dict[Any, str] = {"equal": "none", "linear": "linear", "quadratic": "quadratic"}
    for weights, theirs in names.items():
        found = rater_agreement.cohen(first, second, weights)
        if found is not None and len(first) > 1:
            wt = None if theirs == "none" else theirs
            expected = inter_rater.cohens_kappa(np.array(table), wt=wt, return_results=False)
            assert found == pytest.approx(expected, abs=1e-9)


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(PlanError, match="equal, linear, quadratic"):
        rater_agreement.kappas(np.eye(3), "cubic")  # type: ignore[arg-type]


def test_one_category_is_perfect_and_undefined() -> None:
    counts = rater_agreement.counted(np.zeros((5, 3), dtype=np.int64), 3)
    found = rater_agreement.measure_agreement(counts)
    assert found is not None
    assert (found.share, found.alpha, found.fleiss, found.low) == (1.0, None, None, None)
    assert "perfect" in found.note
    assert rater_agreement.cohen(np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)) is None
    # Two categories in perfect agreement are no longer undefined.
    found = rater_agreement.measure_agreement(rater_agreement.counted(np.array([[0, 0], [1, 1], [1, 1]])))
    assert found is not None
    assert (found.alpha, found.fleiss, found.note) == (1.0, 1.0, "")


def test_items_rated_once_say_nothing() -> None:
    counts = rater_agreement.counted(BOOK)
    single = np.eye(5)[[0, 0, 4, 4, 4]]
    more = np.concatenate([counts, single, np.zeros((3, 5))])
    assert rater_agreement.measure_agreement(more) == rater_agreement.measure_agreement(counts)
    assert rater_agreement.measure_agreement(single) is None
    assert rater_agreement.krippendorff(single) is None
    assert rater_agreement.interval(single) is None


def test_symmetric_does_not_care_which_side_is_left() -> None:
    rng = np.random.default_rng(1)
    counts = rater_agreement.counted(np.minimum(_ratings(2, 80, 4, 4, 0.2), 2), 3)  # right is twice as frequent as left
    flipped = np.where(rng.random((80, 1)) < 0.5, counts[:, ::-1], counts)
    _assert_same(
        rater_agreement.measure_agreement(flipped, symmetric=True),
        rater_agreement.measure_agreement(counts, symmetric=True),
    )
    assert rater_agreement.krippendorff(flipped) != pytest.approx(rater_agreement.krippendorff(counts), abs=1e-3)
    assert rater_agreement.fleiss(flipped) != pytest.approx(rater_agreement.fleiss(counts), abs=1e-3)
    table = rng.integers(1, 9, size=(3, 3)).astype(float)
    assert rater_agreement.kappas(table, symmetric=True) == pytest.approx(
        rater_agreement.kappas(table[::-1, ::-1], symmetric=True)
    )
    assert rater_agreement.kappas(table, symmetric=True) != pytest.approx(rater_agreement.kappas(table))


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(PlanError, match="nominal, ordinal, interval, ratio"):
        rater_agreement.krippendorff(rater_agreement.counted(BOOK), "cardinal")  # type: ignore[arg-type]


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_intervals_cover(level: Any) -> None:
    truth = rater_agreement.krippendorff(rater_agreement.counted(_ratings(0, 300_000, 4, 3, 0.2)), level)
    assert truth is not None
    ends = [
        rater_agreement.interval(rater_agreement.counted(_ratings(seed, 80, 4, 3, 0.2)), level=level)
        for seed in range(1, 81)
    ]
    covered = np.mean([low <= truth <= high for low, high in filter(None, ends)])
    assert len(list(filter(None, ends))) == 80
    assert 0.88 <= covered <= 0.995


def test_groups_are_drawn_as_a_whole() -> None:
    counts = rater_agreement.counted(_ratings(3, 60, 3, 3, 0.0), 3)
    alone = rater_agreement.interval(counts)
    copied = np.repeat(counts, 5, axis=0)
    group = np.repeat(np.arange(60), 5)
    together, apart = rater_agreement.interval(copied, group), rater_agreement.interval(copied)
    assert alone is not None
    assert together is not None
    assert apart is not None
    assert together[1] - together[0] == pytest.approx(alone[1] - alone[0], rel=0.1)
    assert apart[1] - apart[0] == pytest.approx((alone[1] - alone[0]) / np.sqrt(5), rel=0.2)


def test_order_of_items_does_not_matter() -> None:
    counts = rater_agreement.counted(_ratings(4, 200, 5, 3, 0.4), 3)
    order = np.random.default_rng(0).permutation(200)
    group = np.arange(200) // 3
    _assert_same(
        rater_agreement.measure_agreement(counts, group), rater_agreement.measure_agreement(counts[order], group[order])
    )
    # Groups that are alike but for the order of their items: sums of thirds and sevenths differ in the last digit.
    kinds = np.random.default_rng(1).integers(1, 6, size=(12, 3)).astype(float)
    which = np.random.default_rng(2).permuted(np.tile(np.arange(12), (3, 1)), axis=1)[:, :8][np.arange(60) % 3]
    counts, group = kinds[which.ravel()], np.repeat(np.arange(60), 8)
    order = np.random.default_rng(0).permutation(480)
    _assert_same(
        rater_agreement.measure_agreement(counts, group), rater_agreement.measure_agreement(counts[order], group[order])
    )


@given(ratings=some_ratings)
def test_pairs_of_raters_are_counted_one_by_one(ratings: Any) -> None:
    item, rater = np.nonzero(ratings >= 0)
    first, second, shared, equal, all_read = rater_agreement.judge_pairs(rater, item, ratings[item, rater])
    expected = {}
    for a, b in combinations(range(ratings.shape[1]), 2):
        both = (ratings[:, a] >= 0) & (ratings[:, b] >= 0)
        if np.any(both):
            expected[a, b] = (both.sum(), np.sum(ratings[both, a] == ratings[both, b]))
    found = zip(first.tolist(), second.tolist(), shared.tolist(), equal.tolist(), strict=True)
    assert {(a, b): (number, same) for a, b, number, same in found} == expected
    assert all_read


def test_pairs_of_raters_stop_at_a_limit() -> None:
    ratings = np.zeros((10, 4), dtype=np.int64)
    ratings[0, 2:] = -1
    item, rater = np.nonzero(ratings >= 0)
    first, second, shared, _, all_read = rater_agreement.judge_pairs(rater, item, ratings[item, rater], limit=6)
    assert (first.tolist(), second.tolist(), shared.tolist(), all_read) == ([0], [1], [1.0], False)
    _, _, shared, _, all_read = rater_agreement.judge_pairs(rater, item, ratings[item, rater], least=10)
    assert (shared.tolist(), all_read) == ([10.0], True)
