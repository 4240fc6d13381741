"""Global scores and pairwise rankings of predictions, as they are and altered: every figure by plain loops."""

from pathlib import Path

import pytest

import betterthan as bt
from tests.verbs.study.test_decision_values import _value


def test_sst_5(shared: Path) -> None:
    found = bt.study("decision-values(runs=20)", str(shared / "sst5" / "predictions.csv.gz"), quick=True)
    # accuracy of the five, by the column `correct` of the file
    ranks = {name: _value(found, "rank", "as they are", "accuracy", name) for name in ("svm", "logistic", "textblob")}
    assert ranks["svm"] == 1 < ranks["logistic"] < ranks["textblob"]
    assert found.claim("Binarised values tie").ours.value == pytest.approx(0.62, abs=0.01)
    assert found.claim("Binarised values tie").agreement == "agrees"
