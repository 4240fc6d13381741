"""The same marginals, paired in another way, have another winner."""

from pathlib import Path

import pytest

import betterthan as bt


def test_the_order_of_a_whole_table_is_searched_too(shared: Path) -> None:
    """TAC-08's BLEU, of which `diagnose` says how many pairs are turned."""
    scores = bt.read(str(shared / "tac" / "scores.parquet"), where=["metric == BLEU", "task == TAC08"])
    claim = bt.study("pairing(runs=10)", scores).claim("Pairs whose order in the whole table")
    (said,) = [finding for finding in bt.diagnose(scores).findings if finding.code == "depends-on-others"]
    assert claim.ours.value == pytest.approx(said.numbers["number"] / (58 * 57 / 2))
    assert claim.agreement == "differs"
