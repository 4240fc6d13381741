"""Metrics of decision values with a truth, against scikit-learn; and of ranked documents, against their definitions."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn

from betterthan.metrics.base import WrongOutputError, build_metric

LABELS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 3)), min_size=2, max_size=40
)


def _whole(metric: str, said: list[Any], true: list[Any], weights: list[int]) -> float:
    made = build_metric(metric)
    parts = made.measure([str(each) for each in said], [[str(each)] for each in true]).parts
    assert parts is not None
    return float(made.whole(parts, np.array(weights, dtype=float)[:, None])[0])


@given(LABELS)
def test_labels_with_weights_are_scored_as_scikit_learn_scores_repeated_items(rows: list[tuple[str, str, int]]) -> None:
    said, true, weights = (list(column) for column in zip(*rows, strict=True))
    if sum(weights) == 0:
        return
    y_pred, y_true = np.repeat(said, weights), np.repeat(true, weights)
    for average in ("macro", "micro"):
        expected = sklearn.f1_score(y_true, y_pred, average=average, zero_division=0)
        assert _whole(f"f1(average={average})", said, true, weights) == pytest.approx(expected)
    correlation = sklearn.matthews_corrcoef(y_true, y_pred) if len({*y_true, *y_pred}) > 1 else 0.0
    assert _whole("mcc", said, true, weights) == pytest.approx(correlation)


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans(), st.integers(0, 3)), min_size=2, max_size=40))
def test_weighted_auc_is_that_of_scikit_learn_on_repeated_items(rows: list[tuple[int, bool, int]]) -> None:
    value, true, weights = (list(column) for column in zip(*rows, strict=True))
    found = _whole("roc-auc", value, [int(each) for each in true], weights)
    y_true = np.repeat(true, weights)
    if len(set(y_true)) < 2:
        assert np.isnan(found)
        return
    assert found == pytest.approx(sklearn.roc_auc_score(y_true, np.repeat(value, weights)))


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=4, max_size=30))
def test_the_mean_of_the_items_scores_is_the_area(rows: list[tuple[int, bool]]) -> None:
    metric = build_metric("roc-auc")
    measured = metric.measure([str(value) for value, _ in rows], [[str(int(true))] for _, true in rows])
    if len({true for _, true in rows}) == 2:
        area = metric.whole(measured.parts, np.ones((len(rows), 1)))[0]
        assert metric.of_system(measured).scores.mean() == pytest.approx(area)


def test_probabilities() -> None:
    brier = build_metric("brier")
    assert brier.measure(["0.8", "0.3"], [["1"], ["no"]]).scores.tolist() == pytest.approx([0.04, 0.09])
    several = brier.measure([json.dumps({"a": 0.7, "b": 0.2, "c": 0.1})], [["b"]]).scores[0]
    assert several == pytest.approx(0.49 + 0.64 + 0.01)
    assert build_metric("brier(positive=spam)").measure(["0.8"], [["spam"]]).scores[0] == pytest.approx(0.04)
    for output, what in (("1.2", "is not a probability"), ('{"a": 0.5}', "sum to 0.5, not 1"), ("x", "not a finite")):
        with pytest.raises(WrongOutputError, match=what):
            brier.measure([output], [["a"]])


def test_numbers() -> None:
    assert build_metric("absolute-error").measure(["2.5"], [["4", "3"]]).scores[0] == 0.5
    assert build_metric("squared-error").measure(["2.5"], [["4"]]).scores[0] == 2.25
    assert build_metric("accuracy").measure(["3.0", "x"], [["3"], ["y"]]).scores.tolist() == [1, 0]


def test_ranked_documents_by_definition() -> None:
    output, grades = ["d1", "d2", "d3"], {"d2": 2, "d3": 1, "d9": 1}
    run, relevant = [json.dumps(output)], [[json.dumps(grades)]]
    gain = 2 / np.log2(3) + 1 / np.log2(4)
    ideal = 2 / np.log2(2) + 1 / np.log2(3) + 1 / np.log2(4)
    expected = {
        "ndcg": gain / ideal,
        "ndcg@2": (2 / np.log2(3)) / (2 + 1 / np.log2(3)),
        "rr": 1 / 2,
        "recall@2": 1 / 3,
        "recall": 2 / 3,
        "ap": (1 / 2 + 2 / 3) / 3,
        "ap@2": (1 / 2) / 3,
    }
    for metric, value in expected.items():
        assert build_metric(metric).measure(run, relevant).scores[0] == pytest.approx(value, abs=1e-6), metric
    scored = [json.dumps({"d3": 1.0, "d2": 2.0, "d1": 3.0})]
    assert build_metric("ndcg").measure(scored, relevant).scores[0] == pytest.approx(expected["ndcg"], abs=1e-6)
    assert build_metric("ndcg").measure(["[]"], relevant).scores[0] == 0.0
    for bad, what in (
        ('["d1", "d1"]', "ranked twice"),
        ("d1 d2", "no list or object"),
        ('{"d1": "x"}', "finite number"),
    ):
        with pytest.raises(WrongOutputError, match=what):
            build_metric("ndcg").measure([bad], relevant)
