"""Matches of several systems: what is drawn, learnt and measured, against the trueskill package and plain loops."""

import pytest

import betterthan as bt


def test_printed_figures_stand_beside_ours(shared: object) -> None:
    name = "free-for-all(sizes=400,players=2|5,runs=3,dev=1000,test=1000,test_by=researcher*)"
    found = bt.study(name, f"{shared}/wmt13-fr-en/rankings.csv.gz", quick=True)
    assert found.columns()["printed"] == [0.479, 0.492, 0.479, 0.459]
    assert found.claim("With 400 pairs").expected.printed == pytest.approx(0.459 - 0.479)
    claim = found.claim("Accuracy with 400 matches of 5")
    assert claim.difference.value == pytest.approx(claim.ours.known - 0.492)
    assert 0.40 < claim.ours.known < 0.52
    assert found.plot().to_svg().startswith("<svg")
