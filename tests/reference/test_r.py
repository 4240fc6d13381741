"""What R gives (BradleyTerry2, prefmod) on classic data, to six digits."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.models.bradley_terry import BradleyTerry
from betterthan.reduce.pairs import count_pairs

CASES = [
    ("dras.t1.ties_dropped", "BTm_log_odds", "dras_table1_long.csv", "drop", lambda name: name.lstrip("."), "D"),
    ("dras.t1.ties_half", "BTm_log_odds", "dras_table1_long.csv", "half", lambda name: name.lstrip("."), "D"),
    ("dras.t1paper.ties_half", "BTm_log_odds", "dras_table1_paper_order_counts.csv", "half", lambda name: name.lstrip("."), "D"),
    ("bt2.springall_ties_half", "fit", "springall_counts.csv", "half", lambda name: "S" + name.removeprefix("item"), "S9"),
    ("bt2.springall_ties_dropped", "fit", "springall_counts.csv", "drop", lambda name: "S" + name.removeprefix("item"), "S9"),
    ("bt2.CEMS_ties_half", "fit", "CEMS_bt2_long.csv", "half", lambda name: name.lstrip(".").replace("St.Gallen", "St.Gallen"), "Stockholm"),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "part", "file", "ties", "rename", "reference"), CASES)
def test_estimates_and_standard_errors(
    shared: Path, entry: str, part: str, file: str, ties: Any, rename: Any, reference: str
) -> None:
    golden = json.loads((shared / "reference" / "r-reference.json").read_text())["golden"][entry]
    evidence = bt.read_judgments(shared / "reference" / file, on_error="skip")
    counts = count_pairs(evidence.tally())
    model = BradleyTerry(ties=ties)
    fit = model.fit(counts)
    covariance = model.covariance(fit, counts, clustered=False)
    base = counts.systems.index(reference)
    checked = 0
    for name, expected in golden[part]["coef"].items():
        if expected.get("se") is None or expected["se"] == 0:
            continue
        place = counts.systems.index(rename(name))
        variance = covariance[place, place] + covariance[base, base] - 2 * covariance[place, base]
        assert fit.strength[place] - fit.strength[base] == pytest.approx(expected["est"], abs=1e-6)
        assert np.sqrt(variance) == pytest.approx(expected["se"], abs=1e-6)
        checked += 1
    assert checked == len(counts.systems) - 1
