"""What R's irr gives for agreement on classic data; its own alpha, which is wrong, was mended there."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from betterthan.inference.agreement.rater_agreement import (
    agreement_share,
    cohen,
    counted,
    fleiss,
    krippendorff,
)
from tests.reference.r_estimates import TABLES, r_estimates


def _coded(path: Path) -> Any:
    with path.open() as file:
        rows = np.array([row[1:] for row in list(csv.reader(file))[1:]])
    return np.unique(rows, return_inverse=True)[1].reshape(rows.shape)


def test_diagnoses() -> None:
    golden = r_estimates()
    ratings = _coded(TABLES / "irr_diagnoses.csv")
    counts = counted(ratings)
    kappa2 = golden["irr.diagnoses.kappa2"]
    for name, (one, other) in {"r2r3": (1, 2), "r1r2": (0, 1), "r5r6": (4, 5)}.items():
        assert cohen(ratings[:, one], ratings[:, other]) == pytest.approx(kappa2[name]["value"], abs=1e-9)
    assert fleiss(counts) == pytest.approx(golden["irr.diagnoses.fleiss"]["fleiss"]["value"], abs=1e-9)
    assert krippendorff(counts) == pytest.approx(golden["irr.diagnoses.kripp"]["nominal"]["value"], abs=1e-9)


def test_collins() -> None:
    golden = r_estimates()["irr.collins"]
    with (TABLES / "collins_counts.csv").open() as file:
        cells = [(row["ann1"], row["ann2"], int(row["sentences"])) for row in csv.DictReader(file)]
    annotated = np.array([both for *both, sentences in cells for _ in range(sentences)])
    ratings = np.unique(annotated, return_inverse=True)[1].reshape(annotated.shape)
    assert ratings.shape == (100, 2)
    counts = counted(ratings)
    assert cohen(ratings[:, 0], ratings[:, 1]) == pytest.approx(golden["kappa2"]["value"], abs=1e-9)
    assert fleiss(counts) == pytest.approx(golden["fleiss_pi"]["value"], abs=1e-9)
    assert krippendorff(counts) == pytest.approx(golden["kripp_nominal"]["value"], abs=1e-9)
    assert agreement_share(counts) == pytest.approx(golden["percent_agree"] / 100, abs=1e-9)
