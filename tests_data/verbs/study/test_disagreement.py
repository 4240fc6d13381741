"""How often models order systems differently: the 65 public setups, planted extremes, and samples of instances."""

from pathlib import Path

import betterthan as bt
from tests.verbs.study.test_disagreement import PAIRS, _row

#: Pairs ordered differently, another best system, another top three.
FIGURES = [(0.0865, 0.2308, 0.5385), (0.0763, 0.2000, 0.3231), (0.0962, 0.2923, 0.5692)]


def test_the_65_public_setups(shared: Path) -> None:
    files = [shared / "tac" / "scores.parquet", shared / "dialogue" / "scores.parquet"]
    scores = bt.read([str(file) for file in files], where="metric != human_pyramid")
    found = bt.study("disagreement(beside=,sizes=10,repeats=2)", scores, quick=True)
    for pair, figures in zip(PAIRS, FIGURES, strict=True):
        row = _row(found, pair, sample="all", by="overall")
        assert (row["tables"], row["disagree"], row["best"], row["top3"]) == (65, *figures)
    assert _row(found, PAIRS[0], sample="all", by="overall")["disagree_printed"] == 0.04
    assert found.claim("mean – median: another top three").expected.printed == 0.30
    assert "not bundled" in found.claims[0].cause
    # By task, family and data set: the same 65, dealt out.
    assert _row(found, PAIRS[0], sample="all", by="task", group="dialogue")["tables"] == 26
    assert _row(found, PAIRS[0], sample="all", by="family", group="ROUGE-WE")["tables"] == 10
    assert _row(found, PAIRS[0], sample="all", by="data set", group="TAC09")["tables"] == 13
    cell = _row(found, PAIRS[1], sample="20 %", group="TAC08 ROUGE-WE")
    assert (cell["disagree_printed"], cell["best_printed"], cell["top3_printed"]) == (0.12, 0.58, 0.87)
    # Rounding in the 16th digit is no order.
    rounded = bt.study("disagreement(beside=,sizes=10,repeats=2,equal=rounded)", scores, quick=True)
    assert _row(rounded, PAIRS[0], sample="all", by="overall")["disagree"] == 0.0845
