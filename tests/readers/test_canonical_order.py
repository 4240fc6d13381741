"""Items have an order of their own, whatever the order of rows."""

from dataclasses import replace

import numpy as np
import pytest

from betterthan.engine import Coded
from betterthan.evidence.scores import ScoreTable

NAMES = ("d", "a", "c", "b", "e")
SCORES = np.array([[0.2, 0.9], [0.2, 0.1], [np.nan, 0.5], [-0.7, 0.4], [0.2, 0.1]])
GROUPS = Coded(np.array([1, 1, 0, 0, 0]), ("first", "second"))
ORDERS = [np.array(order) for order in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1], [1, 0, 3, 2, 4], [3, 4, 1, 0, 2])]


def _table(order: np.ndarray, *, negated: bool = False) -> ScoreTable:
    return ScoreTable(
        title="",
        items=tuple(NAMES[place] for place in order),
        systems=("owl", "yak"),
        values=(-SCORES if negated else SCORES)[order],
        negated=negated,
        groups=GROUPS.take(order),
        parts=SCORES[order][:, :, None],
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("negated", [False, True])
def test_items_without_names_are_sorted_by_their_scores(order: np.ndarray, *, negated: bool) -> None:
    """Two items with the same scores are told apart by their groups."""
    found = _table(order, negated=negated).in_canonical_order(named=False)
    assert found.items == ("e", "a", "d", "b", "c")
    expected = [NAMES.index(item) for item in found.items]
    np.testing.assert_array_equal(found.as_given, SCORES[expected])
    assert found.groups is not None
    assert found.groups.codes.tolist() == GROUPS.codes[expected].tolist()
    assert found.parts is not None
    np.testing.assert_array_equal(found.parts[:, :, 0], SCORES[expected])


@pytest.mark.parametrize("order", ORDERS)
def test_items_with_names_are_sorted_by_them(order: np.ndarray) -> None:
    found = _table(order).in_canonical_order(named=True)
    assert found.items == ("a", "b", "c", "d", "e")
    np.testing.assert_array_equal(found.values, SCORES[[1, 3, 2, 0, 4]])


@pytest.mark.parametrize("named", [False, True])
def test_where_order_matters_items_are_as_they_came(*, named: bool) -> None:
    table = _table(ORDERS[1])
    once = table.in_canonical_order(named=named)
    assert once.appearance is not None
    assert tuple(once.items[place] for place in once.appearance) == table.items
    again = replace(once, values=np.roll(once.values, 1, axis=0), items=tuple(np.roll(once.items, 1)))
    came = tuple(again.items[place] for place in once.appearance)
    twice = again.in_canonical_order(named=named)
    assert twice.appearance is not None
    assert tuple(twice.items[place] for place in twice.appearance) == came
