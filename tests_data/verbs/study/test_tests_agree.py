"""Which test finds what another found: counted once more with SciPy."""

from pathlib import Path

import betterthan as bt
from tests.verbs.study.test_tests_agree import _cell


def test_intervals_are_over_data_sets(shared: Path) -> None:
    scores = bt.read(str(shared / "tac" / "scores.parquet"), where="metric == BLEU")
    found = bt.study("tests-agree(tests=t|mood)", scores, quick=True)
    cell = _cell(found, "mood", "t")
    assert cell["low"] < cell["share"] < 1.0 <= cell["high"]
    assert cell["printed"] == 0.98
