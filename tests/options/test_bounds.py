"""The ends of a range are allowed where they are named as such."""

import pytest

import betterthan as bt
from betterthan.options.campaign import CampaignOptions
from betterthan.options.rank import Plan

VOTES = [("owl", "yak", "a")] * 3 + [("owl", "yak", "b")]


def test_the_least_and_the_most_are_allowed() -> None:
    assert Plan.of(resamples=20).resamples == 20
    assert Plan.of(resamples=1_000_000).resamples == 1_000_000
    assert [CampaignOptions.of(way=way).way for way in (2, 5)] == [2, 5]
    for wrong in (19, 1_000_001):
        with pytest.raises(bt.PlanError, match="must be a whole number from 20 to 1,000,000"):
            Plan.of(resamples=wrong)


@pytest.mark.parametrize("level", [0.05, 0.49, 1.0, 95])
def test_a_level_is_that_of_confidence_and_not_of_error(level: float) -> None:
    with pytest.raises(bt.PlanError, match=r"level must be a number of at least 0\.5 and below 1, got"):
        bt.rank(VOTES, level=level)
    assert Plan.of(level=0.5).level == 0.5
