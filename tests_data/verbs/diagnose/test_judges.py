"""Judges: simulated ones with known habits, and what must not change anything."""

from pathlib import Path

import pytest

import betterthan as bt
from betterthan.verbs.diagnose.judges.examine_judges import judges
from tests.verbs.diagnose.test_judges import _doubts


def test_wmt(shared: Path) -> None:
    report = judges(bt.read_rankings(shared / "wmt13-fr-en" / "rankings.csv.gz").to_judgments())
    assert report is not None
    assert report.agreement is not None
    assert (len(report.judges), report.agreement.items, report.repeated) == (218, 16912, 2932)
    assert report.agreement.alpha == pytest.approx(0.3185, abs=0.0001)
    # Judgments of one sentence hang together: drawn one by one the interval would be 0.313 … 0.329.
    assert (report.agreement.low, report.agreement.high) == pytest.approx((0.303, 0.334), abs=0.003)
    assert _doubts(report)["judge-against-rest"] == {"turker_18"}
