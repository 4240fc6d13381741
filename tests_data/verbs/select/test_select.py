"""From evidence to the model that predicts best, against predictions made one by one; and nothing learns from the test."""

from pathlib import Path

import pytest

from betterthan.readers.read_evidence import read
from betterthan.verbs.select.baselines import BOUND, CONSTANT
from betterthan.verbs.select.select_model import select


def test_wmt13(shared: Path) -> None:
    evidence = read(shared / "wmt13-fr-en" / "rankings.csv.gz")
    found = select(evidence, "expected-wins,bradley-terry,davidson", sizes=[400, 3200], dev=2000, test=2000, repeats=4)
    assert (found.units, found.judgments, found.splits, found.tested) == (9996, 99960, 4, 2000)
    for model in found.models:
        assert 0.46 < found[model].measures["accuracy"].value < 0.51
        assert 2.7 < found[model].measures["perplexity"].value < 2.87
        means = [row.measures["accuracy"].value for row in found.rows if row.model == model]
        assert means[0] < means[1]
    assert found[CONSTANT].measures["accuracy"].value == pytest.approx(0.4, abs=0.01)  # four fifths are decided
    assert 0.50 < found[BOUND].measures["accuracy"].value < 0.54
    assert found["bradley-terry"].accuracy_radius == pytest.approx(0.0, abs=0.05)  # ties are seldom the best guess
