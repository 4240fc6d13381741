"""Replays: estimates by hand, worlds with known truth, independence of runs, and what is refused."""

from pathlib import Path

import betterthan as bt


def test_the_rankings_of_wmt13_can_be_replayed(shared: Path) -> None:
    found = bt.replay(
        shared / "wmt13-fr-en" / "rankings.csv.gz",
        ["unresolved", "wmt"],
        runs=2,
        budget=3000,
        batch=500,
        looks=[1000, 3000],
        reach=[1000],
        shares=[0.1],
        resamples=40,
    )
    assert (found.systems, found.pairs, found.policies) == (13, 78, ("uniform", "unresolved", "wmt"))
    assert 20 < found.targets < 78
    for outcome in found.outcomes:
        assert outcome.used.value == 3000
        assert outcome.looks[-1].kendall.value > 0.5
        assert outcome.looks[-1].clusters.value >= outcome.looks[0].clusters.value
    assert found.outcome("unresolved").separated.value > 0
