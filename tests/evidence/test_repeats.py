"""Repeated scores of one system on one instance: kept one by one, used as their mean."""

import numpy as np
import pytest

import betterthan as bt
from betterthan.evidence.convert import convert

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
    np.testing.assert_array_equal(repeats.instance, [0, 0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(repeats.system, [0, 0, 1, 1, 0, 1, 1])
    np.testing.assert_array_equal(repeats.value, np.array(LONG["score"], dtype=float))
    less = bt.read_scores(LONG, repeat="run", lower_is_better=True).tables[0]
    np.testing.assert_array_equal(less.as_given, table.values)


def test_repeats_survive_a_conversion() -> None:
    scores = bt.read_scores(LONG, repeat="run", lower_is_better=True)
    again = bt.read_scores(convert(scores, "scores"), repeat="repeat", lower_is_better=True)
    assert again.tables == scores.tables


def test_a_repeated_score_is_refused_where_nothing_tells_repeats_apart() -> None:
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores(LONG)
    assert str(refusal.value) == (
        "the given arrays, row 2: 'owl' has two scores on the instance 'i1' (3 such rows). If scores are repeated by run, "
        "seed or judge, name the column with repeat='run' to use their mean; if they are of several metrics, name it "
        "with metric='COLUMN'. To leave out bad rows and count them, use on_error='skip'."
    )
    judged = {("judge" if name == "run" else name): values for name, values in LONG.items()}
    with pytest.raises(bt.EvidenceError, match="name the column with repeat='judge' to use their mean"):
        bt.read_scores(judged)
    with pytest.raises(bt.EvidenceError) as refusal:
        bt.read_scores({**LONG, "run": ["1", "1", *LONG["run"][2:]]}, repeat="run")
    assert str(refusal.value) == (
        "the given arrays, row 2: 'owl' has two scores on the instance 'i1'. Remove one of them. "
        "To leave out bad rows and count them, use on_error='skip'."
    )
    with pytest.raises(bt.EvidenceError, match="row 1: there is no value in column 'run'"):
        bt.read_scores({**LONG, "run": [None, *LONG["run"][1:]]}, repeat="run")
