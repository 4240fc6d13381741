"""Shares of pairs by units that depend: against explicit matrices, and by simulation."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg, stats

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.inference import pair_shares


def _votes(seed: int, number: int = 120, items: int = 9, judges: int = 6, weights: bool = False) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    columns = {
        "left": np.full(number, "owl"),
        "right": np.full(number, "yak"),
        "winner": rng.choice(["a", "b"], number, p=[0.6, 0.4]),
        "item": rng.integers(items, size=number).astype(str),
        "judge": rng.integers(judges, size=number).astype(str),
    }
    return {**columns, "weight": rng.uniform(0.5, 3, number)} if weights else columns


def _cr2(values: np.ndarray, weight: np.ndarray, group: np.ndarray) -> tuple[float, float]:
    """CR2 and Bell and McCaffrey's degrees of freedom of a weighted mean, with hat matrices written out.

    The working model has variances in proportion to one over the weight, for which the weighted mean is best.
    """
    root = np.sqrt(weight)
    x, y = root[:, None], root * values
    bread = 1 / (weight.sum())
    hat = x @ x.T * bread
    left = np.eye(len(y)) - hat
    residual = left @ y
    variance, columns = 0.0, []
    for name in np.unique(group):
        some = np.flatnonzero(group == name)
        adjust = np.real(linalg.fractional_matrix_power(left[np.ix_(some, some)], -0.5))
        variance += float((bread * x[some, 0] @ adjust @ residual[some]) ** 2)
        columns.append(left[:, some] @ adjust @ x[some, 0] * bread)
    matrix = np.array(columns) @ np.array(columns).T
    return variance, float(np.trace(matrix) ** 2 / np.trace(matrix @ matrix))


@pytest.mark.parametrize("unit", ["row", "item", "judge"])
@pytest.mark.parametrize("weights", [False, True])
def test_the_error_is_that_of_explicit_matrices(unit: str, weights: bool) -> None:
    columns = _votes(3, weights=weights)
    found = pair_shares.shares(data_sets(columns, unit=unit).sets[0].pairs())
    won = (columns["winner"] == "a").astype(float)
    weight = columns.get("weight", np.ones(len(won)))
    group = np.arange(len(won)) if unit == "row" else columns[unit]
    variance, freedom = _cr2(won, weight, group)
    assert found.share[0] == pytest.approx(np.average(won, weights=weight))
    assert found.errors.variances[0][0] == pytest.approx(variance)
    assert found.errors.freedom[0][0] == pytest.approx(freedom)


def test_two_crossed_units_add_up_without_what_they_share() -> None:
    columns = _votes(4)
    found = pair_shares.shares(data_sets(columns, unit="item+judge").sets[0].pairs())
    won, one = (columns["winner"] == "a").astype(float), np.ones(120)
    both = np.char.add(np.char.add(columns["item"], "-"), columns["judge"])
    by_item, by_judge, common = (_cr2(won, one, group)[0] for group in (columns["item"], columns["judge"], both))
    expected = common + max(by_item - common, 0.0) + max(by_judge - common, 0.0)
    assert [each[0] for each in found.errors.variances] == pytest.approx([expected, by_item, by_judge])


@pytest.mark.parametrize("unit", ["item", "item+judge"])
def test_p_is_where_the_interval_ends(unit: str) -> None:
    for seed in range(12):
        found = pair_shares.shares(data_sets(_votes(seed), unit=unit).sets[0].pairs())
        p = float(found.p()[0])
        for level in (0.8, 0.95, 1 - p - 1e-6, 1 - p + 1e-6):
            low, high = found.intervals(level)
            assert bool(low[0] <= 0.5 <= high[0]) == (p >= 1 - level)


def test_independent_judgments_have_the_exact_sign_test_whatever_their_common_weight() -> None:
    columns = _votes(5)
    for name in ("item", "judge"):
        del columns[name]
    won = int(np.sum(columns["winner"] == "a"))
    exact = stats.binomtest(won, 120).pvalue
    for weight in (1.0, 10.0):
        evidence = bt.read_judgments({**columns, "weight": [weight] * 120})
        assert bt.compare_all(evidence, by="pair").p[0, 1] == pytest.approx(exact)
        assert bt.compare(evidence, "owl", "yak").p == pytest.approx(exact)


def test_units_that_all_agree_are_no_certainty() -> None:
    columns = {
        "left": ["owl"] * 40,
        "right": ["yak"] * 40,
        "winner": ["a"] * 40,
        "item": [f"i{n // 8}" for n in range(40)],
    }
    assert bt.compare_all(columns, by="pair").p[0, 1] == pytest.approx(2.0**-4)
    assert bt.compare(columns, "owl", "yak").p == pytest.approx(2.0**-4)


@pytest.mark.parametrize(("item", "judge"), [(0.0, 0.8), (1.0, 0.0), (0.8, 0.6)])
def test_equal_systems_are_told_apart_in_one_of_twenty(item: float, judge: float) -> None:
    rng = np.random.default_rng(11)
    told = []
    for _ in range(400):
        gap = rng.normal(0, item, 30)[(place := rng.integers(30, size=300))]
        gap = gap + rng.normal(0, judge, 8)[(who := rng.integers(8, size=300))]
        won = rng.random(300) < 1 / (1 + np.exp(-gap))
        columns = {
            "left": ["owl"] * 300,
            "right": ["yak"] * 300,
            "winner": np.where(won, "a", "b"),
            "item": place.astype(str),
            "judge": who.astype(str),
        }
        told.append(pair_shares.shares(data_sets(columns).sets[0].pairs()).sign_p()[0] <= 0.05)
    assert 0.02 <= np.mean(told) <= 0.075
