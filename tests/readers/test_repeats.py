"""Repeated scores of one system on one instance: kept one by one, used as their mean."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.readers.conversion import convert

LONG = {
    "instance": ["i1", "i1", "i1", "i1", "i2", "i2", "i2"],
    "system": ["owl", "owl", "yak", "yak", "owl", "yak", "yak"],
    "run": ["1", "2", "1", "2", "1", "1", "2"],
    "score": [1.0, 2.0, 4.0, None, 3.0, 5.0, 9.0],
}


def test_the_mean_of_repeats_is_used_and_every_score_is_kept() -> None:
    table = bt.read_scores(LONG, repeat="run").tables[0]
    np.testing.assert_array_equal(table.values, [[1.5, 4.0], [3.0, 7.0]])
    repeats = table.repeats
    assert repeats is not None
    assert repeats.repeat.texts().tolist() == LONG["run"]
    np.testing.assert_array_equal(repeats.item, [0, 0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(repeats.system, [0, 0, 1, 1, 0, 1, 1])
    np.testing.assert_array_equal(repeats.value, np.array(LONG["score"], dtype=float))
    less = bt.read_scores(LONG, repeat="run", lower_is_better=True).tables[0]
    np.testing.assert_array_equal(less.as_given, table.values)


def test_repeats_survive_a_conversion() -> None:
    scores = bt.read_scores(LONG, repeat="run", lower_is_better=True)
    again = bt.read_scores(convert(scores, "scores"), repeat="repeat", lower_is_better=True)
    assert again.tables == scores.tables


def test_repeats_and_judges_are_recognised_where_scores_repeat() -> None:
    scores = bt.read_scores(LONG)
    assert scores.tables == bt.read_scores(LONG, repeat="run").tables
    assert scores.reading is not None
    assert [str(finding) for finding in scores.reading.findings] == [
        "i repeats-averaged: Systems were scored up to 2 times on an item; the mean of the repeats is used (run)."
    ]
    judged = {("judge" if name == "run" else name): values for name, values in LONG.items()}
    assert bt.read_scores(judged).tables[0].values.tolist() == scores.tables[0].values.tolist()
    both = {**LONG, "judge": ["ann", "bob", "ann", "ann", "ann", "ann", "bob"]}
    assert bt.read_scores(both).reading.used["judge"] == "judge"  # type: ignore[union-attr]
    once = {name: [values[0], values[2], values[4], values[5]] for name, values in LONG.items()}
    reading = bt.read_scores(once).reading
    assert reading is not None
    assert reading.ignored == ("run",)
    assert reading.findings == ()


def test_judges_are_standardised_on_request() -> None:
    ratings = {
        "item": ["1", "2"] * 4,
        "system": ["owl"] * 4 + ["yak"] * 4,
        "judge": ["ann", "ann", "bob", "bob"] * 2,
        "rating": [1.0, 2.0, 40.0, 80.0, 3.0, 2.0, 80.0, 40.0],
    }
    table = bt.read_scores(ratings, standardise=True).tables[0]
    ann, bob = np.array([1.0, 2.0, 3.0, 2.0]), np.array([40.0, 80.0, 80.0, 40.0])
    z = ((ann - ann.mean()) / ann.std(ddof=1) + (bob - bob.mean()) / bob.std(ddof=1)) / 2
    np.testing.assert_allclose(table.values, z.reshape(2, 2).T, atol=1e-12)
    with pytest.raises(bt.EvidenceError, match="standardise needs judges with several scores each"):
        bt.read_scores(LONG, standardise=True)


def test_a_repeated_score_is_refused_where_nothing_tells_repeats_apart() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores({("x" if name == "run" else name): values for name, values in LONG.items()})
    assert str(refusal.value) == (
        "the given arrays, row 2: 'owl' has two scores on the item 'i1' (3 such rows)\n"
        "2 systems (owl, yak): 'system' names the systems, 'instance' the items, each value of 'x' is a repeat, "
        "and the mean is used; more is better for 'score':\n  bt.read(evidence, kind='scores', repeat='x')"
    )
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores({**LONG, "run": ["1", "1", *LONG["run"][2:]]}, repeat="run")
    assert str(refusal.value) == (
        "the given arrays, row 2: 'owl' has two scores on the item 'i1'. Remove one of them. "
        "To leave out bad rows and count them, use on_error='skip'."
    )
    with pytest.raises(bt.EvidenceError, match="row 1: there is no value in column 'run'"):
        bt.read_scores({**LONG, "run": [None, *LONG["run"][1:]]}, repeat="run")


def test_means_over_judges_are_doubted() -> None:
    judged = {("judge" if name == "run" else name): values for name, values in LONG.items()}
    reading = bt.read_scores(judged).reading
    assert reading is not None
    assert [finding.code for finding in reading.findings] == ["judges-averaged"]
    assert reading.findings[0].message.startswith("Scores are means over up to 2 judges per item (2 in all).")
