"""Evidence without some systems, judges or items, and of some time only."""

import math

import numpy as np
import pytest

import betterthan as bt

VOTES = {
    "left": ["owl", "yak", "elk", "owl"],
    "right": ["yak", "elk", "owl", "elk"],
    "winner": ["left", "tie", "right", "left"],
    "judge": ["ann", "bob", "ann", "cid"],
    "item": ["1", "1", "2", "3"],
    "date": ["2026-01-01", "2026-01-02T10:00:00", "2026-01-03", "2026-01-04"],
}
RATINGS = {
    "item": ["1", "1", "1", "1", "2", "2"],
    "system": ["owl", "owl", "yak", "yak", "owl", "yak"],
    "judge": ["ann", "bob", "ann", "bob", "ann", "ann"],
    "rating": [1.0, 3.0, 2.0, 6.0, 5.0, 4.0],
}


def _number(**options: object) -> float:
    return bt.read_judgments(VOTES, **options).tally().number  # type: ignore[arg-type]


def test_judgments_without_systems_judges_and_items() -> None:
    assert _number() == 4
    assert bt.read_judgments(VOTES, exclude=["elk"]).systems == ("owl", "yak")
    assert _number(exclude=["elk"]) == 1
    assert _number(exclude=["judge=ann"]) == 2
    assert _number(exclude=["item=1", "judge=cid"]) == 1
    with pytest.raises(bt.PlanError, match=r"exclude='judge=an' names no judge of this evidence\. Did you mean 'ann'"):
        _number(exclude=["judge=an"])
    with pytest.raises(bt.EvidenceError, match="there is no column of judges to exclude any"):
        bt.read_judgments({name: each for name, each in VOTES.items() if name != "judge"}, exclude=["judge=ann"])


def test_judgments_since_and_until_a_time() -> None:
    assert _number(since="2026-01-02") == 3
    assert _number(until="2026-01-02") == 2
    assert _number(since="2026-01-02", until="2026-01-03") == 2
    seconds = {**VOTES, "date": [1767225600 + 86400 * day + 3600 for day in range(4)]}  # 2026-01-01T01:00 on
    assert bt.read_judgments(seconds, since="2026-01-02", until="2026-01-03").tally().number == 2
    assert bt.read_judgments(seconds, since=str(1767225600 + 86400 * 3)).tally().number == 1
    with pytest.raises(bt.PlanError, match=r"since must be a date such as 2026-05-31, or a number, got 'monday'\."):
        _number(since="monday")
    with pytest.raises(bt.EvidenceError, match="since needs judgments with a time"):
        bt.read_scores(RATINGS, since="2026-01-01")


def test_scores_without_systems_judges_and_items() -> None:
    table = bt.read_scores(RATINGS).tables[0]
    np.testing.assert_array_equal(table.values, [[2.0, 4.0], [5.0, 4.0]])
    without = bt.read_scores(RATINGS, exclude=["judge=bob"]).tables[0]
    np.testing.assert_array_equal(without.values, [[1.0, 2.0], [5.0, 4.0]])
    one = bt.read_scores(RATINGS, exclude=["item=1"]).tables[0]
    assert one.items == ("2",)
    assert one.repeats is not None
    assert one.repeats.value.tolist() == [5.0, 4.0]
    with pytest.raises(bt.EvidenceError, match="a ranking needs scores of at least two systems"):
        bt.read_scores(RATINGS, exclude=["owl"])
    wide = bt.read_scores({"owl": [1.0, 2.0], "yak": [3.0, 4.0], "elk": [5.0, math.nan]}, exclude=["yak"])
    assert wide.tables[0].systems == ("elk", "owl")
    assert wide.tables[0].values[0].tolist() == [5.0, 1.0]


def test_rankings_without_systems_and_judges() -> None:
    ballots = {"judge": ["ann", "bob"], "owl": [1, 2], "yak": [2, 1], "elk": [3, 3]}
    rankings = bt.read_rankings(ballots, exclude=["yak", "judge=bob"])
    assert rankings.systems == ("elk", "owl")
    assert rankings.rank.tolist() == [1.0, 3.0]
    with pytest.raises(bt.EvidenceError, match="exclude leaves fewer than two systems"):
        bt.read_rankings(ballots, exclude=["yak", "elk"])


def test_parts_of_a_whole_test_set_follow_their_items_and_systems() -> None:
    outputs = {
        "item": ["1", "2"] * 3,
        "system": ["elk"] * 2 + ["owl"] * 2 + ["yak"] * 2,
        "output": ["a", "b", "a", "c", "b", "c"],
        "reference": ["a", "b"] * 3,
    }
    columns = bt.score(outputs, metric="f1").columns()
    all_of_them = bt.read_scores(columns).tables[0]
    some = bt.read_scores(columns, exclude=["owl", "item=2"]).tables[0]
    assert all_of_them.parts is not None
    assert some.parts is not None
    np.testing.assert_array_equal(some.parts, all_of_them.parts[:1][:, [0, 2]])
