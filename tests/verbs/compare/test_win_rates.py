"""Intervals of all pairs' win rates are those that a comparison of the two systems gives."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.data_sets_of import data_sets
from betterthan.verbs.compare.pair_win_rates import win_rate_intervals
from tests.arenas import arena


def _grouped() -> bt.Scores:
    rng = np.random.default_rng(3)
    rows = [
        {"item": f"i{item}", "document": f"d{item // 4}", "system": system, "score": float(rng.integers(0, 4)) + place}
        for item in range(40)
        for place, system in enumerate(("owl", "yak", "elk"))
    ]
    return bt.read_scores(rows, group="document")


def _weighted() -> dict[str, Any]:
    votes = arena(judgments=200)
    return {**votes, "weight": np.random.default_rng(1).choice([0.5, 1.0, 2.0], 200).tolist()}


def _scores() -> dict[str, Any]:
    rng = np.random.default_rng(2)
    return {name: rng.integers(0, 6, 50).astype(float) + 0.4 * place for place, name in enumerate(("a", "b", "c", "d"))}


CASES = [
    (arena(judgments=300), {}),
    (arena(judgments=300), {"unit": "row"}),
    (_weighted(), {"unit": "row"}),
    (_weighted(), {"unit": "item"}),
    (_scores(), {"question": "wins"}),
    (_grouped(), {"question": "wins"}),
    ([("owl", "yak", "a")] * 9 + [("owl", "elk", "tie")] * 4 + [("yak", "elk", "b")], {}),
]


@pytest.mark.parametrize(("evidence", "options"), CASES)
def test_intervals_are_those_of_compare(evidence: Any, options: dict[str, Any]) -> None:
    unit = {name: value for name, value in options.items() if name == "unit"}
    data = data_sets(evidence, unit=unit.get("unit")).only("this test")
    pairs = bt.compare_all(data, "bradley-terry")
    low, high = win_rate_intervals(data, pairs)
    for one, two in combinations(range(len(pairs.systems)), 2):
        effect = bt.compare(evidence, pairs.systems[one], pairs.systems[two], **options).effect("superiority")
        assert effect is not None
        assert pairs.share[one, two] == pytest.approx(effect.value)
        assert (low[one, two], high[one, two]) == pytest.approx((effect.low, effect.high), abs=1e-12)
        assert (low[two, one], high[two, one]) == pytest.approx((1 - high[one, two], 1 - low[one, two]))


def test_pairs_that_never_met_have_no_interval() -> None:
    votes = [("owl", "yak", "a"), ("owl", "yak", "b"), ("yak", "elk", "a"), ("yak", "elk", "b")]
    pairs = bt.compare_all(votes)
    low, _ = win_rate_intervals(data_sets(votes).only("this test"), pairs)
    one, two = pairs.systems.index("owl"), pairs.systems.index("elk")
    assert np.isnan(low[one, two])
    assert not np.isnan(low[one, pairs.systems.index("yak")])
