"""What R gives (BradleyTerry2, prefmod) on classic data, to six digits."""

from typing import Any

import numpy as np
import pytest

import betterthan as bt
from betterthan.datasets.statistics.pair_counts import PairCounts
from betterthan.models.bradley_terry import BradleyTerry
from tests.reference.r_estimates import TABLES, r_estimates

CASES = [
    ("dras.t1.ties_dropped", "BTm_log_odds", "dras_table1_counts.csv", "drop", lambda name: name.lstrip("."), "D"),
    ("dras.t1.ties_half", "BTm_log_odds", "dras_table1_counts.csv", "half", lambda name: name.lstrip("."), "D"),
    (
        "dras.t1paper.ties_half",
        "BTm_log_odds",
        "dras_table1_paper_order_counts.csv",
        "half",
        lambda name: name.lstrip("."),
        "D",
    ),
    (
        "bt2.springall_ties_half",
        "fit",
        "springall_counts.csv",
        "half",
        lambda name: "S" + name.removeprefix("item"),
        "S9",
    ),
    (
        "bt2.springall_ties_dropped",
        "fit",
        "springall_counts.csv",
        "drop",
        lambda name: "S" + name.removeprefix("item"),
        "S9",
    ),
    ("bt2.CEMS_ties_half", "fit", "cems_counts.csv", "half", lambda name: name.lstrip("."), "Stockholm"),
]


@pytest.mark.parametrize(("entry", "part", "file", "ties", "rename", "reference"), CASES)
def test_estimates_and_standard_errors(
    entry: str, part: str, file: str, ties: Any, rename: Any, reference: str
) -> None:
    golden = r_estimates()[entry]
    evidence = bt.read_judgments(TABLES / file)
    counts = PairCounts.of(evidence.tally())
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
