"""Repeated scores that no column names: their mean is used where nothing else differs, and they are refused elsewhere."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt


def _table(**more: list[Any]) -> dict[str, list[Any]]:
    """Return two systems on two items, twice each."""
    return {
        "item": ["q1"] * 4 + ["q2"] * 4,
        "system": ["owl", "yak", "owl", "yak"] * 2,
        "score": [0.5, 0.2, 0.7, 0.4, 0.1, 0.3, 0.3, 0.5],
        **more,
    }


def test_the_mean_of_unnamed_repeats_is_used_and_named() -> None:
    read = bt.read_scores(_table())
    assert np.allclose(read.tables[0].values, [[0.6, 0.3], [0.2, 0.4]])
    assert read.tables[0].repeats is None
    (finding,) = read.reading.findings
    assert (finding.code, finding.level) == ("unnamed-repeats", "warning")
    assert finding.message == (
        "Every system has 2 scores on every item, and no column distinguishes them: their mean is used."
    )


def test_the_order_of_rows_changes_no_bit() -> None:
    table = _table()
    backwards = {name: values[::-1] for name, values in table.items()}
    assert np.array_equal(bt.read_scores(table).tables[0].values, bt.read_scores(backwards).tables[0].values)


@pytest.mark.parametrize("values", [list("abababab"), list("aaaabbbb"), [None] * 8])
def test_a_column_that_differs_between_cells_only_names_no_repeats(values: list[Any]) -> None:
    assert [each.code for each in bt.read_scores(_table(note=values)).reading.findings] == ["unnamed-repeats"]


@pytest.mark.parametrize("values", [list("aabbaabb"), [1, 1, 2, 2, 3, 3, 4, 4], list("aaaaaaab")])
def test_a_column_that_differs_within_repeats_is_asked_about(values: list[Any]) -> None:
    with pytest.raises(bt.EvidenceError, match="has two scores on the item"):
        bt.read_scores(_table(note=values))


def test_some_repeated_scores_are_a_mistake() -> None:
    table = {name: values[:-1] for name, values in _table().items()}
    with pytest.raises(bt.EvidenceError, match="has two scores on the item"):
        bt.read_scores(table)
