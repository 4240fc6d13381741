"""`reduce`: repeated scores of an item made into one."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import betterthan as bt

RUNS = {"q1": [1, 1, 0, 0], "q2": [0, 0, 0, 1], "q3": [1, 1, 1, 1], "q4": [0, 0, 0, 0]}


def _long(runs: dict[str, list[Any]], name: str = "correct") -> dict[str, list[Any]]:
    rows = [
        (item, system, seed, score) for item, all_ in runs.items() for seed, score in enumerate(all_) for system in "xy"
    ]
    columns = ("item", "system", "seed", name)
    return {column: [row[place] for row in rows] for place, column in enumerate(columns)}


def _values(how: str, runs: dict[str, list[Any]] = RUNS, **options: Any) -> list[float]:
    (table,) = bt.read(_long(runs), score="correct", repeat="seed", reduce=how, **options).tables
    assert table.repeats is None
    np.testing.assert_array_equal(table.values[:, 0], table.values[:, 1])
    return [float(value) for value in table.as_given[:, 0]]


@pytest.mark.parametrize("tries", [1, 2, 3, 4])
def test_attempts_are_counted_over_all_subsets(tries: int) -> None:
    """pass@k is the share of subsets of k attempts with a right one, pass^k of those that are all right."""
    subsets = {item: list(combinations(runs, tries)) for item, runs in RUNS.items()}
    assert _values(f"pass@{tries}") == pytest.approx([np.mean([any(each) for each in subsets[item]]) for item in RUNS])
    assert _values(f"pass^{tries}") == pytest.approx([np.mean([all(each) for each in subsets[item]]) for item in RUNS])


def test_majority_best_and_mean() -> None:
    assert _values("majority") == [0.5, 0, 1, 0]
    assert _values("best") == [1, 1, 1, 0]
    assert _values("majority", {"q1": [2, 3, 3, 1], "q2": [1, 2, 2, 1]}) == [3, 1.5]
    (mean,) = bt.read(_long(RUNS), repeat="seed", reduce="mean").tables
    assert mean.values[:, 0].tolist() == [0.5, 0.25, 1, 0]
    assert mean.repeats is not None  # runs stay a source of variation


def test_the_best_is_the_least_where_less_is_better() -> None:
    runs = {"q1": [3.0, 2.0], "q2": [5.0, 7.0]}
    assert _values("best", runs, lower_is_better=True) == [2.0, 5.0]


def test_no_column_is_needed_to_tell_repeats_apart() -> None:
    columns = _long(RUNS)
    del columns["seed"]
    (table,) = bt.read(columns, reduce="pass@2").tables
    assert table.as_given[:, 0].tolist() == _values("pass@2")
    assert table.metric == "correct pass@2"


def test_the_board_says_what_became_of_repeats() -> None:
    board = bt.rank(bt.read(_long(RUNS), repeat="seed", reduce="pass@2"), model="mean").board
    assert board["x"].score == pytest.approx(np.mean(_values("pass@2")))
    found = next(finding for finding in board.findings if finding.code == "repeats-reduced")
    assert found.message == (
        "Systems were scored up to 4 times on an item, and pass@2 of these is used; intervals are by item."
    )
    assert board.signature.facts["unit"] == "item"


@pytest.mark.parametrize(
    ("runs", "how", "message"),
    [
        (
            {"q1": [0.5, 1]},
            "pass@2",
            "pass@2 counts right answers, and these scores are not 1 for right and 0 for wrong. Name a column of 0 and "
            "1, or use reduce='mean'.",
        ),
        (
            {"q1": [1, 1, 0], "q2": [1, 0]},
            "pass@3",
            "pass@3 needs 3 attempts at every item; 2 items of a system have fewer. Use reduce='pass@2', or leave such "
            "items out.",
        ),
        ({"q1": [1], "q2": [0]}, "best", "no system has two scores on an item. Leave out reduce='best'."),
        (RUNS, "pass@0", "reduce must be mean, majority, best, pass@k or pass^k (such as pass@3), got 'pass@0'."),
    ],
)
def test_what_cannot_be_done_is_refused(runs: dict[str, list[Any]], how: str, message: str) -> None:
    with pytest.raises(bt.BetterthanError) as refusal:
        bt.read(_long(runs), score="correct", repeat="seed", reduce=how)
    assert str(refusal.value).removeprefix("the given columns: ").endswith(message)
