"""What R's irr gives for agreement on classic data; its own alpha, which is wrong, was mended there."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from betterthan.infer.agreement import agreement_share, cohen, counted, fleiss, krippendorff


def _golden(shared: Path) -> dict[str, Any]:
    golden: dict[str, Any] = json.loads((shared / "reference" / "r-reference.json").read_text())["golden"]
    return golden


def _coded(path: Path) -> Any:
    with path.open() as file:
        rows = np.array([row[1:] for row in list(csv.reader(file))[1:]])
    return np.unique(rows, return_inverse=True)[1].reshape(rows.shape)


def test_diagnoses(shared: Path) -> None:
    golden = _golden(shared)
    ratings = _coded(shared / "reference" / "irr_diagnoses.csv")
    counts = counted(ratings)
    kappa2 = golden["irr.diagnoses.kappa2"]
    for name, (one, other) in {"r2r3": (1, 2), "r1r2": (0, 1), "r5r6": (4, 5)}.items():
        assert cohen(ratings[:, one], ratings[:, other]) == pytest.approx(kappa2[name]["value"], abs=1e-9)
    assert fleiss(counts) == pytest.approx(golden["irr.diagnoses.fleiss"]["fleiss"]["value"], abs=1e-9)
    assert krippendorff(counts) == pytest.approx(golden["irr.diagnoses.kripp"]["nominal"]["value"], abs=1e-9)


def test_collins(shared: Path) -> None:
    golden = _golden(shared)["irr.collins"]
    ratings = _coded(shared / "reference" / "collins_agreement.csv")
    counts = counted(ratings)
    assert cohen(ratings[:, 0], ratings[:, 1]) == pytest.approx(golden["kappa2"]["value"], abs=1e-9)
    assert fleiss(counts) == pytest.approx(golden["fleiss_pi"]["value"], abs=1e-9)
    assert krippendorff(counts) == pytest.approx(golden["kripp_nominal"]["value"], abs=1e-9)
    assert agreement_share(counts) == pytest.approx(golden["percent_agree"] / 100, abs=1e-9)
